// _softmax and _log_softmax on CUDA, and their gradients.
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/run_softmax.h>
#include <ATen/native/cuda/activation/softmax.h>

#include <ATen/ops/_log_softmax_backward_data_native.h>
#include <ATen/ops/_log_softmax_native.h>
#include <ATen/ops/_softmax_backward_data_native.h>
#include <ATen/ops/_softmax_native.h>

namespace at::native {

namespace {

void run(const Tensor& input, int64_t dim, bool half_to_float, const Tensor& output, bool logarithm) {
  run_softmax(input, dim, half_to_float ? kFloat : input.scalar_type(), output,
              [&](const Tensor& y, const Tensor& x, int64_t wrapped) {
                softmax_on_device(y, x, wrapped, logarithm);
              });
}

void run_backward(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype,
                  const Tensor& grad_input, bool logarithm) {
  run_softmax_backward(grad, output, dim, input_dtype, grad_input,
                       [&](const Tensor& result, const Tensor& g, const Tensor& y, int64_t wrapped) {
                         softmax_backward_on_device(result, g, y, wrapped, logarithm);
                       });
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
