// angle, rad2deg and deg2rad.
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/elementwise/stubs.h>

#include <ATen/ops/angle.h>
#include <ATen/ops/angle_native.h>
#include <ATen/ops/deg2rad_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rad2deg_native.h>

namespace at::native {

DEFINE_DISPATCH(angle_stub);

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
  if (iter.device_type() != kMeta) angle_stub(iter.device_type(), iter);
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

}  // namespace at::native
