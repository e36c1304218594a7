// Tensors to and from DLPack.
#include <ATen/DLConvertor.h>

#include <ATen/EmptyTensor.h>
#include <c10/core/impl/DeviceInterface.h>
#include <c10/util/DimVector.h>
#include <c10/util/safe_numerics.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace at::inline C10_ABI {

DLDataType getDLDataType(const TensorBase& t) {
  const auto bits = static_cast<uint8_t>(t.itemsize() * 8);
  switch (t.scalar_type()) {
    case kByte:
    case kUInt16:
    case kUInt32:
    case kUInt64:
      return {kDLUInt, bits, 1};
    case kChar:
    case kShort:
    case kInt:
    case kLong:
      return {kDLInt, bits, 1};
    case kHalf:
    case kFloat:
    case kDouble:
      return {kDLFloat, bits, 1};
    case kBFloat16:
      return {kDLBfloat, bits, 1};
    case kComplexHalf:
    case kComplexFloat:
    case kComplexDouble:
      return {kDLComplex, bits, 1};
    case kBool:
      return {kDLBool, bits, 1};
    default:
      TORCH_CHECK_BUFFER(false, "DLPack: type ", t.scalar_type(), " isn't supported");
      return {};
  }
}

ScalarType toScalarType(const DLDataType& dtype) {
  struct Row {
    uint8_t code, bits;
    ScalarType type;
  };
  constexpr Row rows[] = {{kDLUInt, 8, kByte},
                          {kDLUInt, 16, kUInt16},
                          {kDLUInt, 32, kUInt32},
                          {kDLUInt, 64, kUInt64},
                          {kDLInt, 8, kChar},
                          {kDLInt, 16, kShort},
                          {kDLInt, 32, kInt},
                          {kDLInt, 64, kLong},
                          {kDLFloat, 16, kHalf},
                          {kDLFloat, 32, kFloat},
                          {kDLFloat, 64, kDouble},
                          {kDLBfloat, 16, kBFloat16},
                          {kDLBool, 8, kBool},
                          {kDLComplex, 32, kComplexHalf},
                          {kDLComplex, 64, kComplexFloat},
                          {kDLComplex, 128, kComplexDouble}};
  TORCH_CHECK_BUFFER(dtype.lanes == 1, "DLPack: vectors of ", dtype.lanes, " lanes aren't supported");
  for (const Row& row : rows) {
    if (row.code == dtype.code && row.bits == dtype.bits) return row.type;
  }
  TORCH_CHECK_BUFFER(false, "DLPack: elements of type code ", dtype.code, " with ", dtype.bits,
                     " bits aren't supported");
  return ScalarType::Undefined;
}

DLDevice torchDeviceToDLDevice(Device device) {
  const int32_t index = device.has_index() ? device.index() : 0;
  switch (device.type()) {
    case DeviceType::CPU:
      return {kDLCPU, 0};
    case DeviceType::CUDA:
      return {kDLCUDA, index};
    case DeviceType::HIP:
      return {kDLROCM, index};
    case DeviceType::XPU:
      return {kDLOneAPI, index};
    case DeviceType::MAIA:
      return {kDLMAIA, index};
    case DeviceType::MPS:
      return {kDLMetal, index};
    case DeviceType::PrivateUse1:
      return {kDLExtDev, index};
    default:
      TORCH_CHECK_BUFFER(false, "DLPack: tensors on device ", device, " can't be handed over");
      return {};
  }
}

Device dlDeviceToTorchDevice(const DLDevice& device) {
  TORCH_CHECK_BUFFER(device.device_id >= 0 && device.device_id <= INT8_MAX, "DLPack: invalid device index ",
                     device.device_id);
  const auto index = static_cast<DeviceIndex>(device.device_id);
  switch (device.device_type) {
    case kDLCPU:
    case kDLCUDAHost:
    case kDLROCMHost:
      return Device(DeviceType::CPU);
    case kDLCUDA:
      return Device(DeviceType::CUDA, index);
    case kDLROCM:
      return Device(DeviceType::HIP, index);
    case kDLOneAPI:
      return Device(DeviceType::XPU, index);
    case kDLMAIA:
      return Device(DeviceType::MAIA, index);
    case kDLMetal:
      return Device(DeviceType::MPS, index);
    case kDLExtDev:
      return Device(DeviceType::PrivateUse1, index);
    default:
      TORCH_CHECK_BUFFER(false, "DLPack: device type ", static_cast<int>(device.device_type),
                         " isn't supported");
      return Device(DeviceType::CPU);
  }
}

