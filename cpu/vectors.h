// The widest vectors of the CPU capability (by the compiler's vector extension), and reductions of rows with
// them. For files of cpu/*/simd.
#pragma once

#include <ATen/native/math/wrapping.h>
#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace at::native {
inline namespace CPU_CAPABILITY {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class Acc>
struct VectorOf {
  typedef Acc type __attribute__((vector_size(vector_bytes)));
};
template <class Acc>
using Vec = typename VectorOf<Acc>::type;
template <class Acc>
inline constexpr int lanes = vector_bytes / sizeof(Acc);

template <class Acc>
C10_ALWAYS_INLINE Vec<Acc> load(const Acc* p) {
  Vec<Acc> v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

// Loads elements of type T as Acc.
template <class Acc, class T>
C10_ALWAYS_INLINE Vec<Acc> load_as(const T* p) {
  if constexpr (std::is_same_v<T, Acc>) {
    return load(p);
  } else if constexpr (std::is_same_v<T, c10::BFloat16> && std::is_same_v<Acc, float>) {
    typedef uint16_t Bits __attribute__((vector_size(vector_bytes / 2)));
    Bits bits;
    std::memcpy(&bits, p, sizeof(bits));
    return reinterpret_cast<Vec<float>>(__builtin_convertvector(bits, Vec<uint32_t>) << 16);
#if defined(__AVX512F__)
  } else if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<Acc, float>) {
    return reinterpret_cast<Vec<float>>(
        _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))));
#elif defined(__F16C__)
  } else if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<Acc, float>) {
    return reinterpret_cast<Vec<float>>(
        _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
#else
  } else if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<Acc, float>) {
    typedef uint16_t Bits __attribute__((vector_size(vector_bytes / 2)));
    Bits bits;
    std::memcpy(&bits, p, sizeof(bits));
    return c10::detail::fp16_to_fp32<Vec<float>>(__builtin_convertvector(bits, Vec<int32_t>));
#endif
  } else {
    Acc wide[lanes<Acc>];
    for (int i = 0; i < lanes<Acc>; ++i) {
      wide[i] = static_cast<Acc>(p[i]);
    }
    return load(wide);
  }
}

template <class Acc>
C10_ALWAYS_INLINE void store(Acc* p, Vec<Acc> v) {
  std::memcpy(p, &v, sizeof(v));
}

// Stores Acc as elements of type T, rounded to the nearest.
template <class Acc, class T>
C10_ALWAYS_INLINE void store_as(T* p, Vec<Acc> v) {
  if constexpr (std::is_same_v<T, Acc>) {
    store(p, v);
  } else if constexpr (std::is_same_v<T, c10::BFloat16> && std::is_same_v<Acc, float>) {
    typedef uint16_t Bits __attribute__((vector_size(vector_bytes / 2)));
    const auto word = reinterpret_cast<Vec<uint32_t>>(v);
    const Vec<uint32_t> rounded = (word + 0x7FFF + ((word >> 16) & 1)) >> 16;
    const Bits bits = __builtin_convertvector(v == v ? rounded : Vec<uint32_t>{} + 0x7FC0, Bits);
    std::memcpy(static_cast<void*>(p), &bits, sizeof(bits));
#if defined(__AVX512F__)
  } else if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<Acc, float>) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                        _mm512_cvtps_ph(reinterpret_cast<__m512>(v), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
  } else if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<Acc, float>) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                     _mm256_cvtps_ph(reinterpret_cast<__m256>(v), _MM_FROUND_TO_NEAREST_INT));
#else
  } else if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<Acc, float>) {
    typedef uint16_t Bits __attribute__((vector_size(vector_bytes / 2)));
    const Bits bits = __builtin_convertvector(c10::detail::fp16_from_fp32<Vec<int32_t>>(v), Bits);
    std::memcpy(static_cast<void*>(p), &bits, sizeof(bits));
#endif
  } else {
    for (int i = 0; i < lanes<Acc>; ++i) p[i] = static_cast<T>(v[i]);
  }
}

// One element of type T as Acc, and the reverse. Conversions of Half that are written as casts are vectorised
// by the compiler, in a dozen instructions: that pays only in loops over contiguous elements.
template <class Acc, class T>
C10_ALWAYS_INLINE Acc load_one(const T* p) {
#ifdef __F16C__
  if constexpr (std::is_same_v<T, c10::Half>) return static_cast<Acc>(_cvtsh_ss(p->x));
#endif
  return static_cast<Acc>(*p);
}

