#include <ATen/EmptyTensor.h>
#include <ATen/FromBlob.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/DeviceInterface.h>
#include <c10/util/strides.h>

#include <utility>

namespace at::inline C10_ABI::detail {

TensorBase tensor_over(c10::DataPtr&& data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                       ScalarType dtype) {
  const Device device = data.device();
  c10::device_interface(device.type());  // an error if no device here owns such memory
  TORCH_CHECK(storage_offset >= 0, "from_blob: the storage offset must not be negative, got ",
              storage_offset);
  const size_t nbytes =
      computeStorageNbytes(sizes, strides, c10::elementSize(dtype), static_cast<size_t>(storage_offset));
  TORCH_CHECK(data.get() != nullptr || nbytes == 0, "from_blob: the address is null, but sizes ", sizes,
              " have elements");
  auto storage = c10::make_intrusive<c10::StorageImpl>(c10::Storage::use_byte_size_t(), nbytes,
                                                       std::move(data), nullptr, /*resizable=*/false);
  storage->set_received_external(true);
  auto impl = c10::make_intrusive<c10::TensorImpl>(c10::Storage(std::move(storage)),
                                                   c10::impl::dense_key_set(device.type()), dtype);
  impl->set_sizes_and_strides(sizes, strides, storage_offset);
  return TensorBase(std::move(impl));
}

TensorBase tensor_over(c10::DataPtr&& data, IntArrayRef sizes, ScalarType dtype) {
  return tensor_over(std::move(data), sizes, c10::contiguous_strides(sizes), 0, dtype);
}

}  // namespace at::inline C10_ABI::detail
