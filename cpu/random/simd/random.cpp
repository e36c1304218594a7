// Random numbers on the CPU. Elements are made in groups from 16 Philox blocks (64 words) side by side; which
// block an element comes from depends on its index only, so the number of threads doesn't change results.
#include <ATen/native/RandomIntegers.h>
#include <ATen/native/RandomOps.h>
#include <ATen/native/cpu/Opaque.h>
#include <ATen/native/cpu/dropout.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/functors/host_log.h>
#include <ATen/native/functors/host_trig.h>
#include <ATen/native/functors/types.h>
#include <c10/util/FunctionRef.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t group_blocks = 16, group_words = 4 * group_blocks;

using Lanes = Vec<uint64_t>;  // 32-bit numbers in 64-bit lanes; what stands above them is ignored

// The 64-bit products of the lanes' low halves.
C10_ALWAYS_INLINE Lanes multiply_low(Lanes a, uint32_t b) {
  const Lanes factor = uint64_t{b} - Lanes{};
#if defined(__AVX512F__)
  return (Lanes)_mm512_mul_epu32((__m512i)a, (__m512i)factor);
#elif defined(__AVX2__)
  return (Lanes)_mm256_mul_epu32((__m256i)a, (__m256i)factor);
#elif defined(__SSE2__)
  return (Lanes)_mm_mul_epu32((__m128i)a, (__m128i)factor);
#else
  return (a & 0xffffffffu) * factor;
#endif
}

C10_ALWAYS_INLINE void store_low(uint32_t* words, Lanes x) {
  typedef uint32_t Half __attribute__((vector_size(vector_bytes / 2)));
  const Half low = __builtin_convertvector(x, Half);
  std::memcpy(words, &low, sizeof(low));
}

// words[w * 16 + i] is word w of block first + i.
void philox_group(uint64_t seed, uint64_t first, uint32_t* words) {
  for (int64_t i = 0; i < group_blocks; i += lanes<uint64_t>) {
    Lanes block;
    for (int lane = 0; lane < lanes<uint64_t>; ++lane) {
      block[lane] = first + i + lane;
    }
    Lanes a = block, b = block >> 32, c = {}, d = {};
    uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const Lanes p = multiply_low(a, 0xD2511F53u), q = multiply_low(c, 0xCD9E8D57u);
      a = (q >> 32) ^ b ^ uint64_t{key0};
      b = q;
      c = (p >> 32) ^ d ^ uint64_t{key1};
      d = p;
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    store_low(words + i, a);
    store_low(words + group_blocks + i, b);
    store_low(words + 2 * group_blocks + i, c);
    store_low(words + 3 * group_blocks + i, d);
  }
}

PhiloxState reserve_groups(const std::optional<Generator>& gen, int64_t groups) {
  auto* generator = get_generator_or_default<CPUGeneratorImpl>(gen, at::detail::getDefaultCPUGenerator());
  std::lock_guard<std::mutex> lock(generator->mutex_);
  return generator->reserve(static_cast<uint64_t>(groups * group_blocks));
}

// Takes the words of a group, the index of its first element and how many of its elements are wanted.
using MakeGroup = c10::function_ref<void(const uint32_t* words, int64_t first, int64_t count)>;

// Calls make for every group of `per_group` elements.
void for_each_group(int64_t numel, int64_t per_group, const std::optional<Generator>& gen, MakeGroup make) {
  const int64_t groups = (numel + per_group - 1) / per_group;
  const PhiloxState state = reserve_groups(gen, groups);
  at::parallel_for(0, groups, 256, [&](int64_t begin, int64_t end) {
    alignas(64) uint32_t words[group_words];
    for (int64_t group = begin; group < end; ++group) {
      philox_group(state.seed, state.offset + static_cast<uint64_t>(group * group_blocks), words);
      const int64_t first = group * per_group;
      make(words, first, std::min(per_group, numel - first));
    }
  });
}

// How many words a number of type F is made of, and a number uniform in [0, 1) with all of F's digits.
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
      // Rounding may reach the open end.
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

// Box-Muller: two independent normal numbers from two uniform ones, the first in (0, 1].
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
      } else {  // all 32 bits, for the sake of the tails
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

// 2^32 p, the number of words out of 2^32 that give true.
uint64_t true_words(double p) { return static_cast<uint64_t>(p * 0x1p32); }

// A one of the dtype, for elements that are one or zero.
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
    // Loaded once: what a closure holds may change under the loop's stores.
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
      // Without a branch: half of them would be mispredicted.
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
                   // Each part of a complex number has half the variance, and both have the mean.
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

template <class T>
void dropout_numbers(T* out, bool* mask, const T* in, int64_t numel, double keep, double scale) {
  using O = ufunc::opmath<T>;
  const uint64_t limit = true_words(keep);
  const bool always = limit > std::numeric_limits<uint32_t>::max();
  const uint32_t below = static_cast<uint32_t>(limit);
  const O factor = static_cast<O>(scale), rejected = always ? factor : O(0);
  for_each_group(numel, group_words, std::nullopt, [&](const uint32_t* words, int64_t first, int64_t count) {
    bool kept[group_words];
    O factors[group_words];
    for (int64_t i = 0; i < group_words; ++i) {
      kept[i] = (words[i] < below) | always;
    }
    const O yes = factor,
            no = rejected;  // loaded once: what a closure refers to may change under the loop's stores
    for (int64_t i = 0; i < group_words; ++i) {
      factors[i] = words[i] < below ? yes : no;
    }
    const auto write = [&, x = in + first, y = out + first](int64_t n) {
      T scaled[group_words];
      for (int64_t i = 0; i < n; ++i) {
        scaled[i] = static_cast<T>(static_cast<O>(x[i]) * factors[i]);
      }
      std::copy_n(scaled, n, y);
      std::copy_n(kept, n, mask + first);
    };
    if (count == group_words) {  // a constant trip count makes straight code of it
      write(group_words);
    } else {
      write(count);
    }
  });
}

void dropout_kernel(const TensorBase& output, const TensorBase& mask, const TensorBase& input, double keep,
                    double scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "native_dropout", [&] {
    dropout_numbers(output.mutable_data_ptr<scalar_t>(), mask.mutable_data_ptr<bool>(),
                    input.const_data_ptr<scalar_t>(), input.numel(), keep, scale);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(random_integers_stub, &random_integers_kernel)
REGISTER_DISPATCH(uniform_stub, &uniform_kernel)
REGISTER_DISPATCH(normal_stub, &normal_kernel)
REGISTER_DISPATCH(bernoulli_scalar_stub, &bernoulli_scalar_kernel)
REGISTER_DISPATCH(bernoulli_tensor_stub, &bernoulli_tensor_kernel)
REGISTER_DISPATCH(dropout_stub, &dropout_kernel)

}  // namespace at::native
