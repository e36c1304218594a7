// The host allocator: chooses the source of a block by its size.
#include <c10/core/CPUAllocator.h>

#include <c10/core/impl/LargeBlockCache.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace c10::inline C10_ABI {

namespace {

template <unsigned block_class>
void delete_block(void* block) {
  impl::block_free(block, block_class);
}

void delete_malloced(void* block) { std::free(block); }

void delete_large(void* context) {
  impl::LargeBlock* block = static_cast<impl::LargeBlock*>(context);
  impl::large_block_free(*block);
  impl::small_block_free(block, sizeof(impl::LargeBlock));
}

[[noreturn]] C10_COLD void throw_out_of_memory(size_t nbytes) {
  throw OutOfMemoryError(str("CPU allocator: cannot allocate ", nbytes, " bytes (",
                             static_cast<double>(nbytes >> 20) / 1024.0, " GiB)"));
}

DataPtr allocate_malloced(size_t nbytes) {
  void* block = nullptr;
  if (nbytes > kMaxAllocationBytes || ::posix_memalign(&block, kCPUAlignment, nbytes) != 0) {
    throw_out_of_memory(nbytes);
  }
  return DataPtr(block, block, &delete_malloced, Device(DeviceType::CPU));
}

// Arrays that begin at the same offset in a page compete for the same cache sets: stagger them.
size_t next_offset() {
  static std::atomic<unsigned> counter{0};
  return (counter.fetch_add(1, std::memory_order_relaxed) % 16) * (5 * kCPUAlignment);
}

DataPtr allocate_large(size_t nbytes, bool zeroed) {
  if (nbytes > kMaxAllocationBytes) throw_out_of_memory(nbytes);
  const size_t offset = next_offset();
  const impl::LargeBlock block = impl::large_block_allocate(nbytes + offset, zeroed);
  if (block.base == nullptr) throw_out_of_memory(nbytes);
  auto* context = static_cast<impl::LargeBlock*>(impl::small_block_allocate(sizeof(impl::LargeBlock)));
  *context = block;
  return DataPtr(static_cast<char*>(block.base) + offset, context, &delete_large, Device(DeviceType::CPU));
}

class DefaultCPUAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    if (kExactBlocks && nbytes != 0) return allocate_malloced(nbytes);
    if (C10_LIKELY(nbytes - 1 < impl::kMediumBlockMax)) {
      return impl::small_data_allocate(nbytes);  // 0 wraps around
    }
    if (nbytes == 0) return DataPtr(nullptr, Device(DeviceType::CPU));
    if (nbytes < impl::kLargeBlockMin) return allocate_malloced(nbytes);
    return allocate_large(nbytes, /*zeroed=*/false);
  }

  DataPtr allocate_zeroed(size_t nbytes) override {
    if (!kExactBlocks && nbytes >= impl::kLargeBlockMin) return allocate_large(nbytes, /*zeroed=*/true);
    DataPtr data = allocate(nbytes);
    if (nbytes != 0) std::memset(data.get(), 0, nbytes);
    return data;
  }

  void empty_cache() override { impl::large_block_empty_cache(); }
};

// Never destroyed: tensors may be freed at exit.
union DefaultAllocatorHolder {
  constexpr DefaultAllocatorHolder() : allocator() {}
  ~DefaultAllocatorHolder() {}
  DefaultCPUAllocator allocator;
};
constinit DefaultAllocatorHolder default_allocator;

constinit std::atomic<Allocator*> allocators[COMPILE_TIME_MAX_DEVICE_TYPES] = {};
constinit std::atomic<uint8_t> priorities[COMPILE_TIME_MAX_DEVICE_TYPES] = {};

}  // namespace

namespace impl {

#define C10_DELETER_ROW_(first) \
  &delete_block<first>, &delete_block<first + 1>, &delete_block<first + 2>, &delete_block<first + 3>
const DeleterFnPtr block_deleters[kBlockClasses] = {
    C10_DELETER_ROW_(0),  C10_DELETER_ROW_(4), C10_DELETER_ROW_(8), C10_DELETER_ROW_(12),
    C10_DELETER_ROW_(16), &delete_block<20>,   &delete_block<21>};
#undef C10_DELETER_ROW_

constinit std::atomic<Allocator*> small_block_allocator{&default_allocator.allocator};

}  // namespace impl

namespace detail {
void deleteNothing(void*) {}
}  // namespace detail

Allocator::~Allocator() = default;

DataPtr Allocator::allocate_zeroed(size_t nbytes) {
  DataPtr data = allocate(nbytes);
  if (nbytes != 0) {
    TORCH_CHECK_NOT_IMPLEMENTED(data.device().is_cpu(), "allocate_zeroed isn't implemented for device ",
                                data.device());
    std::memset(data.get(), 0, nbytes);
  }
  return data;
}

void Allocator::copy_data(void* dest, const void* src, size_t count) const {
  if (count != 0) std::memcpy(dest, src, count);
}

void* Allocator::raw_allocate(size_t nbytes) {
  TORCH_CHECK_NOT_IMPLEMENTED(raw_deleter() != nullptr, "this allocator has no raw pointers; use allocate()");
  DataPtr data = allocate(nbytes);
  TORCH_INTERNAL_ASSERT(data.get() == data.get_context());
  return data.release_context();
}

void Allocator::raw_deallocate(void* ptr) {
  const DeleterFnPtr deleter = raw_deleter();
  TORCH_INTERNAL_ASSERT(deleter != nullptr);
  deleter(ptr);
}

DataPtr Allocator::clone(const void* data, size_t nbytes) {
  DataPtr copy = allocate(nbytes);
  copy_data(copy.mutable_get(), data, nbytes);
  return copy;
}

void SetAllocator(DeviceType type, Allocator* allocator, uint8_t priority) {
  TORCH_CHECK(isValidDeviceType(type), "SetAllocator: invalid device type ", static_cast<int>(type));
  const int i = static_cast<int>(type);
  if (priority < priorities[i].load()) return;
  priorities[i].store(priority);
  allocators[i].store(allocator);
  if (type == DeviceType::CPU) {
    Allocator* const own = &default_allocator.allocator;
    impl::small_block_allocator.store(allocator == nullptr || allocator == own ? own : nullptr);
  }
}

Allocator* GetAllocator(DeviceType type) {
  if (isValidDeviceType(type)) {
    Allocator* allocator = allocators[static_cast<int>(type)].load(std::memory_order_acquire);
    if (allocator != nullptr) return allocator;
    if (type == DeviceType::CPU) return &default_allocator.allocator;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(false, "no allocator is registered for device type ", type);
  return nullptr;
}

Allocator* GetCPUAllocator() {
  Allocator* allocator = allocators[static_cast<int>(DeviceType::CPU)].load(std::memory_order_acquire);
  return C10_LIKELY(allocator == nullptr) ? &default_allocator.allocator : allocator;
}
void SetCPUAllocator(Allocator* allocator, uint8_t priority) {
  SetAllocator(DeviceType::CPU, allocator, priority);
}
Allocator* GetDefaultCPUAllocator() { return &default_allocator.allocator; }
size_t cpu_allocator_cached_bytes() { return impl::large_block_cached_bytes(); }

}  // namespace c10::inline C10_ABI
