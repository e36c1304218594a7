// CUB's radix sort of pairs, stable and by the chosen bits of the key. What it leaves in the buffers that
// don't hold the result is unspecified, here a pattern.
#pragma once

#include <cuda_runtime.h>

#include <numeric>
#include <vector>

namespace cub {

template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;

  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

struct DeviceRadixSort {
  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* temporary, size_t& temporary_bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count count, int begin_bit, int end_bit,
                               cudaStream_t stream) {
    if (temporary == nullptr) {
      temporary_bytes = 256;
      return cudaSuccess;
    }
    const Columns<Key> key{keys.Current(), keys.Alternate()};
    const Columns<Value> value{values.Current(), values.Alternate()};
    const auto n = static_cast<size_t>(count);
    ::emulator::count_operation("library");
    ::emulator::enqueue(stream, [=] { sort(key, value, n, begin_bit, end_bit); });
    keys.selector ^= 1;
    values.selector ^= 1;
    return cudaSuccess;
  }

 private:
  template <class T>
  struct Columns {
    T *from, *to;
  };

  template <class T>
  static std::vector<T> taken(const Columns<T>& columns, size_t n) {
    ::emulator::check_range(columns.from, n * sizeof(T), /*writes=*/false);
    std::vector<T> result(columns.from, columns.from + n);
    ::emulator::check_range(columns.from, n * sizeof(T), /*writes=*/true);
    std::memset(columns.from, 0xA5, n * sizeof(T));
    return result;
  }

  template <class Key, class Value>
  static __attribute__((no_sanitize("thread"))) void sort(const Columns<Key>& keys,
                                                          const Columns<Value>& values, size_t n,
                                                          int begin_bit, int end_bit) {
    const std::vector<Key> key = taken(keys, n);
    const std::vector<Value> value = taken(values, n);
    const int width = end_bit - begin_bit;
    const Key mask = width >= static_cast<int>(8 * sizeof(Key)) ? ~Key{0} : (Key{1} << width) - 1;
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return ((key[a] >> begin_bit) & mask) < ((key[b] >> begin_bit) & mask);
    });
    ::emulator::check_range(keys.to, n * sizeof(Key), /*writes=*/true);
    ::emulator::check_range(values.to, n * sizeof(Value), /*writes=*/true);
    for (size_t i = 0; i < n; ++i) {
      keys.to[i] = key[order[i]];
      values.to[i] = value[order[i]];
    }
  }
};

}  // namespace cub
