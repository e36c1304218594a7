// Entry points of activation functions made of others, of those with a learned slope and of gated ones.
#include <ATen/TensorIterator.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/ElementwiseOps.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_prelu_kernel.h>
#include <ATen/ops/_prelu_kernel_backward_native.h>
#include <ATen/ops/_prelu_kernel_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/celu_native.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/elu_backward_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/glu_backward.h>
#include <ATen/ops/glu_backward_jvp_native.h>
#include <ATen/ops/glu_backward_native.h>
#include <ATen/ops/glu_jvp_native.h>
#include <ATen/ops/glu_native.h>
#include <ATen/ops/hardswish_backward_native.h>
#include <ATen/ops/hardswish_native.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/mish_backward_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/prelu_native.h>
#include <ATen/ops/relu6_native.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/selu_native.h>
#include <ATen/ops/sigmoid.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(elu_backward_stub);
DEFINE_DISPATCH(hardswish_stub);
DEFINE_DISPATCH(hardswish_backward_stub);
DEFINE_DISPATCH(mish_backward_stub);
DEFINE_DISPATCH(prelu_stub);
DEFINE_DISPATCH(prelu_backward_stub);
DEFINE_DISPATCH(prelu_weight_backward_stub);
DEFINE_DISPATCH(glu_stub);
DEFINE_DISPATCH(glu_gate_backward_stub);
DEFINE_DISPATCH(glu_jvp_stub);

// -------------------- of other operators

Tensor relu6(const Tensor& self) { return at::hardtanh(self, 0, 6); }
Tensor& relu6_(Tensor& self) { return at::hardtanh_(self, 0, 6); }

namespace {

constexpr double selu_alpha = 1.6732632423543772848170429916717;
constexpr double selu_scale = 1.0507009873554804934193349852946;

// celu(x) = elu(x / alpha) * alpha above, alpha * expm1(x / alpha) below zero.
double inverse_alpha(const Scalar& alpha) {
  TORCH_CHECK(alpha.toDouble() != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return 1.0 / alpha.toDouble();
}

}  // namespace

Tensor selu(const Tensor& self) { return at::elu(self, selu_alpha, selu_scale); }
Tensor& selu_(Tensor& self) { return at::elu_(self, selu_alpha, selu_scale); }
Tensor celu(const Tensor& self, const Scalar& alpha) {
  return at::elu(self, alpha, 1.0, inverse_alpha(alpha));
}
Tensor& celu_(Tensor& self, const Scalar& alpha) { return at::elu_(self, alpha, 1.0, inverse_alpha(alpha)); }

// -------------------- elu, hardswish, mish

TORCH_IMPL_FUNC(elu_backward_out)
(const Tensor&, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale, bool is_result,
 const Tensor&, const Tensor&) {
  elu_backward_stub(device_type(), *this, EluScales{alpha, scale, input_scale, is_result});
}

Tensor& hardswish_out(const Tensor& self, Tensor& result) {
  auto iter = TensorIterator::unary_op(result, self);
  if (iter.device_type() != kMeta) hardswish_stub(iter.device_type(), iter);
  return result;
}

Tensor hardswish(const Tensor& self) {
  Tensor result;
  auto iter = TensorIterator::unary_op(result, self);
  if (iter.device_type() != kMeta) hardswish_stub(iter.device_type(), iter);
  return iter.output();
}

Tensor& hardswish_(Tensor& self) { return at::native::hardswish_out(self, self); }

Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, grad_output, self);
  if (iter.device_type() != kMeta) hardswish_backward_stub(iter.device_type(), iter);
  return iter.output();
}

Tensor mish_backward(const Tensor& grad_output, const Tensor& self) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, grad_output, self);
  if (iter.device_type() != kMeta) mish_backward_stub(iter.device_type(), iter);
  return iter.output();
}

// -------------------- prelu

namespace {

// The weight with its one dimension where self has its channels.
Tensor weight_of_channels(const Tensor& self, const Tensor& weight) {
  if (weight.dim() == 0 || self.dim() == 1) {
    return weight;
  }
  DimVector sizes(self.dim() > 0 ? self.dim() : 1, 1);
  if (self.dim() > 1) sizes[1] = weight.size(0);
  return self.dim() == 0 ? weight.squeeze() : weight.reshape(sizes);
}

}  // namespace

Tensor prelu(const Tensor& self, const Tensor& weight) {
  TORCH_CHECK(weight.dim() <= 1,
              "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ", weight.dim());
  if (weight.numel() != 1) {
    TORCH_CHECK(self.dim() > 0, "Not allow zero-dim input tensor.");
    const int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    TORCH_CHECK(channels == weight.numel(),
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = ",
                weight.numel(), " and channel size = ", channels, ".");
  }
  return at::_prelu_kernel(self, weight_of_channels(self, weight));
}

