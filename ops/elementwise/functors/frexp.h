// frexp: the mantissa and the exponent of a float or double, by its bits.
#pragma once

#include <ATen/native/math/math.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

namespace detail {

// The bits of a float or double; the exponent's count from that of 0.5.
template <class O>
struct FloatBits {
  using Word = std::conditional_t<sizeof(O) == 4, int32_t, int64_t>;
  static constexpr int fraction = std::numeric_limits<O>::digits - 1;
  static constexpr int bias = std::numeric_limits<O>::max_exponent;
  static constexpr Word exponent = 2 * bias - 1;  // all bits of the field
  static constexpr O least = std::numeric_limits<O>::min(), most = std::numeric_limits<O>::max();

  Word word;
  int32_t shift;  // of subnormals, which are scaled first

  C10_HOST_DEVICE C10_ALWAYS_INLINE explicit FloatBits(O x) {
    const bool small = math::fabs(x) < least;
    const O scaled = small ? x * static_cast<O>(Word(1) << fraction) : x;
    word = __builtin_bit_cast(Word, scaled);
    shift = small ? -fraction : 0;
  }
};

// Zeros, infinities and NaN are their own mantissas.
template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE bool stays_whole(O x) {
  return x == O(0) || !(math::fabs(x) <= FloatBits<O>::most);
}

}  // namespace detail

template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE O frexp_mantissa(O x) {
  using Bits = detail::FloatBits<O>;
  using Word = typename Bits::Word;
  constexpr Word field = Bits::exponent << Bits::fraction, half = Word(Bits::bias - 2) << Bits::fraction;
  const O mantissa = __builtin_bit_cast(O, (Bits(x).word & ~field) | half);
  return detail::stays_whole(x) ? x : mantissa;
}

template <class O>
C10_HOST_DEVICE C10_ALWAYS_INLINE int32_t frexp_exponent(O x) {
  using Bits = detail::FloatBits<O>;
  const Bits bits(x);
  const auto field = static_cast<int32_t>(bits.word >> Bits::fraction & Bits::exponent);
  return detail::stays_whole(x) ? 0 : field - (Bits::bias - 2) + bits.shift;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
