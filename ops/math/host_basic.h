// Host math, the basis: bit casts, fused multiply-add where it is one instruction, exact rounding, powers of
// two, polynomials. Everything is branch-free, so that loops over it vectorise from SSE2 on.
#pragma once

#include <c10/macros/Macros.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

template <class To, class From>
C10_ALWAYS_INLINE To bits(From x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}

template <class F>
using Bits = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;

// Where a fused multiply-add is one instruction, products can be split exactly with it.
#ifdef __FMA__
inline constexpr bool has_fma = true;
#else
inline constexpr bool has_fma = false;
#endif

// a * b + c, fused or not, whichever is fast.
template <class F>
C10_ALWAYS_INLINE F mad(F a, F b, F c) {
#ifdef __FMA__
  if constexpr (sizeof(F) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
#else
  return a * b + c;
#endif
}

// a * b - product: the rounding error of the product.
C10_ALWAYS_INLINE float product_residual(float a, float b, float product) {
  if constexpr (has_fma) {
    return mad(a, b, -product);
  } else {
    return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) - static_cast<double>(product));
  }
}
C10_ALWAYS_INLINE double product_residual(double a, double b, double product) {
  if constexpr (has_fma) {
    return mad(a, b, -product);
  } else {
    // Dekker's sum (1971), every product and sum of which is exact. Heads of 26 bits are cut off, not
    // rounded, so that no product overflows; the last bit of `a` apart, since the rests have 27 bits.
    constexpr uint64_t head = 0xfffffffff8000000ULL, without_last = ~uint64_t{1};
    const double ah = bits<double>(bits<uint64_t>(a) & head), al = a - ah;
    const double bh = bits<double>(bits<uint64_t>(b) & head), bl = b - bh;
    const double even = bits<double>(bits<uint64_t>(a) & without_last), middle = even - ah, last = a - even;
    return ((((ah * bh - product) + ah * bl) + al * bh) + middle * bl) + last * bl;
  }
}

// a * b + c with |c| below |a * b|, rounded once or nearly so on every target.
template <class F>
C10_ALWAYS_INLINE F careful_mad(F a, F b, F c) {
  if constexpr (has_fma) {
    return mad(a, b, c);
  } else {
    const F product = a * b;
    return product + (product_residual(a, b, product) + c);
  }
}

// c0 + x * (c1 + x * (...)).
template <class F, class C0>
C10_ALWAYS_INLINE F polynomial(F, C0 c0) {
  return F(c0);
}
template <class F, class C0, class... C>
C10_ALWAYS_INLINE F polynomial(F x, C0 c0, C... rest) {
  return mad(x, polynomial(x, rest...), F(c0));
}

// c0 + z * (c2 + z * (...)).
template <class F, class C0, class... C1>
C10_ALWAYS_INLINE F even_terms(F, C0 c0, C1...) {
  return F(c0);
}
template <class F, class C0, class C1, class C2, class... C>
C10_ALWAYS_INLINE F even_terms(F z, C0 c0, C1, C2 c2, C... rest) {
  return mad(z, even_terms(z, c2, rest...), F(c0));
}

// The same as `polynomial`, with even and odd powers apart: two independent chains of half the length.
template <class F, class C0, class... C>
C10_ALWAYS_INLINE F short_polynomial(F x, C0 c0, C... rest) {
  const F z = x * x;
  return mad(x, even_terms(z, rest...), even_terms(z, c0, rest...));
}

// Adding and subtracting 1.5 * 2^(mantissa bits) rounds to the nearest integer and leaves its two's
// complement in the low bits of the sum. Valid for |x| below a quarter of that number.
template <class F>
inline constexpr F round_magic = sizeof(F) == 4 ? F(0x1.8p23) : F(0x1.8p52);
template <class F>
inline constexpr int mantissa_bits = sizeof(F) == 4 ? 23 : 52;
template <class F>
inline constexpr int exponent_bias = sizeof(F) == 4 ? 127 : 1023;

// 2^(k + lift) for integers k for which that is normal.
template <class F>
C10_ALWAYS_INLINE F power_of_two(F k, int lift = 0) {
  const F biased = k + (round_magic<F> + (exponent_bias<F> + lift));
  return bits<F>(static_cast<Bits<F>>(bits<Bits<F>>(biased) << mantissa_bits<F>));
}

template <class F>
C10_ALWAYS_INLINE F fabs(F x) {
  return bits<F>(static_cast<Bits<F>>(bits<Bits<F>>(x) & (~Bits<F>(0) >> 1)));
}

// The minimum of two non-negative values, NaN being the largest. Float bits compare in the same order, and an
// integer minimum is one instruction where a float selection is a mask and a move.
C10_ALWAYS_INLINE float smaller(float x, float y) {
  const uint32_t a = bits<uint32_t>(x), b = bits<uint32_t>(y);
  return bits<float>(a < b ? a : b);
}
C10_ALWAYS_INLINE double smaller(double x, double y) { return x < y ? x : y; }

template <class F>
C10_ALWAYS_INLINE F copysign(F magnitude, F sign) {
  constexpr Bits<F> mask = ~Bits<F>(0) >> 1;
  return bits<F>(static_cast<Bits<F>>((bits<Bits<F>>(magnitude) & mask) | (bits<Bits<F>>(sign) & ~mask)));
}

template <class F>
C10_ALWAYS_INLINE F sqrt(F x) {
  return std::sqrt(x);
}

template <class F>
C10_ALWAYS_INLINE F floor(F x) {
  return std::floor(x);
}

template <class F>
C10_ALWAYS_INLINE F ceil(F x) {
  return std::ceil(x);
}

template <class F>
C10_ALWAYS_INLINE F trunc(F x) {
  return std::trunc(x);
}

template <class F>
C10_ALWAYS_INLINE F rint(F x) {
  return std::rint(x);
}

// sqrt(x^2 + y^2) without overflow; infinity if one of them is infinite.
C10_ALWAYS_INLINE float hypot(float x, float y) {
  const double a = x, b = y;
  const float root = static_cast<float>(std::sqrt(a * a + b * b));  // no double overflows or underflows here
  const bool infinite = (fabs(x) == __builtin_inff()) | (fabs(y) == __builtin_inff());
  return infinite ? __builtin_inff() : root;
}

C10_ALWAYS_INLINE double hypot(double x, double y) {
  const double a = fabs(x), b = fabs(y);
  const double large = a > b ? a : b;
  double scale = large > 0x1p500 ? 0x1p-600 : 1.0;
  scale = large < 0x1p-400 ? 0x1p600 : scale;
  double unscale = large > 0x1p500 ? 0x1p600 : 1.0;
  unscale = large < 0x1p-400 ? 0x1p-600 : unscale;
  const double p = a * scale, q = b * scale;
  const double root = std::sqrt(p * p + q * q) * unscale;
  const bool infinite = (a == __builtin_inf()) | (b == __builtin_inf());
  return infinite ? __builtin_inf() : root;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
