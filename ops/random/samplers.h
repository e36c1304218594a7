// Random numbers that take a varying number of uniform ones: each element has a stream of its own, so that
// values depend on an element's index only, not on the number of threads.
#pragma once

#include <ATen/core/PhiloxRNGEngine.h>
#include <ATen/native/elementwise/functors/incomplete_gamma.h>
#include <c10/macros/Macros.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace at::native::samplers {

// Uniform numbers in (0, 1): those of one block of each of Philox's subsequences.
class Stream {
 public:
  C10_HOST_DEVICE Stream(uint64_t seed, uint64_t block) : seed_(seed), block_(block) {}

  C10_HOST_DEVICE double uniform() {
    has_second_ = !has_second_;
    if (!has_second_) return between_0_and_1(words_[2], words_[3]);
    words_ = philox4x32(seed_, block_, subsequence_++);
    return between_0_and_1(words_[0], words_[1]);
  }

  // Box-Muller; the second number of a pair isn't used.
  C10_HOST_DEVICE double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(6.283185307179586477 * uniform());
  }

 private:
  C10_HOST_DEVICE static double between_0_and_1(uint64_t high, uint64_t low) {
    return (static_cast<double>((high << 20) | (low >> 12)) + 0.5) * 0x1p-52;
  }

  uint64_t seed_, block_, subsequence_ = 0;
  PhiloxBlock words_{};  // indices are constants: a thread on a GPU has it in registers
  bool has_second_ = false;
};

// The logarithm of a gamma-distributed number. From shape 1 on by Marsaglia and Tsang's rejection (2000);
// below, one of shape + 1 times u^(1 / shape).
C10_HOST_DEVICE inline double log_gamma_sample(Stream& stream, double shape) {
  if (!(shape > 0.0)) return shape == 0.0 ? -HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
  if (shape == HUGE_VAL) return HUGE_VAL;
  const double boost = shape < 1.0 ? std::log(stream.uniform()) / shape : 0.0;
  const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3, c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = stream.normal(), root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root, log_v = std::log(v);
    if (std::log(stream.uniform()) < 0.5 * x * x + d * (1.0 - v + log_v)) return std::log(d) + log_v + boost;
  }
}

// From rate 10 on by Hoermann's transformed rejection (1993); below by products of uniform numbers.
C10_HOST_DEVICE inline double poisson_sample(Stream& stream, double rate) {
  if (rate == 0.0) return 0.0;
  if (rate < 10.0) {
    const double limit = std::exp(-rate);
    double count = 0.0;
    for (double product = stream.uniform(); product > limit; product *= stream.uniform()) count += 1.0;
    return count;
  }
  // Beyond the exact integers the distribution is a normal one.
  if (rate > 0x1p53) return rate == HUGE_VAL ? rate : std::rint(rate + std::sqrt(rate) * stream.normal());
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), sure = 0.9277 - 3.6224 / (b - 2.0);
  while (true) {
    const double u = stream.uniform() - 0.5, v = stream.uniform(), us = 0.5 - std::fabs(u);
    const double k = std::floor((2.0 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= sure) return k;
    if (k < 0.0 || (us < 0.013 && v > us)) continue;
    const double chance = k == 0.0 ? std::exp(-rate) : ufunc::detail::incomplete_gamma_factor(k, rate) / k;
    if (v * inverse_alpha <= chance * (a / (us * us) + b)) return k;
  }
}

// log(k!) without its Stirling approximation in k + 1.
C10_HOST_DEVICE inline double stirling_rest(double k) {
  static constexpr double small[] = {
      0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650,  0.0166446911898211,
      0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287};
  if (k < 10.0) return small[static_cast<int>(k)];
  const double n = k + 1.0, z = 1.0 / (n * n);
  return (1.0 / 12 - (1.0 / 360 - z / 1260) * z) / n;
}

// Hoermann's transformed rejection with squeeze (1993), for count * chance from 10 on and chance up to 1/2.
C10_HOST_DEVICE inline double large_binomial(Stream& stream, double count, double chance) {
  const double deviation = std::sqrt(count * chance * (1.0 - chance)), b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * chance, center = count * chance + 0.5;
  const double sure = 0.92 - 4.2 / b, odds = chance / (1.0 - chance), alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((count + 1.0) * chance);
  while (true) {
    const double u = stream.uniform() - 0.5, uniform = stream.uniform(), us = 0.5 - std::fabs(u);
    const double k = std::floor((2.0 * a / us + b) * u + center);
    if (us >= 0.07 && uniform <= sure) return k;
    if (k < 0.0 || k > count) continue;
    const double left = count - k + 1.0, left_of_mode = count - mode + 1.0;
    const double bound = (mode + 0.5) * std::log((mode + 1.0) / (odds * left_of_mode)) +
                         (count + 1.0) * std::log(left_of_mode / left) +
                         (k + 0.5) * std::log(odds * left / (k + 1.0)) + stirling_rest(mode) +
                         stirling_rest(count - mode) - stirling_rest(k) - stirling_rest(count - k);
    if (std::log(uniform * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

// The number of waiting times that fit into count trials, for few successes.
C10_HOST_DEVICE inline double small_binomial(Stream& stream, double count, double chance) {
  const double scale = 1.0 / std::log1p(-chance);
  double successes = -1.0;
  for (double trials = 0.0; trials <= count; successes += 1.0) {
    trials += std::ceil(std::log(stream.uniform()) * scale);
  }
  return successes;
}

C10_HOST_DEVICE inline double binomial_sample(Stream& stream, double count, double chance) {
  if (count != count || chance != chance) return std::numeric_limits<double>::quiet_NaN();
  const double n = std::floor(count);
  if (n <= 0.0 || chance <= 0.0) return 0.0;
  if (chance >= 1.0 || n == HUGE_VAL) return n;
  const bool mirrored = chance > 0.5;
  const double p = mirrored ? 1.0 - chance : chance;
  const double successes = n * p < 10.0 ? small_binomial(stream, n, p) : large_binomial(stream, n, p);
  return mirrored ? n - successes : successes;
}

}  // namespace at::native::samplers
