// A Scalar as the bytes of one element, for kernels that only move them.
#pragma once

#include <ATen/Dispatch_v2.h>
#include <c10/core/Scalar.h>

#include <cstring>

namespace at::native {

struct ScalarBits {
  alignas(16) char bytes[16];
};

inline ScalarBits bits_of(const Scalar& value, ScalarType dtype) {
  ScalarBits bits{};
  AT_DISPATCH_V2(dtype, "fill_cuda", AT_WRAP([&] {
                   const auto converted = value.to<scalar_t>();
                   std::memcpy(bits.bytes, &converted, sizeof(converted));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
  return bits;
}

}  // namespace at::native
