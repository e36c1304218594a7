// stack.

#include <ATen/MemoryOverlap.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/stack_native.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

#include <vector>

namespace at::native {

namespace {

int64_t check_stack(TensorList tensors, int64_t dim) {
  TORCH_CHECK(!tensors.empty(), "stack expects a non-empty TensorList");
  dim = maybe_wrap_dim(dim, tensors[0].dim() + 1);
  for (size_t i = 1; i < tensors.size(); ++i) {
    TORCH_CHECK(tensors[i].sizes() == tensors[0].sizes(),
                "stack expects each tensor to be equal size, but got ", tensors[0].sizes(),
                " at entry 0 and ", tensors[i].sizes(), " at entry ", i);
  }
  return dim;
}

std::vector<Tensor> unsqueeze_all(TensorList tensors, int64_t dim) {
  std::vector<Tensor> result;
  result.reserve(tensors.size());
  for (const Tensor& t : tensors) result.push_back(t.unsqueeze(dim));
  return result;
}

DimVector stacked_sizes(TensorList tensors, int64_t dim) {
  DimVector sizes(tensors[0].sizes().begin(), tensors[0].sizes().end());
  sizes.insert(sizes.begin() + dim, static_cast<int64_t>(tensors.size()));
  return sizes;
}

// What cat would refuse is refused before the result is resized.
void resize_to_stack(const Tensor& result, TensorList tensors, IntArrayRef sizes) {
  if (result.sizes() == sizes) return;
  TORCH_CHECK_TYPE(c10::canCast(promoted_type_of(tensors), result.scalar_type()),
                   "stack(): input types can't be cast to the desired output type ", result.scalar_type());
  for (const Tensor& t : tensors) at::assert_no_overlap(result, t);
  resize_output(result, sizes);
}

}  // namespace

// Concatenating along `dim` and splitting that dimension in two needs no view of each input.
Tensor stack(TensorList tensors, int64_t dim) {
  dim = check_stack(tensors, dim);
  if (dim == tensors[0].dim()) return at::cat(unsqueeze_all(tensors, dim), dim);
  return at::cat(tensors, dim).view(stacked_sizes(tensors, dim));
}

Tensor& stack_out(TensorList tensors, int64_t dim, Tensor& result) {
  dim = check_stack(tensors, dim);
  if (dim < tensors[0].dim()) {
    resize_to_stack(result, tensors, stacked_sizes(tensors, dim));
    DimVector cat_sizes(tensors[0].sizes().begin(), tensors[0].sizes().end());
    cat_sizes[dim] *= static_cast<int64_t>(tensors.size());
    if (at::detail::computeStride(result.sizes(), result.strides(), cat_sizes)) {
      Tensor flat = result.view(cat_sizes);
      at::cat_out(flat, tensors, dim);
      return result;
    }
  }
  return at::cat_out(result, unsqueeze_all(tensors, dim), dim);
}

}  // namespace at::native
