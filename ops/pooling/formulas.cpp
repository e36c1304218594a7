// Formulas of pooling.
#include <ATen/native/pooling/formulas.h>

#include <ATen/ops/flatten.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/view_as.h>

#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor max_pool_double_backward(const Tensor& grad, const Tensor& indices, int64_t dim) {
  return grad.flatten(-dim).gather(-1, indices.flatten(-dim)).view_as(indices);
}

Tensor max_pool2d_double_backward(const Tensor& grad, const Tensor& self, IntArrayRef kernel_size,
                                  IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                  bool ceil_mode) {
  const auto pooled = at::max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode);
  return max_pool_double_backward(grad, std::get<1>(pooled), 2);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
