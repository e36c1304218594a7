// Entry points of elementwise operators beside arithmetic: those with modes, of several operators, and with a
// number as one operand.
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/ElementwiseOps.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/angle.h>
#include <ATen/ops/angle_native.h>
#include <ATen/ops/clamp_max_native.h>
#include <ATen/ops/clamp_min_native.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/copysign_native.h>
#include <ATen/ops/deg2rad_native.h>
#include <ATen/ops/digamma.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/fmod_native.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/isreal_native.h>
#include <ATen/ops/ldexp.h>
#include <ATen/ops/ldexp_native.h>
#include <ATen/ops/logit.h>
#include <ATen/ops/logit_backward_native.h>
#include <ATen/ops/logit_native.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/nan_to_num_native.h>
#include <ATen/ops/nextafter_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/polygamma.h>
#include <ATen/ops/polygamma_native.h>
#include <ATen/ops/positive_native.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rad2deg_native.h>
#include <ATen/ops/round_native.h>
#include <ATen/ops/special_ndtr_native.h>
#include <ATen/ops/special_polygamma_native.h>
#include <ATen/ops/special_xlog1py.h>
#include <ATen/ops/special_xlog1py_native.h>
#include <ATen/ops/square_native.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/xlogy_native.h>

namespace at::native {

DEFINE_DISPATCH(round_decimals_stub);
DEFINE_DISPATCH(nextafter_stub);
DEFINE_DISPATCH(polygamma_stub);
DEFINE_DISPATCH(angle_stub);
DEFINE_DISPATCH(nan_to_num_stub);
DEFINE_DISPATCH(logit_stub);
DEFINE_DISPATCH(logit_backward_stub);

namespace {

void run_unless_meta(TensorIterator& iter, const auto& stub_call) {
  if (iter.device_type() != kMeta) stub_call(iter.device_type());
}

}  // namespace

// -------------------- with a number as one operand

Tensor fmod(const Tensor& self, const Scalar& other) { return at::fmod(self, wrapped_scalar_tensor(other)); }
Tensor& fmod_(Tensor& self, const Scalar& other) { return self.fmod_(wrapped_scalar_tensor(other)); }
Tensor& fmod_out(const Tensor& self, const Scalar& other, Tensor& result) {
  return at::fmod_outf(self, wrapped_scalar_tensor(other), result);
}

Tensor copysign(const Tensor& self, const Scalar& other) {
  return at::copysign(self, wrapped_scalar_tensor(other));
}
Tensor& copysign_(Tensor& self, const Scalar& other) { return self.copysign_(wrapped_scalar_tensor(other)); }
Tensor& copysign_out(const Tensor& self, const Scalar& other, Tensor& result) {
  return at::copysign_outf(self, wrapped_scalar_tensor(other), result);
}

#define NUMBER_WITH_TENSOR(name)                                                \
  Tensor name(const Scalar& self, const Tensor& other) {                        \
    return at::name(wrapped_scalar_tensor(self), other);                        \
  }                                                                             \
  Tensor name(const Tensor& self, const Scalar& other) {                        \
    return at::name(self, wrapped_scalar_tensor(other));                        \
  }                                                                             \
  Tensor& name##_out(const Scalar& self, const Tensor& other, Tensor& result) { \
    return at::name##_outf(wrapped_scalar_tensor(self), other, result);         \
  }                                                                             \
  Tensor& name##_out(const Tensor& self, const Scalar& other, Tensor& result) { \
    return at::name##_outf(self, wrapped_scalar_tensor(other), result);         \
  }

NUMBER_WITH_TENSOR(xlogy)
NUMBER_WITH_TENSOR(special_xlog1py)
#undef NUMBER_WITH_TENSOR

Tensor& xlogy_(Tensor& self, const Scalar& other) { return self.xlogy_(wrapped_scalar_tensor(other)); }

// -------------------- rounding, neighbours

