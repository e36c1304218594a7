// isnan, isinf and other predicates.
#include <ATen/core/Tensor.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isfinite_native.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isinf_native.h>
#include <ATen/ops/isnan_native.h>
#include <ATen/ops/isreal_native.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

#include <limits>

namespace at::native {

namespace {

// Real (0) or imaginary (1) part; a view.
Tensor part_of(const Tensor& self, int64_t part) {
  return self.unsqueeze(-1).view(c10::toRealValueType(self.scalar_type())).select(-1, part);
}

}  // namespace

Tensor isnan(const Tensor& self) { return at::ne(self, self); }

Tensor isinf(const Tensor& self) {
  if (isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    return at::full_like(self, false, kBool);
  }
  if (self.is_complex()) {
    return at::isinf(part_of(self, 0)).bitwise_or_(at::isinf(part_of(self, 1)));
  }
  return at::eq(at::abs(self), std::numeric_limits<double>::infinity());
}

Tensor isfinite(const Tensor& self) {
  if (isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    return at::full_like(self, true, kBool);
  }
  if (self.is_complex()) {
    return at::isfinite(part_of(self, 0)).bitwise_and_(at::isfinite(part_of(self, 1)));
  }
  // False for NaN, too.
  return at::lt(at::abs(self), std::numeric_limits<double>::infinity());
}

Tensor isreal(const Tensor& self) {
  return self.is_complex() ? at::eq(at::imag(self), 0) : at::ones_like(self, kBool);
}

}  // namespace at::native
