// Scalars as 0-dim tensors. Defined in ops/, as they return at::Tensor.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>

namespace at::inline C10_ABI {

class Tensor;

namespace detail {
// A 0-dim tensor on the CPU, of the scalar's own dtype if none is given.
TORCH_API Tensor scalar_tensor_static(const Scalar& s, std::optional<ScalarType> dtype,
                                      std::optional<Device> device);
}  // namespace detail
}  // namespace at::inline C10_ABI

namespace c10::inline C10_ABI {
// On devices other than the CPU by at::scalar_tensor.
TORCH_API at::Tensor scalar_to_tensor(const Scalar& s, Device device = Device(DeviceType::CPU));
}  // namespace c10::inline C10_ABI

namespace at::native {
// A wrapped number: in type promotion its category counts, its width does not.
TORCH_API Tensor wrapped_scalar_tensor(const Scalar& scalar, Device device = Device(DeviceType::CPU));
}  // namespace at::native