template <class T, class Acc>
C10_ALWAYS_INLINE void store_one(T* p, Acc value) {
#ifdef __F16C__
  if constexpr (std::is_same_v<T, c10::Half>) {
    *p = T(_cvtss_sh(static_cast<float>(value), _MM_FROUND_TO_NEAREST_INT), T::from_bits());
    return;
  }
#endif
  *p = static_cast<T>(value);
}

// out[j] = f(in[j]...), where f takes vectors and scalars of type Acc alike.
template <class Acc, class T, class F, class... In>
C10_ALWAYS_INLINE void map_row(T* out, int64_t n, const F& f, const In*... in) {
  int64_t j = 0;
  for (; j + lanes<Acc> <= n; j += lanes<Acc>) {
    store_as<Acc>(out + j, f(load_as<Acc>(in + j)...));
  }
  for (; j < n; ++j) {
    store_one(out + j, f(load_one<Acc>(in + j)...));
  }
}

// All lanes combined: repeatedly the upper half with the lower one.
template <class Acc, class Combine>
C10_ALWAYS_INLINE Acc combine_lanes(Vec<Acc> v, const Combine& combine) {
  Acc value[lanes<Acc>];
  store(value, v);
#pragma GCC unroll 8
  for (int width = lanes<Acc> / 2; width > 0; width /= 2) {
#pragma GCC unroll 32
    for (int lane = 0; lane < width; ++lane) {
      value[lane] = combine(value[lane], value[lane + width]);
    }
  }
  return value[0];
}

template <class Acc>
C10_ALWAYS_INLINE Acc sum_lanes(Vec<Acc> v) {
  return combine_lanes<Acc>(v, [](Acc a, Acc b) { return a + b; });
}

// fold(fold(init, x[0]), x[1])... in the lanes of four vectors, whose results `combine` merges. Both take
// vectors and scalars alike.
template <class Acc, class T, class Fold, class Combine>
C10_ALWAYS_INLINE Acc fold_row(const T* x, int64_t n, Acc init, const Fold& fold, const Combine& combine) {
  constexpr int width = lanes<Acc>;
  Vec<Acc> part[4];
  for (auto& v : part) {
    v = init - Vec<Acc>{};
  }
  int64_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
      part[c] = fold(part[c], load_as<Acc>(x + i + c * width));
    }
  }
  for (; i + width <= n; i += width) {
    part[0] = fold(part[0], load_as<Acc>(x + i));
  }
  Acc result = init;
  for (; i < n; ++i) {
    result = fold(result, load_one<Acc>(x + i));
  }
  if (n >= width) {
    const Vec<Acc> all = combine(combine(part[0], part[1]), combine(part[2], part[3]));
    result = combine(result, combine_lanes<Acc>(all, combine));
  }
  return result;
}

// The maximum of a row, ignoring NaNs; minus infinity for an empty one.
template <class Acc>
C10_ALWAYS_INLINE Acc row_max(const Acc* x, int64_t n) {
  const auto larger = [](auto a, auto b) { return b > a ? b : a; };
  return fold_row(x, n, -static_cast<Acc>(__builtin_inf()), larger, larger);
}

template <class Acc, class T>
C10_ALWAYS_INLINE Acc row_sum_as(const T* x, int64_t n) {
  const auto plus = [](auto a, auto b) { return a + b; };
  return fold_row(x, n, Acc(0), plus, plus);
}

template <class Acc>
C10_ALWAYS_INLINE Acc row_sum(const Acc* x, int64_t n) {
  return row_sum_as<Acc>(x, n);
}

// The sum of a[i] * b[i].
template <class Acc, class T>
C10_ALWAYS_INLINE Acc dot_row(const T* a, const T* b, int64_t n) {
  constexpr int width = lanes<Acc>;
  Vec<Acc> part[4] = {};
  int64_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
      part[c] += load_as<Acc>(a + i + c * width) * load_as<Acc>(b + i + c * width);
    }
  }
  for (; i + width <= n; i += width) {
    part[0] += load_as<Acc>(a + i) * load_as<Acc>(b + i);
  }
  Acc result = sum_lanes<Acc>((part[0] + part[1]) + (part[2] + part[3]));
  for (; i < n; ++i) {
    result += load_one<Acc>(a + i) * load_one<Acc>(b + i);
  }
  return result;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
