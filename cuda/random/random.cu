// Random numbers on CUDA, made of Philox blocks (cuda/random/blocks.cuh).
#include <ATen/Dispatch.h>
#include <ATen/native/math/types.h>
#include <ATen/native/random/random_integers.h>
#include <ATen/native/random/stubs.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <ATen/native/cuda/random/blocks.cuh>

#include <algorithm>
#include <limits>

namespace at::native {
namespace random_cuda {

__device__ inline double unit_double(uint32_t high, uint32_t low) {
  return static_cast<double>((uint64_t{high} << 21) | (low >> 11)) * 0x1p-53;
}
__device__ inline float unit_float(uint32_t word, int digits) {
  return static_cast<float>(word >> (32 - digits)) * (1.0f / static_cast<float>(1 << digits));
}

template <class T, class F>
struct Uniform {
  static constexpr int count = sizeof(F) == 8 ? 2 : 4;
  T* out;
  F from, to;
  int digits;
  F numbers[count];

  __device__ void compute(const PhiloxBlock& words) {
    for (int k = 0; k < count; ++k) {
      if constexpr (sizeof(F) == 8) {
        numbers[k] = unit_double(words[k], words[k + 2]);
      } else {
        numbers[k] = unit_float(words[k], digits);
      }
    }
  }
  __device__ void put(int64_t index, int k) const {
    const T value = static_cast<T>(numbers[k] * (to - from) + from);
    // Rounding may give the open end of the interval.
    out[index] = static_cast<F>(value) >= to ? static_cast<T>(from) : value;
  }
};

// base + a value in [0, range); two of them or, where the range is wide, one from a block.
template <class T, bool narrow>
struct Integers {
  static constexpr int count = narrow ? 2 : 1;
  T* out;
  uint64_t range;
  int64_t base;
  uint64_t numbers[count];

  __device__ void compute(const PhiloxBlock& words) {
    if constexpr (narrow) {
      for (int k = 0; k < count; ++k) numbers[k] = narrow_integer(words[k], words[k + 2], range);
    } else {
      numbers[0] =
          wide_integer(uint64_t{words[0]} << 32 | words[1], uint64_t{words[2]} << 32 | words[3], range);
    }
  }
  __device__ void put(int64_t index, int k) const {
    out[index] = static_cast<T>(static_cast<int64_t>(numbers[k] + static_cast<uint64_t>(base)));
  }
};

// Box-Muller: two independent normal values from two uniform ones, the first in (0, 1].
template <class T, class F>
struct Normal {
  static constexpr int count = sizeof(F) == 8 ? 2 : 4;
  T* out;
  F mean, std;
  F numbers[count];

  __device__ void pair(F u, F turn, int first, int second) {
    const F angle = turn * F(6.283185307179586477);
    const F radius = ::sqrt(F(-2) * ::log(u)) * std;
    numbers[first] = radius * ::cos(angle) + mean;
    numbers[second] = radius * ::sin(angle) + mean;
  }
  __device__ void compute(const PhiloxBlock& words) {
    if constexpr (sizeof(F) == 8) {
      pair(1.0 - unit_double(words[0], words[2]), unit_double(words[1], words[3]), 0, 1);
    } else {  // all 32 bits, for the tails' sake
      pair(
          (static_cast<float>(words[0] >> 8) * 256.0f + static_cast<float>(words[0] & 255) + 1.0f) * 0x1p-32f,
          unit_float(words[2], 24), 0, 2);
      pair(
          (static_cast<float>(words[1] >> 8) * 256.0f + static_cast<float>(words[1] & 255) + 1.0f) * 0x1p-32f,
          unit_float(words[3], 24), 1, 3);
    }
  }
  __device__ void put(int64_t index, int k) const { out[index] = static_cast<T>(numbers[k]); }
};

template <class T>
struct Bernoulli {
  static constexpr int count = 4;
  T* out;
  Chance chance;
  PhiloxBlock words;
  __device__ void compute(const PhiloxBlock& block) { words = block; }
  __device__ void put(int64_t index, int k) const {
    out[index] = chance(words[k]) ? static_cast<T>(1) : static_cast<T>(0);
  }
};

template <class T, class P>
struct BernoulliTensor {
  static constexpr int count = 4;
  T* out;
  const P* p;
  c10::cuda::KernelAssertion is_probability;
  PhiloxBlock words;
  __device__ void compute(const PhiloxBlock& block) { words = block; }
  __device__ void put(int64_t index, int k) const {
    const P chance = p[index];
    is_probability(chance >= P(0) && chance <= P(1));
    out[index] = words[k] * 0x1p-32 < static_cast<double>(chance) ? static_cast<T>(1) : static_cast<T>(0);
  }
};

void uniform_kernel(const TensorBase& self, double from, double to, std::optional<Generator> gen) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "uniform_", [&] {
    using real_t = ufunc::real_of<scalar_t>;
    using F = ufunc::opmath<real_t>;
    constexpr int digits = std::min(24, std::numeric_limits<real_t>::digits);
    const Uniform<real_t, F> make{
        static_cast<real_t*>(self.mutable_data_ptr()), static_cast<F>(from), static_cast<F>(to), digits, {}};
    run(make, self.numel() * (ufunc::is_complex<scalar_t> ? 2 : 1), self.device(), gen);
  });
}

