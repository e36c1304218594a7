// The host allocator: alignment, reuse, other threads, limits.
#include "check.h"

#include <c10/core/CPUAllocator.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using c10::DataPtr;

bool aligned(const void* p) { return reinterpret_cast<uintptr_t>(p) % c10::kCPUAlignment == 0; }

void sizes_are_usable_and_aligned() {
  c10::Allocator* allocator = c10::GetCPUAllocator();
  for (size_t n : {1ul, 63ul, 64ul, 65ul, 1023ul, 1024ul, 1025ul, 2048ul, 2049ul, 65536ul, 65537ul, 1ul << 20,
                   (1ul << 21) + 1, (5ul << 20) + 3}) {
    DataPtr data = allocator->allocate(n);
    CHECK(aligned(data.get()));
    std::memset(data.get(), 0xAB, n);
    DataPtr other = allocator->allocate(n);
    CHECK(other.get() != data.get());
    std::memset(other.get(), 0xCD, n);
    CHECK_EQ(static_cast<unsigned char*>(data.get())[n - 1], 0xAB);
  }
}

void nothing_is_null() {
  DataPtr data = c10::GetCPUAllocator()->allocate(0);
  CHECK(data.get() == nullptr && !data);
}

void zeroed_is_zero_even_when_reused() {
  c10::Allocator* allocator = c10::GetCPUAllocator();
  for (size_t n : {100ul, 5000ul, 100000ul, 3ul << 20}) {
    for (int round = 0; round < 2; ++round) {
      DataPtr data = allocator->allocate_zeroed(n);
      const auto* bytes = static_cast<const unsigned char*>(data.get());
      bool zero = true;
      for (size_t i = 0; i < n; ++i) zero &= bytes[i] == 0;
      CHECK(zero);
      std::memset(data.get(), 1, n);
    }
  }
}

void large_blocks_are_reused_within_a_bound() {
  c10::Allocator* allocator = c10::GetCPUAllocator();
  allocator->empty_cache();
  {
    DataPtr data = allocator->allocate(8 << 20);
  }
  const size_t cached = c10::cpu_allocator_cached_bytes();
  CHECK(cached >= (8u << 20));
  {
    DataPtr data = allocator->allocate(8 << 20);
    CHECK(c10::cpu_allocator_cached_bytes() < cached);
  }
  for (int i = 0; i < 10; ++i) {
    std::vector<DataPtr> blocks;
    for (int j = 0; j < 10; ++j) blocks.push_back(allocator->allocate(50u << 20));
  }
  CHECK(c10::cpu_allocator_cached_bytes() <= c10::kLargeCacheBytes);
  allocator->empty_cache();
  CHECK_EQ(c10::cpu_allocator_cached_bytes(), 0u);
}

void absurd_sizes_are_errors() {
  c10::Allocator* allocator = c10::GetCPUAllocator();
  CHECK_THROWS(allocator->allocate(SIZE_MAX), c10::OutOfMemoryError, "18446744073709551615 bytes");
  CHECK_THROWS(allocator->allocate(size_t{1} << 62), c10::OutOfMemoryError, "cannot allocate");
  CHECK_THROWS(allocator->allocate_zeroed(size_t{1} << 46), c10::OutOfMemoryError, "cannot allocate");
}

// Blocks of one thread freed by others, also after their maker ended.
void other_threads_may_free() {
  for (int round = 0; round < 20; ++round) {
    std::vector<DataPtr> blocks;
    std::thread maker([&] {
      for (size_t i = 0; i < 2000; ++i) {
        blocks.push_back(c10::GetCPUAllocator()->allocate(1 + i * 37 % 70000));
        std::memset(blocks.back().get(), 1, 1 + i * 37 % 70000);
      }
    });
    maker.join();
    std::thread([&] { blocks.resize(blocks.size() / 2); }).join();
    blocks.clear();
  }
}

// What a thread_local frees after the cache of its thread is gone goes to the system.
void freeing_at_thread_exit() {
  struct Late {
    std::vector<DataPtr> blocks;
  };
  std::thread([] {
    thread_local Late late;
    for (int i = 0; i < 100; ++i) late.blocks.push_back(c10::GetCPUAllocator()->allocate(128));
  }).join();
  std::thread([] {
    {
      DataPtr warm = c10::GetCPUAllocator()->allocate(128);
    }
    thread_local Late late;
    for (int i = 0; i < 100; ++i) late.blocks.push_back(c10::GetCPUAllocator()->allocate(128));
  }).join();
}

void data_ptr_owns() {
  int freed = 0;
  const auto count = [](void* context) { ++*static_cast<int*>(context); };
  {
    DataPtr a(&freed, &freed, count, c10::Device(c10::kCPU));
    DataPtr b = std::move(a);
    CHECK(!a && b.get() == &freed);
    b = DataPtr();
    CHECK_EQ(freed, 1);
    DataPtr c(&freed, &freed, count, c10::Device(c10::kCPU));
    void* context = c.release_context();
    CHECK(context == &freed);
  }
  CHECK_EQ(freed, 1);
}

}  // namespace

int main() {
  RUN(sizes_are_usable_and_aligned);
  RUN(nothing_is_null);
  RUN(zeroed_is_zero_even_when_reused);
#if !defined(C10_ADDRESS_SANITIZER)  // under which nothing is kept
  RUN(large_blocks_are_reused_within_a_bound);
#endif
  RUN(absurd_sizes_are_errors);
  RUN(other_threads_may_free);
  RUN(freeing_at_thread_exit);
  RUN(data_ptr_owns);
  return check_result();
}
