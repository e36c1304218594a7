// Uninitialised tensors, and the checked arithmetic of their sizes.
#include <ATen/EmptyTensor.h>

#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/DeviceInterface.h>
#include <c10/util/safe_numerics.h>

#include <cstdint>
#include <new>
#include <utility>

namespace at::inline C10_ABI {
namespace detail {

namespace {

constexpr uint64_t kMaxBytes = INT64_MAX;

constexpr DispatchKeySet kCPUKeys{DispatchKey::CPU};
constexpr DispatchKeySet kMetaKeys{DispatchKey::Meta};

// The span from the first to the last element of this geometry, in elements; true on overflow. 0 for an empty
// tensor.
bool extent_overflows(IntArrayRef sizes, IntArrayRef strides, uint64_t storage_offset, uint64_t* extent) {
  uint64_t last = storage_offset;
  bool overflow = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) {
      *extent = 0;
      return false;
    }
    uint64_t step = 0;
    overflow |=
        c10::mul_overflows(static_cast<uint64_t>(strides[i]), static_cast<uint64_t>(sizes[i] - 1), &step);
    overflow |= c10::add_overflows(last, step, &last);
  }
  return c10::add_overflows(last, uint64_t{1}, extent) || overflow;
}

void check_factory_options(std::optional<Layout> layout, std::optional<Device> device, DeviceType expected) {
  TORCH_CHECK_NOT_IMPLEMENTED(layout_or_default(layout) == Layout::Strided, "empty: layout ", *layout,
                              " isn't supported");
  TORCH_INTERNAL_ASSERT(!device.has_value() || device->type() == expected, "empty: device ", *device);
}

void check_dtype(ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(c10::isSupportedType(dtype), "tensors of type ", c10::dtypeName(dtype),
                              " aren't supported");
}

c10::Allocator* host_allocator(bool pin_memory) {
  if (C10_LIKELY(!pin_memory)) return c10::GetCPUAllocator();
  c10::Allocator* pinned = c10::device_interface(DeviceType::CUDA).pinned_allocator();
  TORCH_CHECK(pinned != nullptr, "pin_memory: the device has no pinned host memory");
  return pinned;
}

// A contiguous tensor over memory that is allocated already.
TensorBase make_contiguous(IntArrayRef size, c10::Storage&& storage, c10::DispatchKeySet ks, ScalarType dtype,
                           std::optional<MemoryFormat> memory_format) {
  auto impl = c10::make_intrusive<TensorImpl>(std::move(storage), ks, dtype);
  impl->set_sizes_contiguous(size);
  if (memory_format.has_value() && *memory_format != MemoryFormat::Contiguous) {
    impl->empty_tensor_restride(*memory_format);
  }
  return TensorBase(std::move(impl));
}

}  // namespace

