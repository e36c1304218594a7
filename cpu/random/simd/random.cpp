// Random numbers on the CPU, made in groups (cpu/random/groups.h).
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/random/groups.h>
#include <ATen/native/random/random_integers.h>
#include <ATen/native/random/stubs.h>

#include <ATen/Dispatch_v2.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/math/host_log.h>
#include <ATen/native/math/host_trig.h>
#include <ATen/native/math/types.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The number of words for a value of type F, and a value uniform in [0, 1) with all of F's digits.
template <class F>
constexpr int64_t words_per_number = sizeof(F) == 8 ? 2 : 1;
template <class F>
constexpr int64_t numbers_per_group = group_words / words_per_number<F>;

template <class F>
C10_ALWAYS_INLINE F unit_uniform(const uint32_t* words, int64_t i, int digits) {
  if constexpr (sizeof(F) == 8) {
    const uint64_t high = words[i], low = words[group_words / 2 + i];
    return static_cast<double>(static_cast<int64_t>((high << 21) | (low >> 11))) * 0x1p-53;
  } else {
    return static_cast<float>(static_cast<int32_t>(words[i] >> (32 - digits))) *
           (1.0f / static_cast<float>(1 << digits));
  }
}

template <class T, class F>
void fill_uniform(T* out, int64_t numel, F from, F to, const std::optional<Generator>& gen) {
  constexpr int digits = std::min(24, std::numeric_limits<T>::digits);
  const F range = to - from;
  for_each_group(numel, numbers_per_group<F>, gen, [&](const uint32_t* words, int64_t first, int64_t count) {
    T group[numbers_per_group<F>];
    for (int64_t i = 0; i < numbers_per_group<F>; ++i) {
      store_one(group + i, unit_uniform<F>(words, i, digits) * range + from);
      // Rounding may give the open end of the interval.
      if (load_one<F>(group + i) >= to) store_one(group + i, from);
    }
    std::copy_n(group, count, out + first);
  });
}

template <class T>
void fill_integers(T* out, int64_t numel, uint64_t range, int64_t base, const std::optional<Generator>& gen) {
  const auto number = [base](uint64_t x) {
    return static_cast<T>(static_cast<int64_t>(x + static_cast<uint64_t>(base)));
  };
  if (is_narrow(range)) {
    constexpr int64_t half = group_words / 2;
    for_each_group(numel, half, gen, [&](const uint32_t* words, int64_t first, int64_t count) {
      T group[half];
      for (int64_t i = 0; i < half; ++i) group[i] = number(narrow_integer(words[i], words[half + i], range));
      std::copy_n(group, count, out + first);
    });
    return;
  }
  for_each_group(numel, group_blocks, gen, [&](const uint32_t* words, int64_t first, int64_t count) {
    const auto word = [words](int64_t w, int64_t i) { return uint64_t{words[w * group_blocks + i]}; };
    for (int64_t i = 0; i < count; ++i) {
      out[first + i] =
          number(wide_integer(word(0, i) << 32 | word(1, i), word(2, i) << 32 | word(3, i), range));
    }
  });
}

// Box-Muller: two independent normal values from two uniform ones, the first in (0, 1].
template <class T, class F>
void fill_normal(T* out, int64_t numel, F mean, F std, const std::optional<Generator>& gen) {
  namespace host = at::native::math::host;
  constexpr int64_t pairs = numbers_per_group<F> / 2;
  for_each_group(numel, 2 * pairs, gen, [&](const uint32_t* words, int64_t first, int64_t count) {
    T group[2 * pairs];
    for (int64_t i = 0; i < pairs; ++i) {
      F u;
      if constexpr (sizeof(F) == 8) {
        u = 1.0 - unit_uniform<F>(words, i, 0);
      } else {  // all 32 bits, for the tails' sake
        u = (static_cast<float>(static_cast<int32_t>(words[i] >> 8)) * 256.0f +
             static_cast<float>(static_cast<int32_t>(words[i] & 255)) + 1.0f) *
            0x1p-32f;
      }
      const F angle = unit_uniform<F>(words, pairs + i, 24) * F(6.283185307179586477);
      const F radius = host::sqrt(F(-2) * host::log(u)) * std;
      group[i] = static_cast<T>(radius * host::near_wave<host::Wave::Cosine>(angle) + mean);
      group[pairs + i] = static_cast<T>(radius * host::near_wave<host::Wave::Sine>(angle) + mean);
    }
    std::copy_n(group, count, out + first);
  });
}

// The bits of 1 in the dtype, for elements that are 1 or 0.
uint64_t bits_of_one(ScalarType dtype) {
  return AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, dtype, "bernoulli_", [] {
    const scalar_t one(1);
    uint64_t bits = 0;
    std::memcpy(&bits, &one, sizeof(one));
    return bits;
  });
}

