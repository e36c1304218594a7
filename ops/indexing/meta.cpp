// Meta functions of indexing: gather, index.Tensor, index_select.

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/advanced_index.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/irange.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/gather_meta.h>
#include <ATen/ops/index_meta.h>
#include <ATen/ops/index_select_native.h>

#include <algorithm>
#include <vector>

namespace at::meta {

namespace {

void check_gather_shapes(const Tensor& self, int64_t dim, const Tensor& index) {
  const int64_t ndim = std::max<int64_t>(self.dim(), 1);
  TORCH_CHECK(ndim == std::max<int64_t>(index.dim(), 1),
              "Index tensor must have the same number of dimensions as input tensor");
  if (self.dim() == 0 || index.dim() == 0) return;
  for (const auto i : c10::irange(ndim)) {
    TORCH_CHECK(i == dim || index.sizes()[i] <= self.sizes()[i], "Size does not match at dimension ", i,
                " expected index ", index.sizes(), " to be no larger than self ", self.sizes(),
                " apart from dimension ", dim);
  }
}

}  // namespace

TORCH_META_FUNC(gather)(const Tensor& self, int64_t dim, const Tensor& index, bool /*sparse_grad*/) {
  const int64_t wrapped_dim = maybe_wrap_dim(dim, self.dim());
  const Tensor& result = maybe_get_output();
  TORCH_CHECK(index.numel() == 0 || index.scalar_type() == kLong || index.scalar_type() == kInt,
              "gather(): Expected dtype int32/int64 for index");
  if (result.defined()) {
    at::assert_no_internal_overlap(result);
    at::assert_no_overlap(result, self);
    at::assert_no_partial_overlap(result, index);
  }
  if (index.numel() != 0) check_gather_shapes(self, wrapped_dim, index);
  set_output_raw_strided(0, index.sizes(), {}, self.options());
}

TORCH_PRECOMPUTE_META_FUNC2(index, Tensor)
(const Tensor& self, at::IOptTensorListRef indices) {
  std::vector<Tensor> given;
  given.reserve(indices.size());
  for (const auto& index : indices) given.push_back(index.has_value() ? *index : Tensor());
  TORCH_CHECK_INDEX(static_cast<int64_t>(given.size()) <= self.dim(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ", given.size(), ")");
  const Tensor& result = maybe_get_output();
  if (result.defined()) {
    TORCH_CHECK(self.scalar_type() == result.scalar_type(), "index_out: self (", self.scalar_type(),
                ") and result (", result.scalar_type(), ") must have the same scalar type");
    at::assert_no_internal_overlap(result);
    at::assert_no_overlap(result, self);
    for (const Tensor& index : given) {
      if (index.defined()) at::assert_no_overlap(result, index);
    }
  }
  at::native::AdvancedIndex info = at::native::make_advanced_index(self, given);
  TensorIteratorConfig config;
  // Overlap was checked above: the restrided source repeats elements, which the iterator would refuse.
  config.set_check_mem_overlap(false).check_all_same_dtype(false).add_output(result).add_owned_const_input(
      info.src);
  for (const TensorBase& index : info.indices) config.add_owned_const_input(index);
  if (!result.defined()) {
    // All inputs are on self's device by now.
    config.check_all_same_device(false).declare_static_dtype_and_device(info.src.scalar_type(),
                                                                        info.src.device());
  }
  build(config);
  return TORCH_PRECOMPUTE_STRUCT2(index, Tensor)()
      .set_sizes(std::move(info.indexed_sizes))
      .set_strides(std::move(info.indexed_strides));
}

}  // namespace at::meta

namespace at::native {

Tensor index_select_meta(const Tensor& self, int64_t dim, const Tensor& index) {
  TORCH_CHECK_INDEX(index.dim() <= 1, "index_select(): argument 'index': expected a vector, got ",
                    index.dim(), " dimensions");
  const int64_t wrapped = c10::maybe_wrap_dim(dim, self.dim());
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  if (!sizes.empty()) sizes[static_cast<size_t>(wrapped)] = index.numel();
  return at::empty(sizes, self.options());
}

}  // namespace at::native
