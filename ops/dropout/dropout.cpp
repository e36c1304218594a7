// dropout, native_dropout on the Meta device and the gradient of native_dropout.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/dropout/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/bernoulli.h>
#include <ATen/ops/div.h>
#include <ATen/ops/dropout_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_dropout.h>
#include <ATen/ops/native_dropout_backward_native.h>
#include <ATen/ops/native_dropout_native.h>
#include <ATen/ops/to.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(dropout_backward_stub);

namespace {

void check_dropout(double p) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
}

}  // namespace

std::tuple<Tensor, Tensor> native_dropout_meta(const Tensor& input, double p, std::optional<bool> /*train*/) {
  check_dropout(p);
  return {at::empty_like(input), at::empty_like(input, input.options().dtype(kBool))};
}

Tensor dropout(const Tensor& input, double p, bool train) {
  check_dropout(p);
  if (p == 0 || !train || input.numel() == 0) {
    return input;
  }
  return std::get<0>(at::native_dropout(input, p, train));
}

Tensor& dropout_(Tensor& self, double p, bool train) {
  check_dropout(p);
  if (p == 0 || !train || self.numel() == 0) {
    return self;
  }
  Tensor noise = at::empty_like(self).bernoulli_(1 - p);
  return self.mul_(p == 1 ? noise : noise.div_(1 - p));
}

Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  const bool has_kernel = grad_output.is_floating_point() && mask.scalar_type() == kBool;
  if (!has_kernel) return at::mul(grad_output, at::mul(mask.to(grad_output.scalar_type()), scale));
  const Tensor undefined;
  TensorIteratorConfig config;
  config.check_all_same_dtype(false)
      .declare_static_dtype(grad_output.scalar_type())
      .add_output(undefined)
      .add_const_input(grad_output)
      .add_const_input(mask);
  auto iter = config.build();
  if (iter.device_type() != kMeta) dropout_backward_stub(iter.device_type(), iter, scale);
  return iter.output();
}

}  // namespace at::native