namespace {

// What an exported struct keeps alive: the tensor, and its sizes and strides at export.
template <class Managed>
struct Exported {
  TensorBase tensor;
  c10::DimVector shape, strides;
  Managed managed;
};

template <class Managed>
Managed* export_tensor(const TensorBase& src) {
  TORCH_CHECK_BUFFER(src.defined(), "DLPack: the tensor is undefined");
  const DLDataType dtype = getDLDataType(src);
  const DLDevice device = torchDeviceToDLDevice(src.device());
  auto* exported = new Exported<Managed>{src, c10::DimVector(src.sizes()), c10::DimVector(src.strides()), {}};
  DLTensor& tensor = exported->managed.dl_tensor;
  tensor.data = const_cast<void*>(src.const_data_ptr());
  tensor.device = device;
  tensor.ndim = static_cast<int32_t>(src.dim());
  tensor.dtype = dtype;
  tensor.shape = exported->shape.data();
  tensor.strides = exported->strides.data();
  // The stride of a dimension of size 1 is arbitrary, but some consumers read it; all accept 1.
  for (size_t d = 0; d < exported->shape.size(); ++d) {
    if (exported->shape[d] < 2) exported->strides[d] = 1;
  }
  tensor.byte_offset = 0;
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->manager_ctx);
  };
  return &exported->managed;
}

bool is_read_only(const TensorBase& src) {
  return src.has_storage() && src.storage().unsafeGetStorageImpl()->read_only();
}

template <class Managed>
void delete_managed(void* context) {
  auto* managed = static_cast<Managed*>(context);
  if (managed->deleter != nullptr) managed->deleter(managed);
}

// Runs the deleter unless ownership was taken over.
template <class Managed>
struct Imported {
  explicit Imported(Managed* managed) : managed(managed) {}
  ~Imported() {
    if (managed != nullptr) delete_managed<Managed>(managed);
  }
  Managed* managed;
};

// The address of the first element. No allocation wraps around the end of the address space.
char* address_of(const DLTensor& tensor, size_t nbytes) {
  TORCH_CHECK_BUFFER(tensor.data != nullptr || nbytes == 0, "DLPack: the data pointer is null");
  if (tensor.data == nullptr) return nullptr;
  uint64_t end = 0;
  const bool overflow = c10::add_overflows(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(tensor.data)),
                                           tensor.byte_offset, &end) ||
                        c10::add_overflows(end, static_cast<uint64_t>(nbytes), &end);
  TORCH_CHECK_BUFFER(!overflow, "DLPack: ", nbytes, " bytes at byte offset ", tensor.byte_offset,
                     " reach over the end of the address space");
  return static_cast<char*>(tensor.data) + tensor.byte_offset;
}

void check_alignment(const void* data, ScalarType dtype) {
  // Also for c10::complex<double>, which kernels move with aligned instructions.
  const size_t alignment = c10::elementSize(dtype);
  TORCH_CHECK_BUFFER(reinterpret_cast<uintptr_t>(data) % alignment == 0, "DLPack: the data isn't aligned to ",
                     alignment, " bytes as its type ", dtype, " is");
}

struct Geometry {
  c10::DimVector sizes;
  std::optional<c10::DimVector> strides;  // none: compact and row-major
  size_t nbytes(size_t itemsize) const {
    return strides ? detail::computeStorageNbytes(sizes, *strides, itemsize)
                   : detail::computeStorageNbytesContiguous(sizes, itemsize);
  }
  void set(TensorImpl& impl) const {
    strides ? impl.set_sizes_and_strides(sizes, *strides) : impl.set_sizes_contiguous(sizes);
  }
};

