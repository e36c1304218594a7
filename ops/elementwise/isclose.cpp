// isclose and allclose.

#include <ATen/core/Tensor.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/all.h>
#include <ATen/ops/allclose_native.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/isclose.h>
#include <ATen/ops/isclose_native.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/item.h>
#include <ATen/ops/le.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>

namespace at::native {

// |self - other| <= atol + rtol * |other|, where both are finite; infinities are only close to themselves.
Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  TORCH_CHECK(self.scalar_type() == other.scalar_type(), self.scalar_type(), " did not match ",
              other.scalar_type());
  TORCH_CHECK(rtol >= 0, "rtol must be greater than or equal to zero, but got ", rtol);
  TORCH_CHECK(atol >= 0, "atol must be greater than or equal to zero, but got ", atol);
  Tensor close = at::eq(self, other);
  if (equal_nan && !isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    close.bitwise_or_(at::ne(self, self).bitwise_and_(at::ne(other, other)));
  }
  if (rtol == 0 && atol == 0) return close;
  // For integers rtol would be truncated to zero, and bool has no subtraction.
  const ScalarType default_dtype = c10::get_default_dtype_as_scalartype();
  const bool integral = isIntegralType(self.scalar_type(), /*includeBool=*/true);
  const Tensor a = self.scalar_type() == kBool ? self.to(default_dtype) : self;
  const Tensor b = integral ? other.to(default_dtype) : other;
  const Tensor allowed_error = at::abs(at::mul(b, rtol)).add_(atol);
  const Tensor actual_error = at::abs(at::sub(a, b));
  return close.bitwise_or_(at::isfinite(actual_error).bitwise_and_(at::le(actual_error, allowed_error)));
}

bool allclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  return at::all(at::isclose(self, other, rtol, atol, equal_nan)).item().toBool();
}

}  // namespace at::native
