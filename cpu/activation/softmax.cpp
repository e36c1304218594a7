// _softmax and _log_softmax on the CPU, and their gradients.
#include <ATen/native/cpu/activation/softmax.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/activation/run_softmax.h>

#include <ATen/ops/_log_softmax_backward_data_native.h>
#include <ATen/ops/_log_softmax_native.h>
#include <ATen/ops/_softmax_backward_data_native.h>
#include <ATen/ops/_softmax_native.h>

namespace at::native {

DEFINE_DISPATCH(softmax_kernel);
DEFINE_DISPATCH(log_softmax_kernel);
DEFINE_DISPATCH(softmax_backward_kernel);
DEFINE_DISPATCH(log_softmax_backward_kernel);

namespace {

template <class Stub>
void run(Stub& stub, const char* name, const Tensor& input, int64_t dim, bool half_to_float,
         const Tensor& output) {
  TORCH_CHECK(!half_to_float, name, " with half to float conversion is not supported on CPU");
  run_softmax(input, dim, input.scalar_type(), output,
              [&](const Tensor& y, const Tensor& x, int64_t wrapped) { stub(kCPU, y, x, wrapped); });
}

template <class Stub>
void run_backward(Stub& stub, const Tensor& grad, const Tensor& output, int64_t dim,
                  const Tensor& grad_input) {
  run_softmax_backward(grad, output, dim, grad.scalar_type(), grad_input,
                       [&](const Tensor& result, const Tensor& g, const Tensor& y, int64_t wrapped) {
                         stub(kCPU, result, g, y, wrapped);
                       });
}

}  // namespace

TORCH_IMPL_FUNC(softmax_cpu_out)(const Tensor& input, int64_t dim, bool half_to_float, const Tensor& output) {
  run(softmax_kernel, "softmax", input, dim, half_to_float, output);
}

TORCH_IMPL_FUNC(log_softmax_cpu_out)(const Tensor& input, int64_t dim, bool half_to_float,
                                     const Tensor& output) {
  run(log_softmax_kernel, "log_softmax", input, dim, half_to_float, output);
}

TORCH_IMPL_FUNC(softmax_backward_cpu_out)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType /*input_dtype*/,
 const Tensor& grad_input) {
  run_backward(softmax_backward_kernel, grad, output, dim, grad_input);
}

TORCH_IMPL_FUNC(log_softmax_backward_cpu_out)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType /*input_dtype*/,
 const Tensor& grad_input) {
  run_backward(log_softmax_backward_kernel, grad, output, dim, grad_input);
}

}  // namespace at::native
