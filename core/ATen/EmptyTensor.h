// Tensors with fresh, uninitialised memory, and the checked arithmetic of their sizes.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Allocator.h>
#include <c10/core/TensorOptions.h>

#include <optional>

namespace at::inline C10_ABI {
namespace detail {

/// Throws an error that shows all sizes if one is negative.
TORCH_API void check_size_nonnegative(IntArrayRef sizes);
inline void check_size_nonnegative(c10::SymIntArrayRef sizes) {
  check_size_nonnegative(c10::asIntArrayRefUnchecked(sizes));
}

/// Product of the sizes; an error if one is negative or the product doesn't fit in 63 bits.
TORCH_API int64_t checked_numel(IntArrayRef sizes);
/// Bytes of contiguous storage; an error if they don't fit in 63 bits.
TORCH_API size_t computeStorageNbytesContiguous(IntArrayRef sizes, size_t itemsize,
                                                size_t storage_offset = 0);
/// Bytes from the beginning of the storage to the end of the last element; strides must not be negative.
TORCH_API size_t computeStorageNbytes(IntArrayRef sizes, IntArrayRef strides, size_t itemsize,
                                      size_t storage_offset = 0);
/// An error unless a tensor of this geometry lies wholly within `storage_nbytes`: for as_strided and the
/// like.
TORCH_API void checkInBoundsForStorage(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                                       size_t itemsize, size_t storage_nbytes);

TORCH_API TensorBase empty_generic(IntArrayRef size, c10::Allocator* allocator, c10::DispatchKeySet ks,
                                   ScalarType scalar_type, std::optional<MemoryFormat> memory_format);
TORCH_API TensorBase empty_strided_generic(IntArrayRef size, IntArrayRef stride, c10::Allocator* allocator,
                                           c10::DispatchKeySet ks, ScalarType scalar_type);

/// On any device, through its allocator, under the device guard.
TORCH_API TensorBase empty_device(IntArrayRef size, ScalarType dtype, Device device,
                                  std::optional<MemoryFormat> memory_format = std::nullopt);
TORCH_API TensorBase empty_strided_device(IntArrayRef size, IntArrayRef stride, ScalarType dtype,
                                          Device device);

/// Contiguous, with the sizes and device of `like`, which is contiguous and has memory.
TORCH_API TensorBase empty_contiguous_like(const TensorImpl& like, ScalarType dtype);

TORCH_API TensorBase empty_cpu(IntArrayRef size, ScalarType dtype, bool pin_memory = false,
                               std::optional<MemoryFormat> memory_format = std::nullopt);
TORCH_API TensorBase empty_cpu(IntArrayRef size, std::optional<ScalarType> dtype,
                               std::optional<Layout> layout, std::optional<Device> device,
                               std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format);
TORCH_API TensorBase empty_cpu(IntArrayRef size, const TensorOptions& options);
/// Zeroed memory; large blocks come zeroed from the system and aren't written.
TORCH_API TensorBase zeros_cpu(IntArrayRef size, ScalarType dtype);
TORCH_API TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, ScalarType dtype,
                                       bool pin_memory = false);
TORCH_API TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                                       std::optional<Layout> layout, std::optional<Device> device,
                                       std::optional<bool> pin_memory);

TORCH_API TensorBase empty_meta(IntArrayRef size, ScalarType dtype,
                                std::optional<MemoryFormat> memory_format = std::nullopt);
TORCH_API TensorBase empty_meta(IntArrayRef size, std::optional<ScalarType> dtype,
                                std::optional<Layout> layout, std::optional<Device> device,
                                std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format);
TORCH_API TensorBase empty_strided_meta(IntArrayRef size, IntArrayRef stride, ScalarType dtype);

}  // namespace detail
}  // namespace at::inline C10_ABI
