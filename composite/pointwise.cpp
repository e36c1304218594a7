// Entry points of elementwise operators that are not generated from a functor, and operators with a Scalar
// argument, which become 0-dim tensors that do not take part in type promotion as tensors do.
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/add_native.h>
#include <ATen/ops/clamp_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/div.h>
#include <ATen/ops/div_native.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/floor_divide.h>
#include <ATen/ops/floor_divide_native.h>
#include <ATen/ops/gelu_native.h>
#include <ATen/ops/lerp_native.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mul_native.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/pow_native.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/remainder_native.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/rsub_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sub_native.h>

namespace at::native {

DEFINE_DISPATCH(div_trunc_stub);
DEFINE_DISPATCH(div_floor_stub);
DEFINE_DISPATCH(pow_tensor_tensor_stub);
DEFINE_DISPATCH(pow_tensor_scalar_stub);
DEFINE_DISPATCH(clamp_stub);
DEFINE_DISPATCH(clamp_scalar_stub);
DEFINE_DISPATCH(GeluKernel);
DEFINE_DISPATCH(lerp_scalar_stub);

// -------------------- arithmetic with numbers

Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return at::add(self, wrapped_scalar_tensor(other), alpha);
}
Tensor& add_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.add_(wrapped_scalar_tensor(other), alpha);
}
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return at::sub(self, wrapped_scalar_tensor(other), alpha);
}
Tensor& sub_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub_(wrapped_scalar_tensor(other), alpha);
}
Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return at::sub(other, self, alpha);
}
Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return at::rsub(self, wrapped_scalar_tensor(other), alpha);
}
Tensor mul(const Tensor& self, const Scalar& other) { return at::mul(self, wrapped_scalar_tensor(other)); }
Tensor& mul_(Tensor& self, const Scalar& other) { return self.mul_(wrapped_scalar_tensor(other)); }
Tensor div(const Tensor& self, const Scalar& other) { return at::div(self, wrapped_scalar_tensor(other)); }
Tensor& div_(Tensor& self, const Scalar& other) { return self.div_(wrapped_scalar_tensor(other)); }
Tensor div(const Tensor& self, const Scalar& other, std::optional<c10::string_view> rounding_mode) {
  return at::div(self, wrapped_scalar_tensor(other), rounding_mode);
}
Tensor& div_(Tensor& self, const Scalar& other, std::optional<c10::string_view> rounding_mode) {
  return self.div_(wrapped_scalar_tensor(other), rounding_mode);
}
Tensor floor_divide(const Tensor& self, const Scalar& other) {
  return at::floor_divide(self, wrapped_scalar_tensor(other));
}
Tensor& floor_divide_(Tensor& self, const Scalar& other) {
  return self.floor_divide_(wrapped_scalar_tensor(other));
}
Tensor remainder(const Tensor& self, const Scalar& other) {
  return at::remainder(self, wrapped_scalar_tensor(other));
}
Tensor& remainder_(Tensor& self, const Scalar& other) {
  return self.remainder_(wrapped_scalar_tensor(other));
}
Tensor& remainder_out(const Tensor& self, const Scalar& other, Tensor& result) {
  return at::remainder_outf(self, wrapped_scalar_tensor(other), result);
}
Tensor remainder(const Scalar& self, const Tensor& other) {
  return at::remainder(wrapped_scalar_tensor(self), other);
}

// -------------------- division with rounding

TORCH_IMPL_FUNC(div_out_mode)
(const Tensor& self, const Tensor& other, std::optional<c10::string_view> rounding_mode, const Tensor& out) {
  if (!rounding_mode.has_value()) {
    // The shape function has promoted to floating and given `out` its shape: this is the plain division.
    Tensor result = out;
    at::div_outf(self, other, result);
  } else if (*rounding_mode == "trunc") {
    div_trunc_stub(device_type(), *this);
  } else {
    div_floor_stub(device_type(), *this);
  }
}

Tensor& floor_divide_out(const Tensor& self, const Tensor& other, Tensor& result) {
  auto iter = TensorIterator::borrowing_binary_op(result, self, other);
  if (iter.device_type() != kMeta) {
    div_floor_stub(iter.device_type(), iter);
  }
  return result;
}

Tensor floor_divide(const Tensor& self, const Tensor& other) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, self, other);
  if (iter.device_type() != kMeta) {
    div_floor_stub(iter.device_type(), iter);
  }
  return iter.output();
}

Tensor& floor_divide_(Tensor& self, const Tensor& other) {
  return at::native::floor_divide_out(self, other, self);
}

// -------------------- pow

TORCH_IMPL_FUNC(pow_Tensor_Tensor_out)(const Tensor&, const Tensor&, const Tensor&) {
  pow_tensor_tensor_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(pow_Tensor_Scalar_out)(const Tensor& base, const Scalar& exponent, const Tensor& out) {
  const bool is_real = !exponent.isComplex();
  if (is_real && exponent.toDouble() == 0) {
    out.fill_(1);
  } else if (is_real && exponent.toDouble() == 1) {
    out.copy_(base);
  } else {
    pow_tensor_scalar_stub(device_type(), *this, exponent);
  }
}

TORCH_IMPL_FUNC(pow_Scalar_out)(const Scalar& base, const Tensor& exponent, const Tensor& out) {
  if (base.equal(1.0)) {
    out.fill_(1);
  } else {
    Tensor result = out;
    at::pow_outf(wrapped_scalar_tensor(base), exponent, result);
  }
}

// -------------------- clamp

TORCH_IMPL_FUNC(clamp_out)
(const Tensor&, OptionalScalarRef min, OptionalScalarRef max, const Tensor& result) {
  const auto is_nan = [](const OptionalScalarRef& bound) {
    return bound.has_value() && bound->isFloatingPoint() && bound->toDouble() != bound->toDouble();
  };
  if (is_nan(min) || is_nan(max)) {
    result.fill_(is_nan(min) ? *min : *max);
    return;
  }
  clamp_scalar_stub(device_type(), *this, min.has_value() ? &*min : nullptr,
                    max.has_value() ? &*max : nullptr);
}

TORCH_IMPL_FUNC(clamp_Tensor_out)
(const Tensor& self, OptionalTensorRef min, OptionalTensorRef max, const Tensor& out) {
  Tensor result = out;
  if (min.has_value() && max.has_value()) {
    clamp_stub(device_type(), *this);
  } else if (min.has_value()) {
    at::maximum_outf(self, *min, result);
  } else {
    at::minimum_outf(self, *max, result);
  }
}

// -------------------- lerp

TORCH_IMPL_FUNC(lerp_Scalar)(const Tensor&, const Tensor&, const Scalar& weight, const Tensor&) {
  lerp_scalar_stub(device_type(), *this, weight);
}

// -------------------- gelu

namespace {

GeluType gelu_type(c10::string_view approximate) {
  return approximate == "tanh" ? GeluType::Tanh : GeluType::None;
}

}  // namespace

TORCH_IMPL_FUNC(gelu_out_cpu)(const Tensor&, c10::string_view approximate, const Tensor&) {
  GeluKernel(kCPU, *this, gelu_type(approximate));
}

}  // namespace at::native
