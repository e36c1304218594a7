// Meta functions of sort and topk.

#include <ATen/ExpandUtils.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/sort_meta.h>
#include <ATen/ops/topk_meta.h>

namespace at::meta {

TORCH_META_FUNC2(sort, stable)
(const Tensor& self, std::optional<bool> /*stable*/, int64_t dim, bool /*descending*/) {
  maybe_wrap_dim(dim, self.dim());
  const DimVector strides = self.is_non_overlapping_and_dense()
                                ? DimVector(self.strides())
                                : DimVector(infer_dense_strides(self.sizes(), self.strides()));
  set_output_raw_strided(0, self.sizes(), strides, self.options());
  set_output_raw_strided(1, self.sizes(), strides, self.options().dtype(kLong));
}

TORCH_META_FUNC(topk)(const Tensor& self, int64_t k, int64_t dim, bool /*largest*/, bool /*sorted*/) {
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(k >= 0 && k <= (self.dim() > 0 ? self.size(wrapped) : 1), "selected index k out of range");
  DimVector sizes(self.sizes());
  if (!sizes.empty()) {
    sizes[wrapped] = k;
  }
  set_output_raw_strided(0, sizes, {}, self.options());
  set_output_raw_strided(1, sizes, {}, self.options().dtype(kLong));
}

}  // namespace at::meta
