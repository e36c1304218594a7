// where, and lerp with one weight for all elements.
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/native/elementwise/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/lerp_native.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unbind.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/where.h>
#include <ATen/ops/where_native.h>

namespace at::native {

DEFINE_DISPATCH(where_kernel);
DEFINE_DISPATCH(lerp_scalar_stub);

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

// A 0-dim tensor on the CPU is accepted beside tensors on another device.
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

// The indices of the true elements, one tensor per dimension.
std::vector<Tensor> where(const Tensor& condition) {
  const Tensor with_dims = condition.dim() == 0 ? condition.unsqueeze(0) : condition;
  return at::unbind(at::nonzero(with_dims), 1);
}

// -------------------- lerp

TORCH_IMPL_FUNC(lerp_Scalar)(const Tensor&, const Tensor&, const Scalar& weight, const Tensor&) {
  lerp_scalar_stub(device_type(), *this, weight);
}

}  // namespace at::native
