// Entry points of activation functions and of their gradients.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Activation.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/clamp.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu_backward_native.h>
#include <ATen/ops/hardtanh_backward_native.h>
#include <ATen/ops/hardtanh_native.h>
#include <ATen/ops/leaky_relu_backward_native.h>
#include <ATen/ops/log_sigmoid_backward_native.h>
#include <ATen/ops/log_sigmoid_forward.h>
#include <ATen/ops/log_sigmoid_forward_native.h>
#include <ATen/ops/log_sigmoid_native.h>
#include <ATen/ops/softplus_backward_native.h>
#include <ATen/ops/softplus_native.h>
#include <ATen/ops/threshold_backward_native.h>
#include <ATen/ops/threshold_native.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(threshold_stub);
DEFINE_DISPATCH(hardtanh_backward_stub);
DEFINE_DISPATCH(softplus_stub);
DEFINE_DISPATCH(softplus_backward_stub);
DEFINE_DISPATCH(leaky_relu_backward_stub);
DEFINE_DISPATCH(GeluBackwardKernel);
DEFINE_DISPATCH(log_sigmoid_stub);
DEFINE_DISPATCH(log_sigmoid_buffer_stub);
DEFINE_DISPATCH(log_sigmoid_backward_stub);

// -------------------- threshold, softplus, leaky_relu, gelu

TORCH_IMPL_FUNC(threshold_out)
(const Tensor&, const Scalar& threshold, const Scalar& value, const Tensor&) {
  threshold_stub(device_type(), *this, threshold, value);
}

TORCH_IMPL_FUNC(threshold_backward_out)
(const Tensor&, const Tensor&, const Scalar& threshold, const Tensor&) {
  threshold_stub(device_type(), *this, threshold, 0);
}

TORCH_IMPL_FUNC(softplus_out)(const Tensor&, const Scalar& beta, const Scalar& threshold, const Tensor&) {
  softplus_stub(device_type(), *this, beta, threshold);
}

TORCH_IMPL_FUNC(softplus_backward_out)
(const Tensor&, const Tensor&, const Scalar& beta, const Scalar& threshold, const Tensor&) {
  softplus_backward_stub(device_type(), *this, beta, threshold);
}

TORCH_IMPL_FUNC(leaky_relu_backward_out)
(const Tensor&, const Tensor&, const Scalar& negative_slope, bool /*self_is_result*/, const Tensor&) {
  leaky_relu_backward_stub(device_type(), *this, negative_slope);
}

TORCH_IMPL_FUNC(gelu_backward_out)
(const Tensor&, const Tensor&, c10::string_view approximate, const Tensor&) {
  GeluBackwardKernel(device_type(), *this, approximate == "tanh" ? GeluType::Tanh : GeluType::None);
}

// -------------------- hardtanh

namespace {

void check_hardtanh(const Tensor& self, const Scalar& min_val) {
  TORCH_CHECK(self.scalar_type() != kBool, "Bool inputs not supported for hardtanh");
  TORCH_CHECK(self.scalar_type() != kByte || min_val.toDouble() >= 0,
              "cannot do hardtanh on an unsigned type with negative limits");
}

// Bounds of an integer tensor are integers: the result keeps its dtype.
Scalar bound(const Tensor& self, const Scalar& value) {
  return isIntegralType(self.scalar_type(), /*includeBool=*/false) ? Scalar(value.toLong()) : value;
}

}  // namespace

Tensor hardtanh(const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  check_hardtanh(self, min_val);
  return at::clamp(self, bound(self, min_val), bound(self, max_val));
}

Tensor& hardtanh_out(const Tensor& self, const Scalar& min_val, const Scalar& max_val, Tensor& result) {
  check_hardtanh(self, min_val);
  return at::clamp_outf(self, bound(self, min_val), bound(self, max_val), result);
}

Tensor& hardtanh_(Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  check_hardtanh(self, min_val);
  return self.clamp_(bound(self, min_val), bound(self, max_val));
}

Tensor& hardtanh_backward_out(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                              const Scalar& max_val, Tensor& grad_input) {
  auto iter = TensorIterator::borrowing_binary_op(grad_input, grad_output, self);
  if (iter.device_type() != kMeta) hardtanh_backward_stub(iter.device_type(), iter, min_val, max_val);
  return grad_input;
}

Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                         const Scalar& max_val) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, grad_output, self);
  if (iter.device_type() != kMeta) hardtanh_backward_stub(iter.device_type(), iter, min_val, max_val);
  return iter.output();
}

// -------------------- log_sigmoid

Tensor log_sigmoid(const Tensor& self) { return std::get<0>(at::log_sigmoid_forward(self)); }

Tensor& log_sigmoid_out(const Tensor& self, Tensor& out) {
  Tensor buffer = at::empty({0}, self.options());
  return std::get<0>(at::log_sigmoid_forward_outf(self, out, buffer));
}

// The buffer spares the backward pass an exponential; CUDA, where memory is what costs, leaves it empty.
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
