// log_sigmoid, with the buffer that it saves for its gradient.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/log_sigmoid_backward_native.h>
#include <ATen/ops/log_sigmoid_forward.h>
#include <ATen/ops/log_sigmoid_forward_native.h>
#include <ATen/ops/log_sigmoid_native.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(log_sigmoid_stub);
DEFINE_DISPATCH(log_sigmoid_buffer_stub);
DEFINE_DISPATCH(log_sigmoid_backward_stub);

Tensor log_sigmoid(const Tensor& self) { return std::get<0>(at::log_sigmoid_forward(self)); }

Tensor& log_sigmoid_out(const Tensor& self, Tensor& out) {
  Tensor buffer = at::empty({0}, self.options());
  return std::get<0>(at::log_sigmoid_forward_outf(self, out, buffer));
}

// The buffer saves the backward pass an exponential; on CUDA, where memory bandwidth is the limit, it is
// empty.
std::tuple<Tensor&, Tensor&> log_sigmoid_forward_out(const Tensor& self, Tensor& output, Tensor& buffer) {
  if (self.is_cuda()) {
    TensorIterator result = TensorIterator::unary_op(output, self);
    log_sigmoid_stub(kCUDA, result);
    return {output, buffer};
  }
  TensorIterator kept = TensorIterator::unary_op(buffer, self);
  if (!self.is_meta()) log_sigmoid_buffer_stub(kept.device_type(), kept);
  TensorIterator result = TensorIterator::binary_op(output, self, buffer);
  if (!self.is_meta()) log_sigmoid_stub(result.device_type(), result);
  return {output, buffer};
}

std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self) {
  Tensor output = at::empty({0}, self.options()), buffer = at::empty({0}, self.options());
  log_sigmoid_forward_out(self, output, buffer);
  return {std::move(output), std::move(buffer)};
}

Tensor& log_sigmoid_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& buffer,
                                 Tensor& grad_input) {
  TensorIteratorConfig config;
  config.add_output(grad_input).add_const_input(grad_output).add_const_input(self);
  if (!self.is_cuda()) config.add_const_input(buffer);
  auto iter = config.build();
  if (iter.device_type() != kMeta) log_sigmoid_backward_stub(iter.device_type(), iter);
  return grad_input;
}

Tensor log_sigmoid_backward(const Tensor& grad_output, const Tensor& self, const Tensor& buffer) {
  Tensor grad_input = at::empty({0}, grad_output.options());
  return log_sigmoid_backward_out(grad_output, self, buffer, grad_input);
}

}  // namespace at::native