// Calls fill(out, one), both as unsigned integers of the elements' size.
template <class Fill>
void fill_with_ones(const TensorBase& self, const Fill& fill) {
  const uint64_t one = bits_of_one(self.scalar_type());
  with_opaque_type(self.itemsize(), [&](auto type) {
    using Bits = decltype(type);
    if constexpr (std::is_integral_v<Bits>) {
      fill(static_cast<Bits*>(self.mutable_data_ptr()), static_cast<Bits>(one));
    }
  });
}

template <class Bits>
void fill_bernoulli(Bits* out, Bits one, int64_t numel, double p, const std::optional<Generator>& gen) {
  const uint64_t limit = true_words(p);
  const Bits otherwise = limit > std::numeric_limits<uint32_t>::max() ? one : Bits(0);
  for_each_group(numel, group_words, gen, [=](const uint32_t* words, int64_t first, int64_t count) {
    // Loaded once: the compiler can't tell that stores in the loop don't change captured variables.
    const uint32_t below = static_cast<uint32_t>(limit);
    const Bits yes = one, no = otherwise;
    Bits group[group_words];
    for (int64_t i = 0; i < group_words; ++i) group[i] = words[i] < below ? yes : no;
    std::copy_n(group, count, out + first);
  });
}

template <class Bits, class P>
void fill_bernoulli_tensor(Bits* out, Bits one, const P* p, int64_t numel,
                           const std::optional<Generator>& gen) {
  for_each_group(numel, group_words, gen, [=](const uint32_t* words, int64_t first, int64_t count) {
    const Bits yes = one;
    const P* chances = p + first;
    Bits* to = out + first;
    for (int64_t i = 0; i < count; ++i) {
      const P chance = chances[i];
      TORCH_CHECK(chance >= P(0) && chance <= P(1),
                  "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
      // Branch-free: half of the branches would be mispredicted.
      to[i] = static_cast<Bits>(-static_cast<int>(words[i] * 0x1p-32 < static_cast<double>(chance))) & yes;
    }
  });
}

void random_integers_kernel(const TensorBase& self, uint64_t range, int64_t base,
                            std::optional<Generator> gen) {
  AT_DISPATCH_V2(self.scalar_type(), "random_", AT_WRAP([&] {
                   fill_integers(self.mutable_data_ptr<scalar_t>(), self.numel(), range, base, gen);
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kBool, kHalf, kBFloat16, AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
}

void uniform_kernel(const TensorBase& self, double from, double to, std::optional<Generator> gen) {
  AT_DISPATCH_V2(self.scalar_type(), "uniform_", AT_WRAP([&] {
                   using real_t = ufunc::real_of<scalar_t>;
                   using F = ufunc::opmath<real_t>;
                   auto* out = static_cast<real_t*>(self.mutable_data_ptr());
                   fill_uniform(out, self.numel() * (ufunc::is_complex<scalar_t> ? 2 : 1),
                                static_cast<F>(from), static_cast<F>(to), gen);
                 }),
                 AT_EXPAND(AT_FLOATING_AND_COMPLEX_TYPES), kHalf, kBFloat16, kComplexHalf);
}

void normal_kernel(const TensorBase& self, double mean, double std, std::optional<Generator> gen) {
  AT_DISPATCH_V2(self.scalar_type(), "normal_", AT_WRAP([&] {
                   using real_t = ufunc::real_of<scalar_t>;
                   using F = ufunc::opmath<real_t>;
                   auto* out = static_cast<real_t*>(self.mutable_data_ptr());
                   // Real and imaginary parts each have half the variance, and both have the mean.
                   constexpr bool parts = ufunc::is_complex<scalar_t>;
                   fill_normal(out, parts ? 2 * self.numel() : self.numel(), static_cast<F>(mean),
                               static_cast<F>(parts ? std * 0.70710678118654752440 : std), gen);
                 }),
                 AT_EXPAND(AT_FLOATING_AND_COMPLEX_TYPES), kHalf, kBFloat16, kComplexHalf);
}

void bernoulli_scalar_kernel(const TensorBase& self, double p, std::optional<Generator> gen) {
  fill_with_ones(self, [&](auto* out, auto one) { fill_bernoulli(out, one, self.numel(), p, gen); });
}

void bernoulli_tensor_kernel(const TensorBase& self, const TensorBase& p, std::optional<Generator> gen) {
  fill_with_ones(self, [&](auto* out, auto one) {
    if (p.scalar_type() == kDouble) {
      fill_bernoulli_tensor(out, one, p.const_data_ptr<double>(), self.numel(), gen);
    } else {
      fill_bernoulli_tensor(out, one, p.const_data_ptr<float>(), self.numel(), gen);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(random_integers_stub, &random_integers_kernel)
REGISTER_DISPATCH(uniform_stub, &uniform_kernel)
REGISTER_DISPATCH(normal_stub, &normal_kernel)
REGISTER_DISPATCH(bernoulli_scalar_stub, &bernoulli_scalar_kernel)
REGISTER_DISPATCH(bernoulli_tensor_stub, &bernoulli_tensor_kernel)

}  // namespace at::native
