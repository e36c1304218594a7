// Filling with random integers: the math and its kernels' stub, one implementation per device.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>
#include <c10/macros/Macros.h>

#include <cstdint>
#include <optional>

namespace at::native {

/// base + a uniform integer in [0, range), modulo 2^64; range 0 stands for 2^64. Real dtypes and bool; self
/// is contiguous.
using random_integers_fn = void (*)(const TensorBase& self, uint64_t range, int64_t base,
                                    std::optional<Generator> gen);
DECLARE_DISPATCH(random_integers_fn, random_integers_stub)

/// Ranges for which 64 random bits are enough: the bias is below 2^-32 of a value's probability. Wider ones
/// use 128 bits.
constexpr bool is_narrow(uint64_t range) { return range != 0 && range <= uint64_t{1} << 32; }

/// Random bits, as a fraction of 1, times the range.
C10_HOST_DEVICE C10_ALWAYS_INLINE uint64_t narrow_integer(uint32_t high, uint32_t low, uint64_t range) {
  return (high * range + (low * range >> 32)) >> 32;
}
C10_HOST_DEVICE C10_ALWAYS_INLINE uint64_t wide_integer(uint64_t high, uint64_t low, uint64_t range) {
  if (range == 0) return high;
  using Wide = unsigned __int128;
  return static_cast<uint64_t>((Wide{high} * range + (Wide{low} * range >> 64)) >> 64);
}

}  // namespace at::native