void normal_kernel(const TensorBase& self, double mean, double std, std::optional<Generator> gen) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "normal_", [&] {
    using real_t = ufunc::real_of<scalar_t>;
    using F = ufunc::opmath<real_t>;
    constexpr bool complex = ufunc::is_complex<scalar_t>;
    TORCH_CHECK(!complex || mean == 0, "normal_(): a complex tensor takes a real mean of 0 only, got ", mean);
    // Real and imaginary parts share the variance.
    const Normal<real_t, F> make{static_cast<real_t*>(self.mutable_data_ptr()),
                                 static_cast<F>(mean),
                                 static_cast<F>(complex ? std * 0.70710678118654752440 : std),
                                 {}};
    run(make, self.numel() * (complex ? 2 : 1), self.device(), gen);
  });
}

void random_integers_kernel(const TensorBase& self, uint64_t range, int64_t base,
                            std::optional<Generator> gen) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "random_", [&] {
    scalar_t* out = self.mutable_data_ptr<scalar_t>();
    if (is_narrow(range)) {
      run(Integers<scalar_t, true>{out, range, base, {}}, self.numel(), self.device(), gen);
    } else {
      run(Integers<scalar_t, false>{out, range, base, {}}, self.numel(), self.device(), gen);
    }
  });
}

void bernoulli_scalar_kernel(const TensorBase& self, double p, std::optional<Generator> gen) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "bernoulli_", [&] {
    run(Bernoulli<scalar_t>{self.mutable_data_ptr<scalar_t>(), Chance(p), {}}, self.numel(), self.device(),
        gen);
  });
}

void bernoulli_tensor_kernel(const TensorBase& self, const TensorBase& p, std::optional<Generator> gen) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "bernoulli_", [&] {
    scalar_t* out = self.mutable_data_ptr<scalar_t>();
    const auto is_probability =
        c10::cuda::kernel_assertion("bernoulli", "a probability is not between 0 and 1");
    if (p.scalar_type() == kDouble) {
      run(BernoulliTensor<scalar_t, double>{out, p.const_data_ptr<double>(), is_probability, {}},
          self.numel(), self.device(), gen);
    } else {
      run(BernoulliTensor<scalar_t, float>{out, p.const_data_ptr<float>(), is_probability, {}}, self.numel(),
          self.device(), gen);
    }
  });
}

}  // namespace random_cuda

REGISTER_CUDA_DISPATCH(random_integers_stub, &random_cuda::random_integers_kernel)
REGISTER_CUDA_DISPATCH(uniform_stub, &random_cuda::uniform_kernel)
REGISTER_CUDA_DISPATCH(normal_stub, &random_cuda::normal_kernel)
REGISTER_CUDA_DISPATCH(bernoulli_scalar_stub, &random_cuda::bernoulli_scalar_kernel)
REGISTER_CUDA_DISPATCH(bernoulli_tensor_stub, &random_cuda::bernoulli_tensor_kernel)

}  // namespace at::native
