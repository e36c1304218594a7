// Rows of contiguous matrices in registers, so that device memory is read once: a few lanes, a warp or a
// block share a row. Where all rows are aligned they are read and written by vectors of 16 bytes.
#pragma once

#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/BlockReduce.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace at::native {

/// Elements in a vector of 16 bytes of the widest type.
template <class... T>
constexpr int row_vector_size = static_cast<int>(16 / std::max({sizeof(T)...}));

template <class T, int size>
struct alignas(std::min<size_t>(16, sizeof(T) * size)) RowVector {
  T v[size];
};

template <class T, int size>
bool is_row_aligned(const T* data) {
  return reinterpret_cast<uintptr_t>(data) % alignof(RowVector<T, size>) == 0;
}

struct RowPlan {
  int64_t rows;
  int columns;
  int width;  // threads that share a row: a power of two of a warp's lanes, or all of the block's
  bool by_vectors;

  unsigned blocks() const { return blocks_for(rows, launch_threads / width); }
};

/// None if rows are longer than a block's threads hold, `elements_per_thread` elements each. `data` is what
/// is accessed by rows, or by the elements of one.
template <int size, int elements_per_thread, class... T>
std::optional<RowPlan> rows_in_registers(int64_t rows, int64_t columns, const T*... data) {
  if (columns > int64_t{launch_threads} * elements_per_thread) return std::nullopt;
  const int n = static_cast<int>(columns);
  RowPlan plan{rows, n, launch_threads, n % size == 0 && (is_row_aligned<T, size>(data) && ...)};
  if (n <= warp_threads * elements_per_thread) {
    const int accesses = plan.by_vectors ? n / size : n;
    plan.width = 1;
    while (plan.width < std::min(accesses, warp_threads)) plan.width *= 2;
  }
  return plan;
}

/// What one thread has of its row: at most `elements_per_thread` elements, which it calls by their places in
/// an array. The loops over them are unrolled, so that such arrays are registers.
template <int size, int elements_per_thread>
class RowPart {
 public:
  __device__ explicit RowPart(const RowPlan& plan)
      : plan_(plan),
        first_(static_cast<int>(threadIdx.x) % plan.width * (plan.by_vectors ? size : 1)),
        step_(plan.by_vectors ? 1 : plan.width) {}

  /// Calls f(row) for the rows of this thread. Threads for which there is none go with the others of the
  /// block, with a row that is behind the last and has no elements.
  template <class F>
  __device__ void for_rows(const F& f) {
    const int together = launch_threads / plan_.width;
    const int64_t step = int64_t{gridDim.x} * together;
    for (int64_t begin = int64_t{blockIdx.x} * together; begin < plan_.rows; begin += step) {
      const int64_t row = begin + static_cast<int>(threadIdx.x) / plan_.width;
      has_row_ = row < plan_.rows;
      length_ = has_row_ ? plan_.columns : 0;
      f(row);
    }
  }

  /// Whether this thread writes what there is one of in a row.
  __device__ bool is_first() const { return first_ == 0 && has_row_; }

  template <class F>
  __device__ void for_each(const F& f) const {
    for_vectors([&](int place, int from) {
#pragma unroll
      for (int j = 0; j < size; ++j) {
        if (from + j * step_ < length_) f(place + j);
      }
    });
  }

  /// Calls f(place, element of `row`).
  template <class T, class F>
  __device__ void read(const T* row, const F& f) const {
    for_vectors([&](int place, int from) {
      if (plan_.by_vectors) {
        if (from >= length_) return;
        const auto loaded = *reinterpret_cast<const RowVector<T, size>*>(row + from);
#pragma unroll
        for (int j = 0; j < size; ++j) f(place + j, loaded.v[j]);
      } else {
#pragma unroll
        for (int j = 0; j < size; ++j) {
          if (from + j * step_ < length_) f(place + j, row[from + j * step_]);
        }
      }
    });
  }

  /// Writes f(place) to the elements of `row`.
  template <class T, class F>
  __device__ void write(T* row, const F& f) const {
    for_vectors([&](int place, int from) {
      if (plan_.by_vectors) {
        if (from >= length_) return;
        RowVector<T, size> all;
#pragma unroll
        for (int j = 0; j < size; ++j) all.v[j] = static_cast<T>(f(place + j));
        *reinterpret_cast<RowVector<T, size>*>(row + from) = all;
      } else {
#pragma unroll
        for (int j = 0; j < size; ++j) {
          if (from + j * step_ < length_) row[from + j * step_] = static_cast<T>(f(place + j));
        }
      }
    });
  }

  /// The fold of a value of each thread of the row, returned to all of them. `shared` has an element for each
  /// warp of the block.
  template <class A, class F>
  __device__ A fold(A value, A* shared, const F& combine) const {
    if (plan_.width > warp_threads) return fold_block(value, shared, combine);
    return fold_lanes(value, combine, plan_.width);
  }
  template <class A>
  __device__ A sum(A value, A* shared) const {
    return fold(value, shared, [](A a, A b) { return a + b; });
  }

 private:
  // Calls f(the first of `size` places, its column); the others follow in steps of step_.
  template <class F>
  __device__ void for_vectors(const F& f) const {
#pragma unroll
    for (int place = 0; place < elements_per_thread; place += size) {
      if (place * plan_.width >= plan_.columns) break;
      f(place, place * plan_.width + first_);
    }
  }

  RowPlan plan_;
  int first_, step_, length_ = 0;
  bool has_row_ = false;
};

}  // namespace at::native
