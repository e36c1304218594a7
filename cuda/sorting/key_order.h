// Elements of a dtype as unsigned keys of the same order, computed from their bits: one kernel sorts all
// dtypes.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cstdint>

namespace at::native {

struct KeyOrder {
  int bytes = 0;
  uint64_t mask = 0;      // all bits of an element
  uint64_t sign = 0;      // of types that have one
  uint64_t infinity = 0;  // its bits, 0 for integers
  uint64_t flip = 0;      // the mask for descending order

  C10_HOST_DEVICE bool has_nan() const { return infinity != 0; }
  C10_HOST_DEVICE uint64_t nan_key() const { return mask ^ flip; }

  /// All NaNs have one key above all numbers, both zeros have the same key.
  C10_HOST_DEVICE uint64_t key(uint64_t bits) const {
    if (!has_nan()) return bits ^ sign ^ flip;
    const uint64_t magnitude = bits & ~sign;
    uint64_t key = (bits & sign) != 0 ? ~bits & mask : bits | sign;
    if (magnitude == 0) key = sign;
    if (magnitude > infinity) key = mask;
    return key ^ flip;
  }

  /// Whether only one element has the key, and which.
  C10_HOST_DEVICE bool is_of_one(uint64_t key) const {
    return !has_nan() || ((key ^ flip) != sign && (key ^ flip) != mask);
  }
  C10_HOST_DEVICE uint64_t bits(uint64_t key) const {
    const uint64_t ascending = key ^ flip;
    if (!has_nan()) return ascending ^ sign;
    return (ascending & sign) != 0 ? ascending ^ sign : ~ascending & mask;
  }
};

inline KeyOrder key_order(ScalarType dtype, bool descending, const char* name) {
  KeyOrder order;
  order.bytes = static_cast<int>(c10::elementSize(dtype));
  switch (dtype) {
    case ScalarType::Bool:
    case ScalarType::Byte:
    case ScalarType::Char:
    case ScalarType::Short:
    case ScalarType::Int:
    case ScalarType::Long:
      break;
    case ScalarType::Half:
      order.infinity = 0x7c00;
      break;
    case ScalarType::BFloat16:
      order.infinity = 0x7f80;
      break;
    case ScalarType::Float:
      order.infinity = 0x7f800000;
      break;
    case ScalarType::Double:
      order.infinity = 0x7ff0000000000000;
      break;
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "\"", name, "\" not implemented for '", c10::toString(dtype), "'");
  }
  order.mask = ~uint64_t{0} >> (64 - 8 * order.bytes);
  const bool is_unsigned = dtype == ScalarType::Bool || dtype == ScalarType::Byte;
  order.sign = is_unsigned ? 0 : uint64_t{1} << (8 * order.bytes - 1);
  order.flip = descending ? order.mask : 0;
  return order;
}

}  // namespace at::native