TORCH_IMPL_FUNC(round_decimals_out)(const Tensor&, int64_t decimals, const Tensor&) {
  round_decimals_stub(device_type(), *this, decimals);
}

TORCH_IMPL_FUNC(nextafter_out)(const Tensor&, const Tensor&, const Tensor&) {
  nextafter_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(polygamma_out)(int64_t n, const Tensor& self, const Tensor& out) {
  if (n == 0) {
    Tensor result = out;
    at::digamma_outf(self, result);
  } else {
    polygamma_stub(device_type(), *this, n);
  }
}

Tensor& polygamma_(Tensor& self, int64_t n) { return at::polygamma_outf(n, self, self); }
Tensor special_polygamma(int64_t n, const Tensor& self) { return at::polygamma(n, self); }
Tensor& special_polygamma_out(int64_t n, const Tensor& self, Tensor& result) {
  return at::polygamma_outf(n, self, result);
}

// -------------------- bounds

TORCH_IMPL_FUNC(clamp_max_out)(const Tensor&, const Scalar& max, const Tensor& result) {
  if (max.isFloatingPoint() && max.toDouble() != max.toDouble()) {
    result.fill_(max);
  } else {
    clamp_scalar_stub(device_type(), *this, nullptr, &max);
  }
}
TORCH_IMPL_FUNC(clamp_min_out)(const Tensor&, const Scalar& min, const Tensor& result) {
  if (min.isFloatingPoint() && min.toDouble() != min.toDouble()) {
    result.fill_(min);
  } else {
    clamp_scalar_stub(device_type(), *this, &min, nullptr);
  }
}
TORCH_IMPL_FUNC(clamp_max_Tensor_out)(const Tensor& self, const Tensor& max, const Tensor& out) {
  Tensor result = out;
  at::minimum_outf(self, max, result);
}
TORCH_IMPL_FUNC(clamp_min_Tensor_out)(const Tensor& self, const Tensor& min, const Tensor& out) {
  Tensor result = out;
  at::maximum_outf(self, min, result);
}

// -------------------- angles

Tensor& angle_out(const Tensor& self, Tensor& result) {
  TensorIterator iter;
  if (self.is_complex()) {
    const ScalarType real = c10::toRealValueType(self.scalar_type());
    TORCH_CHECK(canCast(real, result.scalar_type()), "result type ", real,
                " can't be cast to the desired output type ", result.scalar_type());
    TensorIteratorConfig config;
    config.check_all_same_dtype(false).cast_to_outputs_from(real);
    iter = config.add_output(result).add_const_input(self).build();
  } else {
    iter = TensorIterator::unary_float_op(result, self);
  }
  run_unless_meta(iter, [&](DeviceType device) { angle_stub(device, iter); });
  return result;
}

Tensor angle(const Tensor& self) {
  const ScalarType dtype = self.is_complex() ? c10::toRealValueType(self.scalar_type())
                           : isIntegralType(self.scalar_type(), /*includeBool=*/true)
                               ? typeMetaToScalarType(c10::get_default_dtype())
                               : self.scalar_type();
  Tensor result = at::empty({0}, self.options().dtype(dtype));
  return at::angle_outf(self, result);
}

namespace {

Tensor angle_factor(const Tensor& self, double factor, const char* name) {
  TORCH_CHECK(!self.is_complex(), name, " is not supported for complex tensors.");
  return wrapped_scalar_tensor(factor);
}

constexpr double degrees_of_radian = 57.295779513082320877, radians_of_degree = 0.017453292519943295769;

}  // namespace

Tensor rad2deg(const Tensor& self) { return at::mul(self, angle_factor(self, degrees_of_radian, "rad2deg")); }
Tensor& rad2deg_(Tensor& self) { return self.mul_(angle_factor(self, degrees_of_radian, "rad2deg")); }
Tensor& rad2deg_out(const Tensor& self, Tensor& result) {
  return at::mul_outf(self, angle_factor(self, degrees_of_radian, "rad2deg"), result);
}
Tensor deg2rad(const Tensor& self) { return at::mul(self, angle_factor(self, radians_of_degree, "deg2rad")); }
Tensor& deg2rad_(Tensor& self) { return self.mul_(angle_factor(self, radians_of_degree, "deg2rad")); }
Tensor& deg2rad_out(const Tensor& self, Tensor& result) {
  return at::mul_outf(self, angle_factor(self, radians_of_degree, "deg2rad"), result);
}

// -------------------- NaN and infinities

Tensor& nan_to_num_out(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                       std::optional<double> neginf, Tensor& result) {
  TORCH_CHECK(self.scalar_type() == result.scalar_type(), "nan_to_num: dtype of out: ", result.scalar_type(),
              " should be same as input: ", self.scalar_type());
  if (isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    at::native::resize_output(result, self.sizes());
    return result.copy_(self);
  }
  if (self.is_complex()) {
    at::native::resize_output(result, self.sizes());
    Tensor parts = at::view_as_real(result);
    at::nan_to_num_outf(at::view_as_real(self), nan, posinf, neginf, parts);
    return result;
  }
  auto iter = TensorIterator::unary_op(result, self);
  run_unless_meta(
      iter, [&](DeviceType device) { nan_to_num_stub(device, iter, Replacements{nan, posinf, neginf}); });
  return result;
}

Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  Tensor result = at::empty_like(self);
  return at::nan_to_num_outf(self, nan, posinf, neginf, result);
}

