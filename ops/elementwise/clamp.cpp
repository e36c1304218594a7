// clamp, clamp_max and clamp_min.
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/elementwise/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/clamp_max_native.h>
#include <ATen/ops/clamp_min_native.h>
#include <ATen/ops/clamp_native.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

namespace at::native {

DEFINE_DISPATCH(clamp_stub);
DEFINE_DISPATCH(clamp_scalar_stub);

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

// -------------------- one bound

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

}  // namespace at::native
