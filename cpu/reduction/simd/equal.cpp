// equal over contiguous memory (see cpu/ContiguousKernels.h).

#include <ATen/Dispatch.h>
#include <ATen/native/cpu/ContiguousKernels.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Between two tests of the result the loop has no branch.
constexpr int64_t block = 1024;

template <class T>
bool equal_elements(const T* a, const T* b, int64_t n) {
  for (int64_t start = 0; start < n; start += block) {
    const int64_t end = std::min(start + block, n);
    int32_t differs = 0;
    for (int64_t i = start; i < end; ++i) differs |= !(a[i] == b[i]);
    if (differs) return false;
  }
  return true;
}

// Bits of half precision compare like values, except for NaN and the two zeros, which are made one.
bool equal_16_bit_floats(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t infinity) {
  for (int64_t start = 0; start < n; start += block) {
    const int64_t end = std::min(start + block, n);
    int32_t differs = 0;
    for (int64_t i = start; i < end; ++i) {
      const bool is_nan = (a[i] & 0x7fff) > infinity;
      const bool both_zero = ((a[i] | b[i]) & 0x7fff) == 0;
      differs |= is_nan | ((a[i] != b[i]) & !both_zero);
    }
    if (differs) return false;
  }
  return true;
}

bool equal_kernel(const void* a, const void* b, ScalarType dtype, int64_t n) {
  switch (dtype) {
    case ScalarType::Float:
      return equal_elements(static_cast<const float*>(a), static_cast<const float*>(b), n);
    case ScalarType::Double:
      return equal_elements(static_cast<const double*>(a), static_cast<const double*>(b), n);
    case ScalarType::ComplexFloat:
      return equal_elements(static_cast<const float*>(a), static_cast<const float*>(b), 2 * n);
    case ScalarType::ComplexDouble:
      return equal_elements(static_cast<const double*>(a), static_cast<const double*>(b), 2 * n);
    case ScalarType::Half:
      return equal_16_bit_floats(static_cast<const uint16_t*>(a), static_cast<const uint16_t*>(b), n, 0x7c00);
    case ScalarType::BFloat16:
      return equal_16_bit_floats(static_cast<const uint16_t*>(a), static_cast<const uint16_t*>(b), n, 0x7f80);
    default:
      return std::memcmp(a, b, static_cast<size_t>(n) * c10::elementSize(dtype)) == 0;
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(equal_stub, &equal_kernel)

}  // namespace at::native
