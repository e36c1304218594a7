// Conversions between element types: convert<To>(x) as kernels cast, checked_convert<To>(x) with a check for
// overflow.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace c10::inline C10_ABI {

template <class T>
constexpr bool is_small_float = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
constexpr bool is_real_number = std::is_arithmetic_v<T> || is_small_float<T>;

/// Complex to real takes the real part, but complex to bool tests both parts; floating point to an unsigned
/// type goes through int64_t where that is wide enough, so that -1.0 becomes 255 of uint8_t everywhere.
template <class To, class From>
struct static_cast_with_inter_type {
  C10_HOST_DEVICE static constexpr To apply(From value) {
    if constexpr (is_complex<From>::value && std::is_same_v<To, bool>) {
      using Part = typename From::value_type;
      return static_cast_with_inter_type<bool, Part>::apply(value.real()) ||
             static_cast_with_inter_type<bool, Part>::apply(value.imag());
    } else if constexpr (is_complex<From>::value && !is_complex<To>::value) {
      return static_cast_with_inter_type<To, typename From::value_type>::apply(value.real());
    } else if constexpr (is_complex<To>::value && !is_complex<From>::value) {
      using Part = typename To::value_type;
      return To(static_cast_with_inter_type<Part, From>::apply(value), Part(0.0f));
    } else if constexpr (is_complex<To>::value) {
      using Part = typename To::value_type;
      return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    } else if constexpr (std::is_same_v<To, bool> && is_small_float<From>) {
      return static_cast<float>(value) != 0.0f;
    } else if constexpr (std::is_unsigned_v<To> && !std::is_same_v<To, bool> &&
                         (std::is_floating_point_v<From> || is_small_float<From>)) {
      const double wide = static_cast<double>(value);
      if constexpr (sizeof(To) == 8) {
        if (wide >= 0x1p63) return static_cast<To>(wide);
      }
      return static_cast<To>(static_cast<int64_t>(wide));
    } else if constexpr (is_small_float<From>) {
      return static_cast<To>(static_cast<float>(value));
    } else if constexpr (is_small_float<To>) {
      return To(static_cast<float>(value));
    } else {
      return static_cast<To>(value);
    }
  }
};

template <class To, class From>
C10_HOST_DEVICE constexpr To convert(From value) {
  return static_cast_with_inter_type<To, From>::apply(value);
}

/// Whether `value` overflows To. Infinity and NaN are allowed where To has them; a negative integer wraps
/// around in an unsigned To unless strict_unsigned.
template <class To, class From>
constexpr bool overflows(From value, bool strict_unsigned = false) {
  if constexpr (std::is_same_v<To, From> || std::is_same_v<To, bool>) {
    return false;
  } else if constexpr (is_complex<From>::value) {
    if constexpr (is_complex<To>::value) {
      using Part = typename To::value_type;
      return overflows<Part>(value.real()) || overflows<Part>(value.imag());
    } else {
      return value.imag() != 0 || overflows<To>(value.real(), strict_unsigned);
    }
  } else if constexpr (is_complex<To>::value) {
    return overflows<typename To::value_type>(value);
  } else if constexpr (std::is_same_v<From, bool>) {
    return false;
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    if constexpr (std::is_unsigned_v<To> && std::is_signed_v<From>) {
      if (value < 0) {
        if (strict_unsigned) return true;
        return uint64_t{0} - static_cast<uint64_t>(value) >
               static_cast<uint64_t>(std::numeric_limits<To>::max());
      }
      return static_cast<uint64_t>(value) > static_cast<uint64_t>(std::numeric_limits<To>::max());
    } else if constexpr (std::is_unsigned_v<From>) {
      return static_cast<uint64_t>(value) > static_cast<uint64_t>(std::numeric_limits<To>::max());
    } else {
      return static_cast<int64_t>(value) < std::numeric_limits<To>::lowest() ||
             static_cast<int64_t>(value) > std::numeric_limits<To>::max();
    }
  } else if constexpr (std::is_integral_v<From> && std::numeric_limits<To>::max_exponent > 64) {
    return false;                                   // a floating type whose range exceeds every integer's
  } else if constexpr (std::is_integral_v<From>) {  // to half
    const double wide = static_cast<double>(value);
    return wide > static_cast<double>(std::numeric_limits<To>::max()) ||
           wide < static_cast<double>(std::numeric_limits<To>::lowest());
  } else {
    const double wide = static_cast<double>(value);
    const double max = static_cast<double>(std::numeric_limits<To>::max());
    if constexpr (std::is_integral_v<To>) {
      // NaN fails every comparison. max + 1 is exact in double; the max of 64 bits isn't.
      const double limit = std::numeric_limits<To>::digits >= 53 ? max : max + 1.0;
      const double least = static_cast<double>(std::numeric_limits<To>::lowest());
      return !(wide >= least && wide < limit);
    } else {
      if (wide != wide || wide - wide != 0.0) return false;  // NaN, infinity
      return wide > max || wide < -max;
    }
  }
}

[[noreturn]] C10_API C10_COLD void report_overflow(const char* type_name);

/// The value as To, or an error "value cannot be converted to type NAME without overflow".
template <class To, class From>
To checked_convert(From value, const char* type_name) {
  if (C10_UNLIKELY((overflows<To, From>(value)))) report_overflow(type_name);
  return convert<To>(value);
}

}  // namespace c10::inline C10_ABI