Tensor& nan_to_num_(Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                    std::optional<double> neginf) {
  return at::nan_to_num_outf(self, nan, posinf, neginf, self);
}

// -------------------- logit

Tensor& logit_out(const Tensor& self, std::optional<double> eps, Tensor& result) {
  auto iter = TensorIterator::unary_float_op(result, self);
  run_unless_meta(iter, [&](DeviceType device) { logit_stub(device, iter, eps); });
  return result;
}

Tensor logit(const Tensor& self, std::optional<double> eps) {
  Tensor result;
  auto iter = TensorIterator::unary_float_op(result, self);
  run_unless_meta(iter, [&](DeviceType device) { logit_stub(device, iter, eps); });
  return iter.output();
}

Tensor& logit_(Tensor& self, std::optional<double> eps) { return at::logit_outf(self, eps, self); }

TORCH_IMPL_FUNC(logit_backward_out)
(const Tensor&, const Tensor&, std::optional<double> eps, const Tensor&) {
  logit_backward_stub(device_type(), *this, eps);
}

// -------------------- by other operators

Tensor square(const Tensor& self) { return at::pow(self, 2); }
Tensor& square_(Tensor& self) { return self.pow_(2); }
Tensor& square_out(const Tensor& self, Tensor& result) { return at::pow_outf(self, 2, result); }

Tensor ldexp(const Tensor& self, const Tensor& other) { return at::mul(self, at::pow(2.0, other)); }
Tensor& ldexp_(Tensor& self, const Tensor& other) { return at::ldexp_outf(self, other, self); }
Tensor& ldexp_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return at::mul_outf(self, at::pow(2.0, other), result);
}

Tensor positive(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

Tensor isreal(const Tensor& self) {
  return self.is_complex() ? at::eq(at::imag(self), 0) : at::ones_like(self, kBool);
}

namespace {

// erfc keeps the digits of the lower tail, where 1 + erf has none.
Tensor normal_distribution(const Tensor& self) {
  return at::mul(at::erfc(at::mul(self, -0.70710678118654752440)), 0.5);
}

}  // namespace

Tensor special_ndtr(const Tensor& self) { return normal_distribution(self); }
Tensor& special_ndtr_out(const Tensor& self, Tensor& result) {
  const Tensor values = normal_distribution(self);
  TORCH_CHECK(canCast(values.scalar_type(), result.scalar_type()), "result type ", values.scalar_type(),
              " can't be cast to the desired output type ", result.scalar_type());
  at::native::resize_output(result, values.sizes());
  return result.copy_(values);
}

}  // namespace at::native
