// bfloat16: the upper half of a float. Arithmetic is done in float and rounded back (ties to even).
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/FloatOperators.h>

#include <bit>
#include <cstdint>
#include <limits>

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#endif

namespace c10::inline C10_ABI {

namespace detail {

C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr float f32_from_bits(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

/// The bfloat16 nearest to `value` (ties to even); every NaN becomes the quiet NaN 0x7FC0.
C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr uint16_t round_to_nearest_even(float value) {
  const uint32_t word = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (word + 0x7FFFu + ((word >> 16) & 1u)) >> 16;
  return static_cast<uint16_t>((word & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC0u : rounded);
}

}  // namespace detail

struct alignas(2) BFloat16 {
  uint16_t x;

  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }

  BFloat16() = default;
  constexpr C10_HOST_DEVICE BFloat16(uint16_t bits, from_bits_t) : x(bits) {}
  C10_ALWAYS_INLINE_ATTRIBUTE constexpr C10_HOST_DEVICE BFloat16(float value)
      : x(detail::round_to_nearest_even(value)) {}
  C10_ALWAYS_INLINE_ATTRIBUTE constexpr C10_HOST_DEVICE operator float() const {
    return detail::f32_from_bits(x);
  }
#if defined(__CUDACC__)
  C10_HOST_DEVICE BFloat16(const __nv_bfloat16& value) : x(__bfloat16_as_ushort(value)) {}
  C10_HOST_DEVICE explicit operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
#endif
};

C10_DEFINE_SMALL_FLOAT_OPERATORS(BFloat16)

}  // namespace c10::inline C10_ABI

template <>
class std::numeric_limits<c10::BFloat16> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = false, is_bounded = true, is_modulo = false, traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4, radix = 2;
  static constexpr int min_exponent = -125, min_exponent10 = -37, max_exponent = 128, max_exponent10 = 38;
  static constexpr C10_HOST_DEVICE c10::BFloat16 min() { return {0x0080, c10::BFloat16::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::BFloat16 lowest() { return {0xFF7F, c10::BFloat16::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::BFloat16 max() { return {0x7F7F, c10::BFloat16::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::BFloat16 epsilon() { return {0x3C00, c10::BFloat16::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::BFloat16 round_error() {
    return {0x3F00, c10::BFloat16::from_bits()};
  }
  static constexpr C10_HOST_DEVICE c10::BFloat16 infinity() { return {0x7F80, c10::BFloat16::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::BFloat16 quiet_NaN() { return {0x7FC0, c10::BFloat16::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::BFloat16 signaling_NaN() {
    return {0x7F81, c10::BFloat16::from_bits()};
  }
  static constexpr C10_HOST_DEVICE c10::BFloat16 denorm_min() { return {0x0001, c10::BFloat16::from_bits()}; }
};