Geometry read_geometry(const DLTensor& tensor) {
  TORCH_CHECK_BUFFER(tensor.ndim >= 0 && tensor.ndim <= static_cast<int32_t>(c10::impl::kMaxDims),
                     "DLPack: invalid number of dimensions ", tensor.ndim);
  const auto ndim = static_cast<size_t>(tensor.ndim);
  TORCH_CHECK_BUFFER(ndim == 0 || tensor.shape != nullptr, "DLPack: the shape is missing");
  Geometry geometry;
  for (size_t d = 0; d < ndim; ++d) {
    TORCH_CHECK_BUFFER(tensor.shape[d] >= 0, "DLPack: negative size ", tensor.shape[d]);
    geometry.sizes.push_back(tensor.shape[d]);
  }
  if (tensor.strides == nullptr) return geometry;
  c10::DimVector& strides = geometry.strides.emplace();
  for (size_t d = 0; d < ndim; ++d) {
    // The stride of a dimension of size 1 is never used.
    const int64_t stride = geometry.sizes[d] < 2 && tensor.strides[d] < 0 ? 1 : tensor.strides[d];
    TORCH_CHECK_BUFFER(stride >= 0, "DLPack: negative strides aren't supported");
    strides.push_back(stride);
  }
  return geometry;
}

template <class Managed>
TensorBase import_tensor(Managed* src, bool read_only) {
  Imported<Managed> owner(src);
  const DLTensor& tensor = src->dl_tensor;
  const ScalarType dtype = toScalarType(tensor.dtype);
  const Device device = dlDeviceToTorchDevice(tensor.device);
  c10::device_interface(device.type());  // an error if no device here owns such memory
  const Geometry geometry = read_geometry(tensor);
  const size_t nbytes = geometry.nbytes(c10::elementSize(dtype));
  char* const data = address_of(tensor, nbytes);
  check_alignment(data, dtype);

  auto storage = c10::make_intrusive<c10::StorageImpl>(
      c10::Storage::use_byte_size_t(), nbytes, c10::DataPtr(nullptr, device), nullptr, /*resizable=*/false);
  storage->set_read_only(read_only);
  storage->set_received_external(true);
  auto impl =
      c10::make_intrusive<TensorImpl>(c10::Storage(storage), c10::impl::dense_key_set(device.type()), dtype);
  geometry.set(*impl);
  storage->set_data_ptr_noswap(
      c10::DataPtr(data, std::exchange(owner.managed, nullptr), &delete_managed<Managed>, device));
  return TensorBase(std::move(impl));
}

}  // namespace

DLManagedTensor* toDLPack(const TensorBase& src) {
  TORCH_CHECK_BUFFER(!is_read_only(src),
                     "DLPack: read-only memory can't be handed over without a version; ask for "
                     "max_version=(1, 0)");
  return export_tensor<DLManagedTensor>(src);
}

DLManagedTensorVersioned* toDLPackVersioned(const TensorBase& src, bool is_copied) {
  DLManagedTensorVersioned* managed = export_tensor<DLManagedTensorVersioned>(src);
  managed->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed->flags = (is_read_only(src) ? DLPACK_FLAG_BITMASK_READ_ONLY : 0) |
                   (is_copied ? DLPACK_FLAG_BITMASK_IS_COPIED : 0);
  return managed;
}

TensorBase fromDLPack(DLManagedTensor* src) {
  TORCH_CHECK_VALUE(src != nullptr, "fromDLPack: null pointer");
  return import_tensor(src, /*read_only=*/false);
}

TensorBase fromDLPackVersioned(DLManagedTensorVersioned* src) {
  TORCH_CHECK_VALUE(src != nullptr, "fromDLPackVersioned: null pointer");
  if (src->version.major != DLPACK_MAJOR_VERSION) {
    const uint32_t major = src->version.major;
    const Imported<DLManagedTensorVersioned> owner(src);  // version and deleter come first in every version
    TORCH_CHECK_BUFFER(false, "DLPack: major version ", major, " isn't supported, only ",
                       DLPACK_MAJOR_VERSION);
  }
  return import_tensor(src, (src->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0);
}

}  // namespace at::inline C10_ABI
