// The operators that TensorIterator and broadcasting call (ATen/native/IteratorOps.h, ATen/ExpandUtils.h).
#include <ATen/ExpandUtils.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/IteratorOps.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>

namespace at::native {

TensorBase iterator_to(const TensorBase& self, ScalarType dtype) {
  const AutoDispatchBelowADInplaceOrView part_of_a_kernel;
  return static_cast<const Tensor&>(self).to(dtype);
}

void iterator_copy_(const TensorBase& self, const TensorBase& src) {
  const AutoDispatchBelowADInplaceOrView part_of_a_write;
  static_cast<const Tensor&>(self).copy_(static_cast<const Tensor&>(src));
}

}  // namespace at::native

namespace at::inline C10_ABI {

namespace {

c10::MaybeOwned<Tensor> expand_to(const Tensor& t, IntArrayRef sizes) {
  if (t.sizes() == sizes) {
    return c10::MaybeOwned<Tensor>::borrowed(t);
  }
  return c10::MaybeOwned<Tensor>::owned(t.expand(sizes));
}

}  // namespace

c10::MaybeOwned<Tensor> expand_inplace(const Tensor& tensor, const Tensor& to_expand) {
  return expand_to(to_expand, tensor.sizes());
}

c10::MaybeOwned<Tensor> expand_inplace(const Tensor& tensor, const Tensor& to_expand, const char* api_name) {
  TORCH_CHECK(tensor.defined() && to_expand.defined(), api_name, "(...) called with an undefined Tensor");
  return expand_inplace(tensor, to_expand);
}

std::tuple<c10::MaybeOwned<Tensor>, c10::MaybeOwned<Tensor>> expand_outplace(const Tensor& to_expand1,
                                                                             const Tensor& to_expand2) {
  const DimVector sizes = infer_size_dimvector(to_expand1.sizes(), to_expand2.sizes());
  return {expand_to(to_expand1, sizes), expand_to(to_expand2, sizes)};
}

std::vector<Tensor> expand_outplace(ArrayRef<Tensor> to_expand) {
  DimVector sizes;
  bool first = true;
  for (const Tensor& t : to_expand) {
    if (t.defined()) {
      sizes = first ? DimVector(t.sizes()) : infer_size_dimvector(sizes, t.sizes());
      first = false;
    }
  }
  std::vector<Tensor> result;
  result.reserve(to_expand.size());
  for (const Tensor& t : to_expand) {
    result.push_back(t.defined() ? *expand_to(t, sizes) : t);
  }
  return result;
}

Tensor sum_to(Tensor tensor, IntArrayRef shape, bool always_return_non_view) {
  const auto leading = tensor.dim() - static_cast<int64_t>(shape.size());
  DimVector dims;
  for (int64_t dim = 0; dim < tensor.dim(); dim++) {
    if (dim < leading || (shape[dim - leading] == 1 && tensor.sizes()[dim] != 1)) {
      dims.push_back(dim);
    }
  }
  if (!dims.empty()) {
    tensor = tensor.sum(dims, /*keepdim=*/true);
  }
  if (leading > 0) {
    tensor = tensor.view(shape);
  }
  return always_return_non_view && dims.empty() ? tensor.clone() : tensor;
}

}  // namespace at::inline C10_ABI
