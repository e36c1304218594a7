// _softmax and _log_softmax on the CPU, and their gradients.
#include <ATen/native/cpu/activation/softmax.h>

#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/_log_softmax_backward_data_native.h>
#include <ATen/ops/_log_softmax_native.h>
#include <ATen/ops/_softmax_backward_data_native.h>
#include <ATen/ops/_softmax_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>

namespace at::native {

DEFINE_DISPATCH(softmax_kernel);
DEFINE_DISPATCH(log_softmax_kernel);
DEFINE_DISPATCH(softmax_backward_kernel);
DEFINE_DISPATCH(log_softmax_backward_kernel);

namespace {

template <class Kernel>
void run(Kernel& kernel, const char* name, const Tensor& input, int64_t dim, bool half_to_float,
         const Tensor& output) {
  TORCH_CHECK(!half_to_float, name, " with half to float conversion is not supported on CPU");
  if (input.numel() == 0) {
    return;
  }
  const int64_t wrapped = maybe_wrap_dim(dim, input.dim());
  const Tensor source = input.contiguous();
  if (output.is_contiguous() && output.scalar_type() == input.scalar_type()) {
    kernel(kCPU, output, source, wrapped);
  } else {
    const Tensor result = at::empty_like(source);
    kernel(kCPU, result, source, wrapped);
    const_cast<Tensor&>(output).copy_(result);
  }
}

template <class Kernel>
void run_backward(Kernel& kernel, const Tensor& grad, const Tensor& output, int64_t dim,
                  const Tensor& grad_input) {
  if (grad.numel() == 0) {
    return;
  }
  const int64_t wrapped = maybe_wrap_dim(dim, grad.dim());
  const Tensor g = grad.contiguous(), y = output.contiguous();
  if (grad_input.is_contiguous() && grad_input.scalar_type() == grad.scalar_type()) {
    kernel(kCPU, grad_input, g, y, wrapped);
  } else {
    const Tensor result = at::empty_like(g);
    kernel(kCPU, result, g, y, wrapped);
    const_cast<Tensor&>(grad_input).copy_(result);
  }
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
