// The shape function of running products: self's shape; integers become int64.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/ReduceOpsUtils.h>

#include <ATen/ops/cumprod_meta.h>

namespace at::meta {

TORCH_META_FUNC(cumprod)(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  maybe_wrap_dim(dim, self.dim());
  const ScalarType out_dtype = native::infer_dtype_from_optional(self, dtype, maybe_get_output());
  set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(out_dtype));
}

}  // namespace at::meta
