// Compute types of the scalar functions: which type a dtype computes in, and how integers wrap.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace at::native::ufunc {
inline namespace CPU_CAPABILITY {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, c10::Half> || std::is_same_v<T, c10::BFloat16>;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<c10::complex<T>> = true;

template <class T>
inline constexpr bool is_int = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
struct Opmath {
  using type = std::conditional_t<is_half<T>, float, T>;
};

template <>
struct Opmath<c10::complex<c10::Half>> {
  using type = c10::complex<float>;
};

// The compute type of T: float for the 16-bit floats, T itself otherwise.
template <class T>
using opmath = typename Opmath<T>::type;

// The dtype whose loop handles elements stored as `stored`: for limited types a wider one that has their
// values. There is none for uint64_t, but int64_t has the same bits where a functor doesn't depend on the
// sign.
constexpr c10::ScalarType computed_dtype(c10::ScalarType stored, bool ignores_sign) {
  if (stored == c10::kComplexHalf) return c10::kComplexFloat;
  return c10::isLimitedType(stored) && (stored != c10::kUInt64 || ignores_sign) ? c10::kLong : stored;
}

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<c10::complex<T>> {
  using type = T;
};

// The real type under a complex one, T itself otherwise.
template <class T>
using real_of = typename RealOf<T>::type;

template <class T, bool = is_int<T>>
struct Wrapping {
  using type = T;
};
template <class T>
struct Wrapping<T, true> {
  // 8 and 16 bit types go through unsigned int, too: their products would be signed ints otherwise.
  using type = std::conditional_t<(sizeof(T) < sizeof(int)), unsigned, std::make_unsigned_t<T>>;
};

// Integers in the type whose arithmetic wraps around; everything else in its opmath type.
template <class T>
using wrapping = std::conditional_t<is_int<T>, typename Wrapping<T>::type, opmath<T>>;

// A 16-bit float that a functor makes from bits. Loops on the CPU pass such a functor the 16-bit floats
// themselves; all others get floats.
template <class T>
struct OfBits : T {
  constexpr explicit OfBits(uint16_t bits) : T(bits, T::from_bits()) {}
};
template <class T>
inline constexpr bool is_of_bits = false;
template <class T>
inline constexpr bool is_of_bits<OfBits<T>> = true;

template <class T, bool = is_half<T>>
struct ByBits {
  using type = T;
};
#ifndef __CUDACC__
template <class T>
struct ByBits<T, true> {
  using type = OfBits<T>;
};
#endif

// The result of a functor on T that works on the bits of the 16-bit floats.
template <class T>
using by_bits = typename ByBits<T>::type;

template <class T>
C10_HOST_DEVICE C10_ALWAYS_INLINE by_bits<T> half_of_bits(uint16_t bits) {
#ifdef __CUDACC__
  return T(bits, T::from_bits());
#else
  return by_bits<T>(bits);
#endif
}

#ifndef __CUDACC__
// The name of a functor as a template argument.
template <size_t n>
struct Name {
  consteval Name(const char (&text)[n]) { std::copy_n(text, n, value); }
  char value[n];
};

// Whether loops call the functor with whole registers of float and double, too (Loops.h).
template <Name name>
inline constexpr std::false_type takes_registers{};

// Whether a functor of two values is so cheap that loops also have a variant with one of them a scalar: for
// others the scalar fills a buffer (Loops.h).
template <Name name>
inline constexpr std::false_type takes_numbers{};

// Whether a functor of integers gives the same bits for signed and unsigned ones.
template <Name name>
inline constexpr bool ignores_sign = false;
#endif

}  // namespace CPU_CAPABILITY
}  // namespace at::native::ufunc
