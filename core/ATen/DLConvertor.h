// Tensors to and from DLPack, without copying.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/dlpack.h>
#include <c10/macros/Macros.h>

namespace at::inline C10_ABI {

/// BufferError for types and devices that DLPack can't express.
TORCH_API DLDataType getDLDataType(const TensorBase& t);
TORCH_API ScalarType toScalarType(const DLDataType& dtype);
TORCH_API DLDevice torchDeviceToDLDevice(Device device);
TORCH_API Device dlDeviceToTorchDevice(const DLDevice& device);

/// A struct that shares the tensor's memory; its consumer calls the deleter, from any thread. BufferError for
/// read-only memory, which the unversioned form can't mark.
TORCH_API DLManagedTensor* toDLPack(const TensorBase& src);
/// The versioned form, with flags; read-only memory is marked. `is_copied`: the memory is owned by the
/// consumer alone.
TORCH_API DLManagedTensorVersioned* toDLPackVersioned(const TensorBase& src, bool is_copied = false);

/// A tensor over the struct's memory. Ownership passes in every case: the deleter runs when the memory is no
/// longer used, or before an error is thrown (BufferError for what can't be represented: negative strides,
/// misaligned data, unknown types and devices, another major version).
TORCH_API TensorBase fromDLPack(DLManagedTensor* src);
/// Memory marked read-only stays so: a kernel that would write to it gets an error.
TORCH_API TensorBase fromDLPackVersioned(DLManagedTensorVersioned* src);

}  // namespace at::inline C10_ABI
