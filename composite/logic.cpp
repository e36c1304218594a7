// Comparison and logic with numbers, where, and tests for special values.
#include <ATen/Dispatch_v2.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>

#include <limits>

#include <ATen/ops/abs.h>
#include <ATen/ops/all.h>
#include <ATen/ops/any.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_and_native.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/bitwise_or_native.h>
#include <ATen/ops/bitwise_xor.h>
#include <ATen/ops/bitwise_xor_native.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/eq_native.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/ge_native.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/gt_native.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isfinite_native.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isinf_native.h>
#include <ATen/ops/isnan_native.h>
#include <ATen/ops/le.h>
#include <ATen/ops/le_native.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/lt_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/ne_native.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unbind.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/where.h>
#include <ATen/ops/where_native.h>

namespace at::native {

DEFINE_DISPATCH(where_kernel);

namespace {

// A number as an operand of a comparison with integers: one that their dtype cannot hold is an error, not
// another number.
Tensor comparand(const Tensor& self, const Scalar& other) {
  if (other.isIntegral(/*includeBool=*/false) && isIntegralType(self.scalar_type(), /*includeBool=*/false)) {
    AT_DISPATCH_V2(self.scalar_type(), "comparison", AT_WRAP([&] { (void)other.to<scalar_t>(); }),
                   AT_EXPAND(AT_INTEGRAL_TYPES), AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
  }
  return wrapped_scalar_tensor(other);
}

}  // namespace

// -------------------- comparison with numbers

#define COMPARE_WITH_NUMBER(op)                                                                       \
  Tensor op(const Tensor& self, const Scalar& other) { return at::op(self, comparand(self, other)); } \
  Tensor& op##_(Tensor& self, const Scalar& other) { return self.op##_(comparand(self, other)); }     \
  Tensor& op##_out(const Tensor& self, const Scalar& other, Tensor& result) {                         \
    return at::op##_outf(self, comparand(self, other), result);                                       \
  }

COMPARE_WITH_NUMBER(eq)
COMPARE_WITH_NUMBER(ne)
COMPARE_WITH_NUMBER(lt)
COMPARE_WITH_NUMBER(le)
COMPARE_WITH_NUMBER(gt)
COMPARE_WITH_NUMBER(ge)

#undef COMPARE_WITH_NUMBER

// -------------------- bitwise with numbers

#define BITWISE_WITH_NUMBER(op)                                                                             \
  Tensor op(const Tensor& self, const Scalar& other) { return at::op(self, wrapped_scalar_tensor(other)); } \
  Tensor op(const Scalar& self, const Tensor& other) { return at::op(wrapped_scalar_tensor(self), other); } \
  Tensor& op##_(Tensor& self, const Scalar& other) { return self.op##_(wrapped_scalar_tensor(other)); }     \
  Tensor& op##_out(const Tensor& self, const Scalar& other, Tensor& result) {                               \
    return at::op##_outf(self, wrapped_scalar_tensor(other), result);                                       \
  }

BITWISE_WITH_NUMBER(bitwise_and)
BITWISE_WITH_NUMBER(bitwise_or)
BITWISE_WITH_NUMBER(bitwise_xor)

#undef BITWISE_WITH_NUMBER

// -------------------- where

namespace {

Tensor as_condition(const Tensor& condition) {
  if (condition.scalar_type() == kByte) {
    TORCH_WARN_ONCE(
        "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a "
        "future version. "
        "Use a boolean condition instead.");
    return condition.to(kBool);
  }
  TORCH_CHECK(condition.scalar_type() == kBool,
              "where expected condition to be a boolean tensor, but got a tensor with dtype ",
              condition.scalar_type());
  return condition;
}

// A 0-dim tensor on the CPU goes along with tensors on another device.
Tensor as_choice(const Tensor& t, ScalarType dtype, Device device) {
  const bool moves = t.device() != device && t.dim() == 0 && t.is_cpu();
  if (!moves && t.scalar_type() == dtype) {
    return t;
  }
  return moves ? t.to(device, dtype) : t.to(dtype);
}

Device common_device(const Tensor& condition, const Tensor& self, const Tensor& other) {
  for (const Tensor* t : {&condition, &self, &other}) {
    if (!t->is_cpu()) {
      return t->device();
    }
  }
  return kCPU;
}

// Into `out` or, if it is undefined, into a new tensor.
Tensor choose(const Tensor& condition, const Tensor& self, const Tensor& other, const Tensor& out) {
  const ScalarType dtype = promoted_type(self, other);
  TORCH_CHECK(!out.defined() || out.scalar_type() == dtype, "Expected out type to be ", dtype, " but got ",
              out.scalar_type());
  const Device device = common_device(condition, self, other);
  const Tensor mask = as_choice(as_condition(condition), kBool, device);
  const Tensor a = as_choice(self, dtype, device);
  const Tensor b = as_choice(other, dtype, device);
  TensorIteratorConfig config;
  config.check_all_same_dtype(false).declare_static_dtype(dtype);
  config.add_output(out).add_const_input(mask).add_const_input(a).add_const_input(b);
  auto iter = config.build();
  if (iter.device_type() != kMeta) {
    where_kernel(iter.device_type(), iter);
  }
  return iter.output();
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  const Tensor undefined;
  return choose(condition, self, other, undefined);
}

Tensor& where_self_out(const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) {
  choose(condition, self, other, out);
  return out;
}

Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return at::where(condition, wrapped_scalar_tensor(self), other);
}

Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return at::where(condition, self, wrapped_scalar_tensor(other));
}

Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other) {
  return at::where(condition, wrapped_scalar_tensor(self), wrapped_scalar_tensor(other));
}

// The positions of the true elements, one tensor for each dimension.
std::vector<Tensor> where(const Tensor& condition) {
  const Tensor with_dims = condition.dim() == 0 ? condition.unsqueeze(0) : condition;
  return at::unbind(at::nonzero(with_dims), 1);
}

// -------------------- special values

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
  // Not true for NaN either.
  return at::lt(at::abs(self), std::numeric_limits<double>::infinity());
}

}  // namespace at::native
