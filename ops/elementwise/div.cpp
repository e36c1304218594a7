// Division with and without rounding, and remainders.
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/elementwise/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/div.h>
#include <ATen/ops/div_native.h>
#include <ATen/ops/floor_divide.h>
#include <ATen/ops/floor_divide_native.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/fmod_native.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/remainder_native.h>

namespace at::native {

DEFINE_DISPATCH(div_trunc_stub);
DEFINE_DISPATCH(div_floor_stub);

// -------------------- with a rounding mode

TORCH_IMPL_FUNC(div_out_mode)
(const Tensor& self, const Tensor& other, std::optional<c10::string_view> rounding_mode, const Tensor& out) {
  if (!rounding_mode.has_value()) {
    // The meta function has promoted to floating and set up `out`: this is plain division.
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

// -------------------- with scalars

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

Tensor fmod(const Tensor& self, const Scalar& other) { return at::fmod(self, wrapped_scalar_tensor(other)); }
Tensor& fmod_(Tensor& self, const Scalar& other) { return self.fmod_(wrapped_scalar_tensor(other)); }
Tensor& fmod_out(const Tensor& self, const Scalar& other, Tensor& result) {
  return at::fmod_outf(self, wrapped_scalar_tensor(other), result);
}

}  // namespace at::native
