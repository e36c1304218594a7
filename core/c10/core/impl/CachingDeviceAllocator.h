// What an allocator that caches a device's memory counts.
#pragma once

#include <c10/macros/Macros.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace c10::inline C10_ABI::CachingDeviceAllocator {

/// One number over time.
struct Stat {
  int64_t current = 0;
  int64_t peak = 0;       // the largest value of `current`
  int64_t allocated = 0;  // the sum of all increases
  int64_t freed = 0;      // the sum of all decreases

  void increase(size_t amount) {
    current += static_cast<int64_t>(amount);
    peak = std::max(peak, current);
    allocated += static_cast<int64_t>(amount);
  }
  void decrease(size_t amount) {
    current -= static_cast<int64_t>(amount);
    freed += static_cast<int64_t>(amount);
  }
  void reset_peak() { peak = current; }
  void reset_accumulated() { allocated = freed = 0; }
};

/// Blocks are kept in two pools by their size; AGGREGATE counts both.
enum class StatType : size_t { AGGREGATE, SMALL_POOL, LARGE_POOL };

class StatArray {
 public:
  void increase(StatType pool, size_t amount) {
    (*this)[StatType::AGGREGATE].increase(amount);
    (*this)[pool].increase(amount);
  }
  void decrease(StatType pool, size_t amount) {
    (*this)[StatType::AGGREGATE].decrease(amount);
    (*this)[pool].decrease(amount);
  }
  Stat& operator[](StatType pool) { return stats_[static_cast<size_t>(pool)]; }
  const Stat& operator[](StatType pool) const { return stats_[static_cast<size_t>(pool)]; }
  auto begin() { return stats_.begin(); }
  auto end() { return stats_.end(); }

 private:
  std::array<Stat, 3> stats_;
};

struct DeviceStats {
  StatArray allocation;           // blocks that tensors hold
  StatArray segment;              // pieces of memory from the device's driver
  StatArray active;               // blocks that tensors hold or streams still use
  StatArray requested_bytes;      // what was asked for, before sizes are rounded up
  StatArray allocated_bytes;      // of `allocation`
  StatArray reserved_bytes;       // of `segment`
  StatArray active_bytes;         // of `active`
  int64_t num_alloc_retries = 0;  // the driver had no memory, and what was cached was freed
  int64_t num_ooms = 0;
  int64_t num_device_alloc = 0;  // calls of the driver
  int64_t num_device_free = 0;

  template <class Function>
  void for_each_array(Function&& f) {
    for (StatArray* array : {&allocation, &segment, &active, &requested_bytes, &allocated_bytes,
                             &reserved_bytes, &active_bytes}) {
      f(*array);
    }
  }
  void reset_peaks() {
    for_each_array([](StatArray& array) {
      for (Stat& stat : array) stat.reset_peak();
    });
  }
  void reset_accumulated() {
    for_each_array([](StatArray& array) {
      for (Stat& stat : array) stat.reset_accumulated();
    });
    num_alloc_retries = num_ooms = 0;
  }
};

}  // namespace c10::inline C10_ABI::CachingDeviceAllocator
