// unfold: windows along a dimension, and its gradient.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/add.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/select.h>
#include <ATen/ops/unfold.h>
#include <ATen/ops/unfold_backward_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/zeros.h>

namespace at::native {

Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  const int64_t ndim = self.dim();
  const int64_t dim = maybe_wrap_dim(dimension, ndim);
  // A 0-dim tensor has one position.
  const int64_t length = ndim == 0 ? 1 : self.sizes()[dim], stride = ndim == 0 ? 1 : self.strides()[dim];
  TORCH_CHECK(size >= 0, "unfold: size is ", size, " but must be >= 0");
  TORCH_CHECK(size <= length, "maximum size for tensor at dimension ", dim, " is ", length, " but size is ",
              size);
  TORCH_CHECK(step > 0, "step is ", step, " but must be > 0");
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  DimVector strides(self.strides().begin(), self.strides().end());
  if (ndim != 0) {
    sizes[dim] = (length - size) / step + 1;
    // A step so large that the stride overflows leaves one window, to which no stride applies.
    if (__builtin_mul_overflow(stride, step, &strides[dim])) strides[dim] = stride;
  }
  sizes.push_back(size);
  strides.push_back(stride);
  return at::detail::make_view(self, sizes, strides, self.storage_offset());
}

// Where windows overlap their gradients are added: place by place of the windows, or window by window,
// whichever are fewer, so that no addition writes to a place twice.
Tensor unfold_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size, int64_t step) {
  const Tensor grad_input = at::zeros(input_sizes, grad.options());
  const Tensor windows = grad_input.unfold(dim, size, step);
  TORCH_CHECK(windows.sizes() == grad.sizes(), "unfold_backward: expected a gradient of shape ",
              windows.sizes(), ", got ", grad.sizes());
  if (step >= size || input_sizes.empty()) {
    windows.copy_(grad);
    return grad_input;
  }
  dim = maybe_wrap_dim(dim, grad_input.dim());
  const int64_t count = windows.sizes()[dim];
  if (count < size) {
    for (int64_t i = 0; i < count; ++i) windows.select(dim, i).add_(grad.select(dim, i));
  } else {
    for (int64_t i = 0; i < size; ++i) windows.select(-1, i).add_(grad.select(-1, i));
  }
  return grad_input;
}

}  // namespace at::native
