// Resizing in place (see the header).
#include <ATen/native/Resize.h>

#include <ATen/EmptyTensor.h>
#include <ATen/ViewUtils.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>

#include <algorithm>

namespace at::native {

namespace {

bool has_geometry(const c10::TensorImpl* self, IntArrayRef size, OptionalIntArrayRef stride) {
  return self->sizes() == size && (!stride.has_value() || self->strides() == *stride);
}

// Bytes from the start of the storage to the end of the last element.
size_t needed_nbytes(const c10::TensorImpl* self, IntArrayRef size, OptionalIntArrayRef stride) {
  at::detail::check_size_nonnegative(size);
  const auto offset = static_cast<size_t>(self->storage_offset());
  return stride.has_value() ? at::detail::computeStorageNbytes(size, *stride, self->itemsize(), offset)
                            : at::detail::computeStorageNbytesContiguous(size, self->itemsize(), offset);
}

bool has_elements(IntArrayRef size) { return std::find(size.begin(), size.end(), 0) == size.end(); }

void set_geometry(c10::TensorImpl* self, IntArrayRef size, OptionalIntArrayRef stride) {
  if (stride.has_value()) {
    self->set_sizes_and_strides(size, *stride);
  } else {
    self->set_sizes_contiguous(size);
  }
}

}  // namespace

bool resize_output_check(const TensorBase& output, IntArrayRef shape) {
  if (output.sizes() == shape) return false;
  if (output.numel() != 0) {
    TORCH_WARN(
        "An output with one or more elements was resized since it had shape ", output.sizes(),
        ", which does not match the required output shape ", shape,
        ". This behavior is deprecated, and in a future release outputs will not be resized unless they have "
        "zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements "
        "with "
        "t.resize_(0).");
  }
  return true;
}

void restride(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides) {
  c10::TensorImpl* impl = self.unsafeGetTensorImpl();
  at::detail::checkInBoundsForStorage(sizes, strides, impl->storage_offset(), impl->itemsize(),
                                      impl->storage().nbytes());
  impl->set_sizes_and_strides(sizes, strides);
}

std::optional<c10::DimVector> strides_to_resize_to(const TensorBase& self, IntArrayRef size,
                                                   std::optional<MemoryFormat> memory_format) {
  TORCH_CHECK(!self.requires_grad(), "cannot resize variables that require grad");
  if (!memory_format.has_value()) return std::nullopt;
  TORCH_CHECK(*memory_format != MemoryFormat::Preserve, "Unsupported memory format ", *memory_format);
  return c10::strides_in_format(size, *memory_format);
}

void check_growth_of_shared_storage(const c10::TensorImpl* self, size_t new_nbytes) {
  const c10::Storage& storage = self->storage();
  // A storage of 0 bytes holds no elements of other tensors.
  if (storage.use_count() <= 1 || storage.nbytes() == 0) return;
  const auto offset = static_cast<size_t>(self->storage_offset());
  const size_t covered = self->numel() == 0 ? offset * self->itemsize()
                                            : at::detail::computeStorageNbytes(self->sizes(), self->strides(),
                                                                               self->itemsize(), offset);
  TORCH_CHECK(new_nbytes <= covered,
              "resize_(): a tensor that shares its storage with others cannot grow: it covers ", covered,
              " bytes of the storage and would take ", new_nbytes, ". Resize a clone of it instead.");
}

void resize_bytes_cpu(c10::StorageImpl* storage, size_t size_bytes) {
  TORCH_CHECK(storage->resizable(), "Trying to resize storage that is not resizable");
  c10::Allocator* allocator = storage->allocator() != nullptr ? storage->allocator() : c10::GetCPUAllocator();
  c10::DataPtr grown = allocator->allocate(size_bytes);
  const size_t kept = std::min(size_bytes, storage->nbytes());
  if (kept != 0) allocator->copy_data(grown.get(), storage->data(), kept);
  storage->set_data_ptr_noswap(std::move(grown));
  storage->set_nbytes(size_bytes);
}

c10::TensorImpl* resize_impl_cpu_(c10::TensorImpl* self, IntArrayRef size, OptionalIntArrayRef stride,
                                  bool resize_storage) {
  if (has_geometry(self, size, stride)) return self;
  const size_t nbytes = needed_nbytes(self, size, stride);
  if (resize_storage && has_elements(size)) {
    check_growth_of_shared_storage(self, nbytes);
    const c10::Storage& storage = self->unsafe_storage();
    if (!storage) {
      self->set_storage_keep_dtype(
          c10::Storage(c10::Storage::use_byte_size_t(), nbytes, c10::GetCPUAllocator(), /*resizable=*/true));
    } else if (nbytes > storage.nbytes()) {
      resize_bytes_cpu(storage.unsafeGetStorageImpl(), nbytes);
    }
  }
  set_geometry(self, size, stride);
  return self;
}

c10::TensorImpl* resize_impl_meta_(c10::TensorImpl* self, IntArrayRef size, OptionalIntArrayRef stride) {
  if (has_geometry(self, size, stride)) return self;
  const size_t nbytes = needed_nbytes(self, size, stride);
  if (has_elements(size) && nbytes > self->storage().nbytes()) {
    check_growth_of_shared_storage(self, nbytes);
    self->storage().set_nbytes(nbytes);
  }
  set_geometry(self, size, stride);
  return self;
}

}  // namespace at::native
