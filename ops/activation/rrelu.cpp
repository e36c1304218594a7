// rrelu: relu with a random slope below zero in training, and the mean slope otherwise.
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/leaky_relu_backward.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rrelu.h>
#include <ATen/ops/rrelu_native.h>
#include <ATen/ops/rrelu_with_noise.h>
#include <ATen/ops/rrelu_with_noise_backward_native.h>
#include <ATen/ops/rrelu_with_noise_native.h>

#include <tuple>

namespace at::native {

namespace {

double mean_slope(const Scalar& lower, const Scalar& upper) {
  return (lower.toDouble() + upper.toDouble()) / 2;
}

}  // namespace

// The noise is the slope of each element: 1 above zero.
Tensor& rrelu_with_noise_out(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                             bool training, std::optional<Generator> generator, Tensor& output) {
  TORCH_CHECK(self.sizes() == noise.sizes(),
              "noise tensor shape must match self tensor shape. Got self.shape = ", self.sizes(),
              " noise.shape = ", noise.sizes());
  if (!training) {
    return at::leaky_relu_outf(self, mean_slope(lower, upper), output);
  }
  const Tensor above = self.gt(0);
  noise.uniform_(lower.toDouble(), upper.toDouble(), std::move(generator));
  noise.masked_fill_(above, 1);
  return at::mul_outf(self, noise, output);
}

Tensor rrelu_with_noise(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                        bool training, std::optional<Generator> generator) {
  Tensor output = at::empty({0}, self.options());
  return at::native::rrelu_with_noise_out(self, noise, lower, upper, training, std::move(generator), output);
}

Tensor& rrelu_with_noise_(Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                          bool training, std::optional<Generator> generator) {
  return at::native::rrelu_with_noise_out(self, noise, lower, upper, training, std::move(generator), self);
}

Tensor rrelu_with_noise_backward(const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                 const Scalar& lower, const Scalar& upper, bool training,
                                 bool self_is_result) {
  if (training && upper.toDouble() - lower.toDouble() > 1e-6) {
    return noise.mul(grad_output);
  }
  return at::leaky_relu_backward(grad_output, self, mean_slope(lower, upper), self_is_result);
}

Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
             std::optional<Generator> generator) {
  TORCH_CHECK(lower.toDouble() <= upper.toDouble(),
              "Lower bound should be less than or equal to the upper bound");
  // The functional form, which returns its noise: what it saves for the backward pass is not written to
  // again.
  const Tensor noise = at::empty_like(self);
  return std::get<0>(
      at::rrelu_with_noise_functional(self, noise, lower, upper, training, std::move(generator)));
}

Tensor& rrelu_(Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
               std::optional<Generator> generator) {
  // Of a copy, which is saved for the backward pass: self is overwritten.
  return self.copy_(at::rrelu(self.clone(), lower, upper, training, std::move(generator)));
}

}  // namespace at::native
