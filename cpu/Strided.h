// Gathers strided elements into contiguous memory, and scatters them back. For files of cpu/*/simd.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native {
inline namespace CPU_CAPABILITY {

// Stride 0 repeats one element, which may be the first of `target`.
template <class T>
void gather(void* target, const char* from, int64_t stride, int64_t n) {
  T* to = static_cast<T*>(target);
  if (stride == 0) {
    const T value = *reinterpret_cast<const T*>(from);
    for (int64_t i = 0; i < n; i++) {
      to[i] = value;
    }
  } else if (stride == 2 * sizeof(T)) {  // every second element: done by vector shuffles
    const T* const pairs = reinterpret_cast<const T*>(from);
    for (int64_t i = 0; i < n; i++) {
      to[i] = pairs[2 * i];
    }
  } else {
    for (int64_t i = 0; i < n; i++) {
      to[i] = *reinterpret_cast<const T*>(from + i * stride);
    }
  }
}

template <class T>
void scatter(char* to, int64_t stride, const void* source, int64_t n) {
  const T* from = static_cast<const T*>(source);
  for (int64_t i = 0; i < n; i++) {
    *reinterpret_cast<T*>(to + i * stride) = from[i];
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