Tensor _prelu_kernel(const Tensor& self, const Tensor& weight) {
  TORCH_CHECK(self.scalar_type() == weight.scalar_type(), "Found dtype ", weight.scalar_type(),
              " but expected ", self.scalar_type());
  const Tensor undefined;
  auto iter =
      TensorIteratorConfig().add_output(undefined).add_const_input(self).add_const_input(weight).build();
  if (iter.device_type() != kMeta) prelu_stub(iter.device_type(), iter);
  return iter.output();
}

std::tuple<Tensor, Tensor> _prelu_kernel_backward(const Tensor& grad_output, const Tensor& self,
                                                  const Tensor& weight) {
  for (const Tensor* t : {&grad_output, &weight}) {
    TORCH_CHECK(t->scalar_type() == self.scalar_type(), "_prelu_kernel_backward: Found dtype ",
                t->scalar_type(), " but expected ", self.scalar_type());
  }
  const Tensor undefined;
  auto of_self = TensorIteratorConfig()
                     .add_output(undefined)
                     .add_const_input(self)
                     .add_const_input(weight)
                     .add_const_input(grad_output)
                     .build();
  auto of_weight =
      TensorIteratorConfig().add_output(undefined).add_const_input(self).add_const_input(grad_output).build();
  if (of_self.device_type() != kMeta) {
    prelu_backward_stub(of_self.device_type(), of_self);
    prelu_weight_backward_stub(of_weight.device_type(), of_weight);
  }
  return {of_self.output(), of_weight.output()};
}

// -------------------- glu

TORCH_IMPL_FUNC(glu_out)(const Tensor&, int64_t /*dim*/, const Tensor&) { glu_stub(device_type(), *this); }

namespace {

struct Halves {
  Tensor first, second;
};

Halves halves_of(const Tensor& self, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "glu does not support scalars because halving size must be even");
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(wrapped), half = size / 2;
  TORCH_CHECK(size % 2 == 0, "Halving dimension must be even, but dimension ", wrapped, " is size ", size);
  return {self.narrow(wrapped, 0, half), self.narrow(wrapped, half, half)};
}

}  // namespace

Tensor& glu_backward_out(const Tensor& grad_output, const Tensor& self, int64_t dim, Tensor& grad_input) {
  const Halves input = halves_of(self, dim);
  at::native::resize_output(grad_input, self.sizes());
  const Halves grad = halves_of(grad_input, dim);
  // The first half's gradient is that of the result by the logistic function of the second.
  auto of_first = TensorIteratorConfig()
                      .resize_outputs(false)
                      .add_output(grad.first)
                      .add_const_input(grad_output)
                      .add_const_input(input.second)
                      .build();
  auto of_second = TensorIteratorConfig()
                       .resize_outputs(false)
                       .add_output(grad.second)
                       .add_const_input(grad_output)
                       .add_const_input(input.first)
                       .add_const_input(input.second)
                       .build();
  if (of_first.device_type() != kMeta) {
    glu_stub(of_first.device_type(), of_first);
    glu_gate_backward_stub(of_second.device_type(), of_second);
  }
  return grad_input;
}

Tensor glu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim) {
  Tensor grad_input = at::empty({0}, self.options());
  return at::native::glu_backward_out(grad_output, self, dim, grad_input);
}

Tensor glu_jvp(const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim) {
  const Tensor second = halves_of(x, dim).second;
  const Halves change = halves_of(dx, dim);
  Tensor result = at::empty_like(glu);
  auto iter = TensorIteratorConfig()
                  .add_output(result)
                  .add_const_input(glu)
                  .add_const_input(second)
                  .add_const_input(change.first)
                  .add_const_input(change.second)
                  .build();
  if (iter.device_type() != kMeta) glu_jvp_stub(iter.device_type(), iter);
  return result;
}

// glu_backward is linear in the gradient; what its second tensor changes is made of the logistic function's
// derivatives.
Tensor glu_backward_jvp(const Tensor& /*grad_x*/, const Tensor& grad_glu, const Tensor& x,
                        const Tensor& dgrad_glu, const Tensor& dx, int64_t dim) {
  const Halves input = halves_of(x, dim), change = halves_of(dx, dim);
  const Tensor s = input.second.sigmoid(), slope = s.mul(at::rsub(s, 1));
  const Tensor bend = slope.mul(at::rsub(s.mul(2), 1));
  const Tensor of_first = change.second.mul(slope).mul(grad_glu);
  const Tensor of_second =
      change.first.mul(slope).add(change.second.mul(input.first).mul(bend)).mul(grad_glu);
  return at::glu_backward(dgrad_glu, x, dim).add(at::cat({of_first, of_second}, dim));
}

}  // namespace at::native
