// _softmax and _log_softmax on CUDA, and their gradients.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/activation/softmax.h>

#include <ATen/ops/_log_softmax_backward_data_native.h>
#include <ATen/ops/_log_softmax_native.h>
#include <ATen/ops/_softmax_backward_data_native.h>
#include <ATen/ops/_softmax_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>

namespace at::native {

namespace {

void run(const Tensor& input, int64_t dim, bool half_to_float, const Tensor& output, bool logarithm) {
  if (input.numel() == 0) return;
  const ScalarType dtype = half_to_float ? kFloat : input.scalar_type();
  const Tensor source = input.contiguous();
  const bool direct = output.is_contiguous() && output.scalar_type() == dtype;
  const Tensor result = direct ? output : at::empty_like(source, source.options().dtype(dtype));
  softmax_on_device(result, source, maybe_wrap_dim(dim, input.dim()), logarithm);
  if (!direct) const_cast<Tensor&>(output).copy_(result);
}

void run_backward(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype,
                  const Tensor& grad_input, bool logarithm) {
  if (grad.numel() == 0) return;
  const Tensor g = grad.contiguous(), y = output.contiguous();
  const bool direct = grad_input.is_contiguous() && grad_input.scalar_type() == input_dtype;
  const Tensor result = direct ? grad_input : at::empty_like(g, g.options().dtype(input_dtype));
  softmax_backward_on_device(result, g, y, maybe_wrap_dim(dim, grad.dim()), logarithm);
  if (!direct) const_cast<Tensor&>(grad_input).copy_(result);
}

}  // namespace

TORCH_IMPL_FUNC(softmax_cuda_out)(const Tensor& input, int64_t dim, bool half_to_float,
                                  const Tensor& output) {
  run(input, dim, half_to_float, output, /*logarithm=*/false);
}

TORCH_IMPL_FUNC(log_softmax_cuda_out)
(const Tensor& input, int64_t dim, bool half_to_float, const Tensor& output) {
  run(input, dim, half_to_float, output, /*logarithm=*/true);
}

TORCH_IMPL_FUNC(softmax_backward_cuda_out)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype, const Tensor& grad_input) {
  run_backward(grad, output, dim, input_dtype, grad_input, /*logarithm=*/false);
}

TORCH_IMPL_FUNC(log_softmax_backward_cuda_out)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype, const Tensor& grad_input) {
  run_backward(grad, output, dim, input_dtype, grad_input, /*logarithm=*/true);
}

}  // namespace at::native
