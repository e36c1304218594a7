// Resizing of tensors: the storage grows when it has to, and never shrinks. resize_output() and
// write_result(), which call operators, are defined in ops/copy/resize_output.cpp; the rest in Resize.cpp
// beside this file.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/MemoryFormat.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstddef>
#include <optional>

namespace at::inline C10_ABI {
class Tensor;
}

namespace at::native {

/// Whether an output must be resized to `shape`; warns when it has elements and another shape.
TORCH_API bool resize_output_check(const TensorBase& output, IntArrayRef shape);
/// Resizes an out= argument to `shape` through the operator resize_. Returns whether it had another shape.
TORCH_API bool resize_output(const Tensor& output, IntArrayRef shape);
/// Resizes an out= argument to `result` and copies it there. Throws, naming the operator `name`, when out's
/// dtype can't hold result's.
TORCH_API Tensor& write_result(const char* name, Tensor& out, const Tensor& result);
/// Sets other sizes and strides over the same memory, which must be large enough.
TORCH_API void restride(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides);

/// The strides that resize_ gives self; none where a change of sizes makes it contiguous. Throws for what
/// resize_ accepts on no device.
TORCH_API std::optional<c10::DimVector> strides_to_resize_to(const TensorBase& self, IntArrayRef size,
                                                             std::optional<MemoryFormat> memory_format);

/// Gives self this geometry (contiguous without `stride`) and its storage enough bytes. Throws, leaving self
/// as it was, when the size overflows or when growing would reach elements of other tensors that share the
/// storage. A storage grows by its own allocator, so that this works on other devices, too.
TORCH_API c10::TensorImpl* resize_impl_cpu_(c10::TensorImpl* self, IntArrayRef size,
                                            OptionalIntArrayRef stride, bool resize_storage = true);
/// The same for a storage that has a size but no memory.
TORCH_API c10::TensorImpl* resize_impl_meta_(c10::TensorImpl* self, IntArrayRef size,
                                             OptionalIntArrayRef stride);

/// Reallocates a storage to `size_bytes` by its allocator, which also copies as many bytes as fit: it works
/// on other devices, too, under their guard.
TORCH_API void resize_bytes_cpu(c10::StorageImpl* storage, size_t size_bytes);

/// Throws when self, resized to end at byte `new_nbytes` of its storage, would reach memory beyond its
/// present end that other tensors share.
TORCH_API void check_growth_of_shared_storage(const c10::TensorImpl* self, size_t new_nbytes);

}  // namespace at::native
