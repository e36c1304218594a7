// Scalars as 0-dim tensors (see ATen/ScalarOps.h).
#include <ATen/ScalarOps.h>

#include <ATen/Dispatch_v2.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/scalar_tensor.h>

namespace at::inline C10_ABI {
namespace detail {

Tensor scalar_tensor_static(const Scalar& s, std::optional<ScalarType> dtype, std::optional<Device> device) {
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(!device.has_value() || device->is_cpu());
  const ScalarType type = dtype.value_or(s.type());
  Tensor result(at::detail::empty_cpu({}, type));
  AT_DISPATCH_V2(type, "scalar_tensor",
                 AT_WRAP([&] { *static_cast<scalar_t*>(result.mutable_data_ptr()) = s.to<scalar_t>(); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool,
                 AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
  return result;
}

}  // namespace detail
}  // namespace at::inline C10_ABI

namespace c10::inline C10_ABI {

at::Tensor scalar_to_tensor(const Scalar& s, Device device) {
  if (device.is_cpu()) {
    return at::detail::scalar_tensor_static(s, s.type(), device);
  }
  return at::scalar_tensor(s, TensorOptions(device).dtype(s.type()));
}

}  // namespace c10::inline C10_ABI

namespace at::native {

Tensor wrapped_scalar_tensor(const Scalar& scalar, Device device) {
  Tensor result = c10::scalar_to_tensor(scalar, device);
  result.unsafeGetTensorImpl()->set_wrapped_number(true);
  return result;
}

}  // namespace at::native
