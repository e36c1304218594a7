// Conversions of 16-bit floats in vectors and one by one, against those of the types themselves: every number
// widened, floats of the whole range narrowed. Compiled once per CPU capability, for each has instructions of
// its own.
#include "check.h"

#include <ATen/native/cpu/vectors.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

using namespace at::native;

bool same(float a, float b) { return std::isnan(a) ? std::isnan(b) : std::memcmp(&a, &b, sizeof(a)) == 0; }

template <class T>
void widening_equals_the_types() {
  long wrong = 0;
  T numbers[lanes<float>];
  float wide[lanes<float>];
  for (uint32_t first = 0; first < 65536; first += lanes<float>) {
    for (uint32_t k = 0; k < lanes<float>; ++k) {
      numbers[k] = T(static_cast<uint16_t>(first + k), T::from_bits());
    }
    store<float>(wide, load_as<float>(numbers));
    for (int k = 0; k < lanes<float>; ++k) {
      const float expected = numbers[k];
      wrong += !same(wide[k], expected) + !same(load_one<float>(numbers + k), expected);
    }
  }
  CHECK_EQ(wrong, 0);
}

template <class T>
void narrowing_equals_the_types() {
  long wrong = 0;
  float wide[lanes<float>];
  T numbers[lanes<float>], one;
  for (uint64_t first = 0; first < (uint64_t{1} << 32); first += 1009 * lanes<float>) {
    for (uint32_t k = 0; k < lanes<float>; ++k) {
      const auto bits = static_cast<uint32_t>(first + 1009 * k);
      std::memcpy(wide + k, &bits, sizeof(bits));
    }
    store_as<float>(numbers, load(wide));
    for (int k = 0; k < lanes<float>; ++k) {
      const float expected = T(wide[k]);
      store_one(&one, wide[k]);
      wrong += !same(numbers[k], expected) + !same(one, expected);
    }
  }
  CHECK_EQ(wrong, 0);
}

}  // namespace

int main() {
#if defined(CPU_CAPABILITY_AVX512)
  if (!__builtin_cpu_supports("avx512f")) return 77;  // counts as skipped
#elif defined(CPU_CAPABILITY_AVX2)
  if (!__builtin_cpu_supports("avx2")) return 77;
#endif
  check::run("Half widened", widening_equals_the_types<c10::Half>);
  check::run("Half narrowed", narrowing_equals_the_types<c10::Half>);
  check::run("BFloat16 widened", widening_equals_the_types<c10::BFloat16>);
  check::run("BFloat16 narrowed", narrowing_equals_the_types<c10::BFloat16>);
  return check::result();
}