void check_size_nonnegative(IntArrayRef sizes) {
  for (int64_t size : sizes) {
    TORCH_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
}

int64_t checked_numel(IntArrayRef sizes) {
  check_size_nonnegative(sizes);
  uint64_t numel = 1;
  const bool overflow = c10::safe_multiplies_u64(sizes, &numel);
  TORCH_CHECK(!overflow && numel <= kMaxBytes, "numel: integer multiplication overflow of sizes ", sizes);
  return static_cast<int64_t>(numel);
}

size_t computeStorageNbytesContiguous(IntArrayRef sizes, size_t itemsize, size_t storage_offset) {
  uint64_t nbytes = itemsize;
  bool overflow = false, empty = false;
  for (int64_t size : sizes) {
    TORCH_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
    empty |= size == 0;
    overflow |= c10::mul_overflows(nbytes, static_cast<uint64_t>(size), &nbytes);
  }
  if (empty) return 0;
  uint64_t offset = 0;
  overflow |=
      c10::mul_overflows(static_cast<uint64_t>(storage_offset), static_cast<uint64_t>(itemsize), &offset);
  overflow |= c10::add_overflows(nbytes, offset, &nbytes);
  TORCH_CHECK(!overflow && nbytes <= kMaxBytes, "Storage size calculation overflowed with sizes=", sizes);
  return nbytes;
}

size_t computeStorageNbytes(IntArrayRef sizes, IntArrayRef strides, size_t itemsize, size_t storage_offset) {
  TORCH_CHECK(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(),
              ") must match dimensionality of strides (", strides.size(), ")");
  check_size_nonnegative(sizes);
  for (int64_t stride : strides) {
    TORCH_CHECK(stride >= 0, "negative strides are not supported, got strides ", strides);
  }
  uint64_t extent = 0, nbytes = 0;
  const bool overflow = extent_overflows(sizes, strides, storage_offset, &extent) ||
                        c10::mul_overflows(extent, static_cast<uint64_t>(itemsize), &nbytes);
  TORCH_CHECK(!overflow && nbytes <= kMaxBytes, "Storage size calculation overflowed with sizes=", sizes,
              " and strides=", strides);
  return nbytes;
}

void checkInBoundsForStorage(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, size_t itemsize,
                             size_t storage_nbytes) {
  TORCH_CHECK(storage_offset >= 0, "the storage offset must not be negative, got ", storage_offset);
  const size_t nbytes = computeStorageNbytes(sizes, strides, itemsize, static_cast<size_t>(storage_offset));
  TORCH_CHECK(nbytes <= storage_nbytes, "setStorage: sizes ", sizes, ", strides ", strides,
              ", storage offset ", storage_offset, ", and itemsize ", itemsize,
              " requiring a storage size of ", nbytes, " are out of bounds for storage of size ",
              storage_nbytes);
}

TensorBase empty_generic(IntArrayRef size, c10::Allocator* allocator, c10::DispatchKeySet ks,
                         ScalarType scalar_type, std::optional<MemoryFormat> memory_format) {
  check_dtype(scalar_type);
  const size_t nbytes = computeStorageNbytesContiguous(size, c10::elementSize(scalar_type));
  c10::Storage storage(c10::Storage::use_byte_size_t(), nbytes, allocator, /*resizable=*/true);
  return make_contiguous(size, std::move(storage), ks, scalar_type, memory_format);
}

TensorBase empty_strided_generic(IntArrayRef size, IntArrayRef stride, c10::Allocator* allocator,
                                 c10::DispatchKeySet ks, ScalarType scalar_type) {
  check_dtype(scalar_type);
  const size_t nbytes = computeStorageNbytes(size, stride, c10::elementSize(scalar_type));
  c10::Storage storage(c10::Storage::use_byte_size_t(), nbytes, allocator, /*resizable=*/true);
  auto impl = c10::make_intrusive<TensorImpl>(std::move(storage), ks, scalar_type);
  impl->set_sizes_and_strides(size, stride);
  return TensorBase(std::move(impl));
}

TensorBase empty_device(IntArrayRef size, ScalarType dtype, Device device,
                        std::optional<MemoryFormat> memory_format) {
  if (C10_LIKELY(device.is_cpu())) return empty_cpu(size, dtype, false, memory_format);
  if (device.is_meta()) return empty_meta(size, dtype, memory_format);
  device = c10::resolve_device(device);
  c10::DeviceGuard guard(device);
  return empty_generic(size, c10::GetAllocator(device.type()), c10::impl::dense_key_set(device.type()), dtype,
                       memory_format);
}

TensorBase empty_strided_device(IntArrayRef size, IntArrayRef stride, ScalarType dtype, Device device) {
  if (C10_LIKELY(device.is_cpu())) return empty_strided_cpu(size, stride, dtype);
  if (device.is_meta()) return empty_strided_meta(size, stride, dtype);
  device = c10::resolve_device(device);
  c10::DeviceGuard guard(device);
  return empty_strided_generic(size, stride, c10::GetAllocator(device.type()),
                               c10::impl::dense_key_set(device.type()), dtype);
}

namespace {

// Element sizes by dtype; 0 for dtypes that tensors cannot have.
struct SupportedSizes {
  uint8_t bytes[static_cast<size_t>(ScalarType::Undefined) + 1] = {};
  constexpr SupportedSizes() {
    for (size_t i = 0; i < static_cast<size_t>(ScalarType::Undefined); ++i) {
      const auto dtype = static_cast<ScalarType>(i);
      if (c10::isSupportedType(dtype)) bytes[i] = static_cast<uint8_t>(c10::elementSize(dtype));
    }
  }
};
constexpr SupportedSizes supported_sizes;

// The TensorImpl's and the storage's blocks of a small tensor, from the thread's cache if it has both.
class SmallBlocks {
 public:
  C10_ALWAYS_INLINE explicit SmallBlocks(size_t nbytes)
      : storage_class_(c10::impl::block_class_of(c10::StorageImpl::kInlineOffset + nbytes)) {
    c10::impl::FreeList* const lists = c10::impl::thread_cache->lists;
    impl_ = take(lists[kImplClass]);
    if (C10_UNLIKELY(impl_ == nullptr)) return;
    storage_ = take(lists[storage_class_]);
    if (C10_UNLIKELY(storage_ == nullptr)) c10::impl::block_free(impl_, kImplClass);
  }
  bool found() const { return storage_ != nullptr; }
  void* impl() const { return impl_; }
  C10_ALWAYS_INLINE c10::Storage storage(size_t nbytes, c10::Allocator* allocator) const {
    return c10::StorageImpl::with_inline_data(storage_, storage_class_, nbytes, allocator);
  }

 private:
  static constexpr unsigned kImplClass = c10::impl::block_class_of(sizeof(TensorImpl));

  static C10_ALWAYS_INLINE void* take(c10::impl::FreeList& list) {
    void* block = list.head;
    if (C10_LIKELY(block != nullptr)) {
      list.head = *static_cast<void**>(block);
      ++list.slots_left;
    }
    return block;
  }

  unsigned storage_class_;
  void* impl_;
  void* storage_ = nullptr;
};

// The slow path: larger tensors, and a thread's cache without free blocks.
C10_NOINLINE TensorImpl* empty_medium_cpu(IntArrayRef size, ScalarType dtype, uint64_t numel, uint64_t nbytes,
                                          c10::Allocator* allocator) {
  c10::Storage storage = nbytes <= c10::StorageImpl::kMaxInlineBytes
                             ? c10::Storage(c10::StorageImpl::with_inline_data(nbytes, allocator))
                             : c10::Storage(c10::Storage::use_byte_size_t(), nbytes,
                                            c10::impl::small_data_allocate(nbytes), allocator,
                                            /*resizable=*/true);
  auto impl = c10::make_intrusive<TensorImpl>(std::move(storage), kCPUKeys, dtype);
  impl->unsafe_set_sizes_contiguous(size, static_cast<int64_t>(numel));
  return impl.release();
}

// The fast path: a contiguous tensor of at most three dimensions in the default allocator's memory; null
// where it doesn't apply. Nothing on it can throw, which keeps the code short.
C10_ALWAYS_INLINE TensorImpl* empty_small_cpu(IntArrayRef size, ScalarType dtype) {
  using c10::StorageImpl;
  constexpr uint64_t max_numel = c10::impl::kMediumBlockMax;
  if (C10_UNLIKELY(size.size() > 3)) return nullptr;
  uint64_t numel = 1;
  for (int64_t n : size) {
    if (C10_UNLIKELY(static_cast<uint64_t>(n) - 1 >= max_numel)) {
      return nullptr;  // 0 and negative ones wrap around
    }
    numel *= static_cast<uint64_t>(n);
  }
  const uint64_t nbytes = numel * supported_sizes.bytes[c10::detail::scalar_type_index(dtype)];
  c10::Allocator* const allocator = c10::impl::small_block_allocator.load(std::memory_order_relaxed);
  if (C10_UNLIKELY(nbytes - 1 >= max_numel || allocator == nullptr)) return nullptr;
  if (C10_UNLIKELY(nbytes > StorageImpl::kMaxInlineBytes)) {
    return empty_medium_cpu(size, dtype, numel, nbytes, allocator);
  }

  const SmallBlocks blocks(nbytes);
  if (C10_UNLIKELY(!blocks.found())) return empty_medium_cpu(size, dtype, numel, nbytes, allocator);
  auto* impl = ::new (blocks.impl()) TensorImpl(blocks.storage(nbytes, allocator), kCPUKeys, dtype);
  impl->unsafe_set_sizes_contiguous(size, static_cast<int64_t>(numel));
  return c10::intrusive_ptr<TensorImpl>::unsafe_steal_from_new(impl).release();
}

C10_NOINLINE TensorBase empty_any_cpu(IntArrayRef size, ScalarType dtype, bool pin_memory,
                                      std::optional<MemoryFormat> memory_format) {
  return empty_generic(size, host_allocator(pin_memory), kCPUKeys, dtype, memory_format);
}

}  // namespace

TensorBase empty_cpu(IntArrayRef size, ScalarType dtype, bool pin_memory,
                     std::optional<MemoryFormat> memory_format) {
  if (C10_LIKELY(!pin_memory &&
                 memory_format.value_or(MemoryFormat::Contiguous) == MemoryFormat::Contiguous)) {
    TensorImpl* small = empty_small_cpu(size, dtype);
    if (C10_LIKELY(small != nullptr)) return TensorBase(TensorBase::Impl::reclaim(small));
  }
  return empty_any_cpu(size, dtype, pin_memory, memory_format);
}

TensorBase empty_contiguous_like(const TensorImpl& like, ScalarType dtype) {
  using c10::StorageImpl;
  // No overflow: `like` has that many bytes already.
  const uint64_t nbytes =
      static_cast<uint64_t>(like.numel()) * supported_sizes.bytes[c10::detail::scalar_type_index(dtype)];
  c10::Allocator* const allocator = c10::impl::small_block_allocator.load(std::memory_order_relaxed);
  if (C10_LIKELY(nbytes - 1 < StorageImpl::kMaxInlineBytes && allocator != nullptr &&
                 like.device().is_cpu())) {
    const SmallBlocks blocks(nbytes);
    if (C10_LIKELY(blocks.found())) {
      auto* impl = ::new (blocks.impl()) TensorImpl(blocks.storage(nbytes, allocator), kCPUKeys, dtype, like);
      return TensorBase(c10::intrusive_ptr<TensorImpl>::unsafe_steal_from_new(impl));
    }
  }
  return empty_device(like.sizes(), dtype, like.device());
}

TensorBase empty_cpu(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory,
                     std::optional<MemoryFormat> memory_format) {
  check_factory_options(layout, device, DeviceType::CPU);
  return empty_cpu(size, c10::dtype_or_default(dtype), c10::pinned_memory_or_default(pin_memory),
                   memory_format);
}

TensorBase empty_cpu(IntArrayRef size, const TensorOptions& options) {
  return empty_cpu(size, options.scalar_type_opt(), options.layout_opt(), options.device_opt(),
                   options.pinned_memory_opt(), options.memory_format_opt());
}

TensorBase zeros_cpu(IntArrayRef size, ScalarType dtype) {
  check_dtype(dtype);
  const size_t nbytes = computeStorageNbytesContiguous(size, c10::elementSize(dtype));
  c10::Allocator* allocator = c10::GetCPUAllocator();
  c10::Storage storage(c10::Storage::use_byte_size_t(), nbytes, allocator->allocate_zeroed(nbytes), allocator,
                       /*resizable=*/true);
  return make_contiguous(size, std::move(storage), kCPUKeys, dtype, std::nullopt);
}

TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, ScalarType dtype, bool pin_memory) {
  return empty_strided_generic(size, stride, host_allocator(pin_memory), kCPUKeys, dtype);
}

TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                             std::optional<Layout> layout, std::optional<Device> device,
                             std::optional<bool> pin_memory) {
  check_factory_options(layout, device, DeviceType::CPU);
  return empty_strided_cpu(size, stride, c10::dtype_or_default(dtype),
                           c10::pinned_memory_or_default(pin_memory));
}

TensorBase empty_meta(IntArrayRef size, ScalarType dtype, std::optional<MemoryFormat> memory_format) {
  return empty_generic(size, c10::GetAllocator(DeviceType::Meta), kMetaKeys, dtype, memory_format);
}

TensorBase empty_meta(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory,
                      std::optional<MemoryFormat> memory_format) {
  check_factory_options(layout, device, DeviceType::Meta);
  TORCH_CHECK(!c10::pinned_memory_or_default(pin_memory), "Only dense CPU tensors can be pinned");
  return empty_meta(size, c10::dtype_or_default(dtype), memory_format);
}

TensorBase empty_strided_meta(IntArrayRef size, IntArrayRef stride, ScalarType dtype) {
  return empty_strided_generic(size, stride, c10::GetAllocator(DeviceType::Meta), kMetaKeys, dtype);
}

}  // namespace detail
}  // namespace at::inline C10_ABI
