// Comparison with scalars.
#include <ATen/Dispatch_v2.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/eq.h>
#include <ATen/ops/eq_native.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/ge_native.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/gt_native.h>
#include <ATen/ops/le.h>
#include <ATen/ops/le_native.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/lt_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/ne_native.h>

namespace at::native {

namespace {

// A scalar compared with integers: one that their dtype cannot represent is an error, rather than wrapping
// around.
Tensor comparand(const Tensor& self, const Scalar& other) {
  if (other.isIntegral(/*includeBool=*/false) && isIntegralType(self.scalar_type(), /*includeBool=*/false)) {
    AT_DISPATCH_V2(self.scalar_type(), "comparison", AT_WRAP([&] { (void)other.to<scalar_t>(); }),
                   AT_EXPAND(AT_INTEGRAL_TYPES), AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
  }
  return wrapped_scalar_tensor(other);
}

}  // namespace

#define COMPARE_WITH_SCALAR(op)                                                                       \
  Tensor op(const Tensor& self, const Scalar& other) { return at::op(self, comparand(self, other)); } \
  Tensor& op##_(Tensor& self, const Scalar& other) { return self.op##_(comparand(self, other)); }     \
  Tensor& op##_out(const Tensor& self, const Scalar& other, Tensor& result) {                         \
    return at::op##_outf(self, comparand(self, other), result);                                       \
  }

COMPARE_WITH_SCALAR(eq)
COMPARE_WITH_SCALAR(ne)
COMPARE_WITH_SCALAR(lt)
COMPARE_WITH_SCALAR(le)
COMPARE_WITH_SCALAR(gt)
COMPARE_WITH_SCALAR(ge)

#undef COMPARE_WITH_SCALAR

}  // namespace at::native
