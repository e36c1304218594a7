// nextafter.
#pragma once

#include <ATen/native/math/types.h>

#include <cstdint>
#include <type_traits>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

// The next value from self towards other. Values of one sign are ordered like their bits.
template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T nextafter(T self, T other) {
  using Bits =
      std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  using O = opmath<T>;
  const O x = static_cast<O>(self), y = static_cast<O>(other);
  constexpr Bits sign = static_cast<Bits>(Bits(1) << (sizeof(T) * 8 - 1));
  const Bits bits = __builtin_bit_cast(Bits, self), other_bits = __builtin_bit_cast(Bits, other);
  const bool away = (y > x) == (x > O(0));
  const Bits moved = static_cast<Bits>(away ? bits + 1 : bits - 1);
  const Bits from_zero = static_cast<Bits>((other_bits & sign) | Bits(1));
  const T next = __builtin_bit_cast(T, x == O(0) ? from_zero : moved);
  const T met = x == y ? other : next;
  return (x != x) | (y != y) ? static_cast<T>(x + y) : met;
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
