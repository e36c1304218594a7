// A host allocator that reports what it gives and takes back; private to this folder.
#pragma once
#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::inline C10_ABI {
namespace profiler {

// While one lives, the host's allocations are counted, those of all threads.
class CountedMemory {
 public:
  // Throws c10::Error where the present allocator has a priority that keeps it.
  CountedMemory();
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;
  ~CountedMemory();
};

// Called with the bytes of a block that was allocated, or the negative for one that is freed.
void note_memory(uint64_t address, int64_t bytes);

}  // namespace profiler
}  // namespace at::inline C10_ABI
