// The gradients of select and slice: zeros of the input's shape, with the gradient where the view was.
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/select.h>
#include <ATen/ops/select_backward_native.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/slice_backward_native.h>
#include <ATen/ops/zeros.h>

namespace at::native {

Tensor select_backward_symint(const Tensor& grad_output, c10::SymIntArrayRef input_sizes, int64_t dim,
                              c10::SymInt index) {
  const Tensor grad_input = at::zeros(C10_AS_INTARRAYREF_SLOW(input_sizes), grad_output.options());
  grad_input.select(dim, index.expect_int()).copy_(grad_output);
  return grad_input;
}

Tensor slice_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t start,
                      int64_t end, int64_t step) {
  const Tensor grad_input = at::zeros(input_sizes, grad_output.options());
  grad_input.slice(dim, start, end, step).copy_(grad_output);
  return grad_input;
}

}  // namespace at::native
