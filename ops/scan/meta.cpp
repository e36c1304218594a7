// Meta functions of scans: self's shape; integers become int64.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/reduced_shape.h>

#include <ATen/ops/cumprod_meta.h>
#include <ATen/ops/cumsum_meta.h>

namespace at::meta {

TORCH_META_FUNC(cumsum)(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  maybe_wrap_dim(dim, self.dim());
  const ScalarType out_dtype = native::infer_dtype_from_optional(self, dtype, maybe_get_output());
  set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(out_dtype));
}

TORCH_META_FUNC(cumprod)(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  maybe_wrap_dim(dim, self.dim());
  const ScalarType out_dtype = native::infer_dtype_from_optional(self, dtype, maybe_get_output());
  set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(out_dtype));
}

}  // namespace at::meta
