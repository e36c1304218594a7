// Short rows, as many at a time as a vector has lanes: each is a line of a square of vectors. For reductions
// in cpu/*/simd.
#pragma once

#include <ATen/native/cpu/Reduce.h>
#include <ATen/native/cpu/transpose.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {

constexpr int64_t longest_short_row = 256;

// Loads a vector from p, zeros from `end` on.
template <class A>
C10_ALWAYS_INLINE Vec<A> load_until(const A* p, const A* end) {
  if (end - p >= lanes<A>) return load(p);
  A values[lanes<A>] = {};
  std::memcpy(values, p, static_cast<size_t>(end - p) * sizeof(A));
  return load(values);
}

// Calls f(rows of A, first of them, their count, elements between them) for the rows of
// Fold::add_short_rows, converted by `load` where there is one.
template <class A, class F>
C10_ALWAYS_INLINE void for_short_rows(Fold::Load load, int64_t element_size, const char* in, int64_t rows,
                                      int64_t row_stride, int64_t n, const F& f) {
  constexpr int64_t most = 4096;
  const int64_t stride = row_stride / element_size;
  if (load == nullptr) return f(reinterpret_cast<const A*>(in), int64_t(0), rows, stride);
  A values[most];
  for (int64_t first = 0; first < rows; first += most / n) {
    const int64_t count = std::min(most / n, rows - first);
    const char* from = in + first * row_stride;
    if (stride == n) {
      load(values, from, count * n, element_size);
    } else {
      for (int64_t r = 0; r < count; r++) load(values + r * n, from + r * row_stride, n, element_size);
    }
    f(static_cast<const A*>(values), first, count, n);
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
