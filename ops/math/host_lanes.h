// Host math: decisions that are made once per SIMD vector. A function declared with the `simd` attribute has
// variants by the vector function ABI, which vectorised loops call; they are defined local to each object
// file.
#pragma once

#include <ATen/native/math/host_basic.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// `function` of every lane of x.
template <class V, class Function>
C10_ALWAYS_INLINE V each_lane(V x, Function function) {
  if constexpr (std::is_floating_point_v<V>) {
    return function(x);
  } else {
    V y;
    for (size_t i = 0; i < sizeof(V) / sizeof(x[0]); ++i) {
      y[i] = function(x[i]);
    }
    return y;
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define AT_HAS_VECTOR_VARIANTS 1
#include <immintrin.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// Whether any lane of a comparison is true.
template <class Mask>
C10_ALWAYS_INLINE bool any_lane(Mask mask) {
#ifdef __AVX512BW__
  if constexpr (sizeof(Mask) == 64) {
    return _mm512_movepi8_mask(bits<__m512i>(mask)) != 0;
  }
#endif
#ifdef __AVX2__
  if constexpr (sizeof(Mask) == 32) {
    return _mm256_movemask_epi8(bits<__m256i>(mask)) != 0;
  }
#endif
  if constexpr (sizeof(Mask) == 16) {
    return _mm_movemask_epi8(bits<__m128i>(mask)) != 0;
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host

// Definitions of the variants of `name` for F by `function`, a template of a vector of F or one F; their
// names are those of the ABI, _ZGV<instruction set>N<lanes>v_<name>.
#define AT_VARIANT_LOCAL(type, local, symbol)                      \
  __attribute__((used)) static type local(type x) __asm__(symbol); \
  static type local(type x)
#define AT_VARIANT(F, isa, lanes, name, function)                                                   \
  typedef F name##_lanes##lanes __attribute__((vector_size(sizeof(F) * lanes)));                    \
  AT_VARIANT_LOCAL(name##_lanes##lanes, name##_variant##lanes, "_ZGV" #isa "N" #lanes "v_" #name) { \
    return function(x);                                                                             \
  }
#ifdef __AVX2__
#define AT_VARIANT_256(...) AT_VARIANT(__VA_ARGS__)
#else
#define AT_VARIANT_256(...)
#endif
#ifdef __AVX512F__
#define AT_VARIANT_512(...) AT_VARIANT(__VA_ARGS__)
#else
#define AT_VARIANT_512(...)
#endif
#define AT_VARIANTS(F, lanes128, lanes256, lanes512, name, function) \
  AT_VARIANT_LOCAL(F, name##_scalar, #name) { return function(x); }  \
  AT_VARIANT(F, b, lanes128, name, function)                         \
  AT_VARIANT_256(F, d, lanes256, name, function)                     \
  AT_VARIANT_512(F, e, lanes512, name, function)
#define AT_FLOAT_VARIANTS(name, function) AT_VARIANTS(float, 4, 8, 16, name, function)
#define AT_DOUBLE_VARIANTS(name, function) AT_VARIANTS(double, 2, 4, 8, name, function)

#endif
