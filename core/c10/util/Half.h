// IEEE half precision: 1 sign, 5 exponent and 10 fraction bits. Arithmetic is done in float and rounded back.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/FloatOperators.h>

#include <bit>
#include <cstdint>
#include <limits>

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace c10::inline C10_ABI {

namespace detail {

/// Half to float, lane by lane: Word holds the bits, Float is as wide; both are scalars or vectors.
/// Branch-free, so that loops over it vectorize.
template <class Float, class Word>
C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr Float fp16_to_fp32(Word bits) {
  const Word sign = (bits & 0x8000) << 16;
  const Word magnitude = (bits & 0x7FFF) << 13;
  // Normal values, infinity and NaN: shift the fields, then scale by the difference of the exponents' biases.
  const Float normal = std::bit_cast<Float>(magnitude + (0xE0 << 23)) * 0x1.0p-112f;
  // Subnormal values: the fraction as the low bits of 0.5, minus 0.5.
  const Float subnormal = std::bit_cast<Float>((magnitude >> 13) | (126 << 23)) - 0.5f;
  const Word value = magnitude < (1 << 23) ? std::bit_cast<Word>(subnormal) : std::bit_cast<Word>(normal);
  return std::bit_cast<Float>(sign | value);
}

/// The bits of the halves nearest to `value` (ties to even); NaN stays NaN, overflow gives infinity.
template <class Word, class Float>
C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr Word fp16_from_fp32(Float value) {
  const Word word = std::bit_cast<Word>(value);
  const Word sign = (word >> 16) & 0x8000;
  const Word magnitude = word & 0x7FFFFFFF;
  // Adding the power of two whose last bit has the weight of the half's last bit makes the float addition
  // round.
  const Word clamped = magnitude < 0x47800000 ? magnitude : 0x47800000;  // 65536 becomes infinity
  const Word scale = clamped < 0x38800000 ? 0x38800000 : clamped & 0x7F800000;
  const Word rounded =
      std::bit_cast<Word>(std::bit_cast<Float>(clamped) + std::bit_cast<Float>(scale + (13 << 23)));
  // The leading one of a normal value is still in `fraction` and carries into the exponent.
  const Word exponent = ((rounded >> 23) - 126) << 10;
  const Word fraction = rounded & 0x0FFF;
  const Word result = magnitude > 0x7F800000 ? 0x7E00 : exponent + fraction;
  return sign | result;
}

}  // namespace detail

struct alignas(2) Half {
  uint16_t x;

  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }

  Half() = default;
  constexpr C10_HOST_DEVICE Half(uint16_t bits, from_bits_t) : x(bits) {}
#if defined(__CUDA_ARCH__)
  C10_HOST_DEVICE Half(float value) : x(__half_as_ushort(__float2half(value))) {}
  C10_HOST_DEVICE operator float() const { return __half2float(__ushort_as_half(x)); }
#else
  C10_ALWAYS_INLINE_ATTRIBUTE constexpr C10_HOST_DEVICE Half(float value)
      : x(static_cast<uint16_t>(detail::fp16_from_fp32<int32_t>(value))) {}
  C10_ALWAYS_INLINE_ATTRIBUTE constexpr C10_HOST_DEVICE operator float() const {
    return detail::fp16_to_fp32<float>(int32_t{x});
  }
#endif
#if defined(__CUDACC__)
  C10_HOST_DEVICE Half(const __half& value) : x(__half_as_ushort(value)) {}
  C10_HOST_DEVICE operator __half() const { return __ushort_as_half(x); }
#endif
};

C10_DEFINE_SMALL_FLOAT_OPERATORS(Half)

}  // namespace c10::inline C10_ABI

template <>
class std::numeric_limits<c10::Half> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false, traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2;
  static constexpr int min_exponent = -13, min_exponent10 = -4, max_exponent = 16, max_exponent10 = 4;
  static constexpr C10_HOST_DEVICE c10::Half min() { return {0x0400, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half lowest() { return {0xFBFF, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half max() { return {0x7BFF, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half epsilon() { return {0x1400, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half round_error() { return {0x3800, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half infinity() { return {0x7C00, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half quiet_NaN() { return {0x7E00, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half signaling_NaN() { return {0x7D00, c10::Half::from_bits()}; }
  static constexpr C10_HOST_DEVICE c10::Half denorm_min() { return {0x0001, c10::Half::from_bits()}; }
};
