// Numbers of 16 bits are computed with as float, a chunk at a time. For files of cpu/simd.
#pragma once

#include <ATen/native/functors/types.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace at::native {
inline namespace CPU_CAPABILITY {

// Numbers that fit the first-level cache several times over.
inline constexpr int64_t chunk_size = 2048;

template <class T, class Acc>
C10_ALWAYS_INLINE void convert(const T* from, Acc* to, int64_t n) {
  int64_t i = 0;
#ifdef __F16C__
  if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<Acc, float>) {
    for (; i + 8 <= n; i += 8) {
      _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
    }
  } else if constexpr (std::is_same_v<T, float> && std::is_same_v<Acc, c10::Half>) {
    for (; i + 8 <= n; i += 8) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
    }
  }
#endif
#pragma GCC ivdep
  for (; i < n; ++i) {
    to[i] = static_cast<Acc>(from[i]);
  }
}

// Numbers of type T as Acc, in `buffer` where these differ.
template <class T, class Acc = ufunc::opmath<T>>
C10_ALWAYS_INLINE const Acc* widened(const T* x, int64_t n, Acc* buffer) {
  if constexpr (std::is_same_v<T, Acc>) {
    return x;
  } else {
    convert(x, buffer, n);
    return buffer;
  }
}

// Calls f(inputs, result, size, offset) with chunks of inputs and of the result in the type that is computed
// in; all at once where that is T.
template <int inputs, class T, class F>
C10_ALWAYS_INLINE void map_widened(const T* const (&in)[inputs], T* out, int64_t n, const F& f) {
  using Acc = ufunc::opmath<T>;
  if constexpr (std::is_same_v<T, Acc>) {
    f(in, out, n, int64_t{0});
  } else {
    Acc wide[inputs][chunk_size], result[chunk_size];
    for (int64_t first = 0; first < n; first += chunk_size) {
      const int64_t size = std::min(chunk_size, n - first);
      const Acc* chunks[inputs];
      for (int k = 0; k < inputs; ++k) {
        convert(in[k] + first, wide[k], size);
        chunks[k] = wide[k];
      }
      f(chunks, result, size, first);
      convert(result, out + first, size);
    }
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
