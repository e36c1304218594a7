// Sums, products, norms, extrema, all and any on CUDA.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/functors/compare.h>
#include <ATen/native/functors/types.h>
#include <ATen/native/cuda/Reduce.cuh>

#include <limits>

namespace at::native {
namespace reduce_cuda {

template <class T>
using accumulator = at::acc_type<T, true>;

template <class T>
struct Sum {
  using acc_t = accumulator<T>;
  bool mean;
  __device__ acc_t identity() const { return acc_t(0); }
  __device__ acc_t merge(acc_t a, acc_t b) const {
    if constexpr (std::is_same_v<acc_t, bool>) {
      return a || b;
    } else if constexpr (std::is_same_v<acc_t, int64_t>) {
      return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
      return a + b;
    }
  }
  __device__ acc_t add(acc_t acc, T value, int64_t) const { return merge(acc, static_cast<acc_t>(value)); }
  __device__ T finish(acc_t acc, int64_t count) const {
    if constexpr (!std::is_integral_v<acc_t>) {
      if (mean) {
        using R = ufunc::real_of<acc_t>;
        acc = acc / acc_t(static_cast<R>(count));
      }
    }
    return static_cast<T>(acc);
  }
};

template <class T>
struct Prod {
  using acc_t = accumulator<T>;
  __device__ acc_t identity() const { return acc_t(1); }
  __device__ acc_t merge(acc_t a, acc_t b) const {
    if constexpr (std::is_same_v<acc_t, bool>) {
      return a && b;
    } else if constexpr (std::is_same_v<acc_t, int64_t>) {
      return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    } else {
      return a * b;
    }
  }
  __device__ acc_t add(acc_t acc, T value, int64_t) const { return merge(acc, static_cast<acc_t>(value)); }
  __device__ T finish(acc_t acc, int64_t) const { return static_cast<T>(acc); }
};

template <class T, bool largest>
struct Extremum {
  using acc_t = T;
  T first;  // never wins
  __device__ T identity() const { return first; }
  __device__ T merge(T a, T b) const { return largest ? ufunc::maximum<T>(a, b) : ufunc::minimum<T>(a, b); }
  __device__ T add(T acc, T value, int64_t) const { return merge(acc, value); }
  __device__ T finish(T acc, int64_t) const { return acc; }
};

template <bool all>
struct Logic {
  using acc_t = bool;
  __device__ bool identity() const { return all; }
  __device__ bool merge(bool a, bool b) const { return all ? a && b : a || b; }
  __device__ bool add(bool acc, bool value, int64_t) const { return merge(acc, value); }
  __device__ uint8_t finish(bool acc, int64_t) const { return acc; }
};

enum class NormPart { IsNotZero, Size, Square, Largest, Smallest };

template <class T, NormPart part>
struct Norm {
  using acc_t = accumulator<T>;
  acc_t first;
  __device__ acc_t identity() const { return first; }
  __device__ acc_t merge(acc_t a, acc_t b) const {
    if constexpr (part == NormPart::Largest) return ufunc::maximum<acc_t>(a, b);
    if constexpr (part == NormPart::Smallest) return ufunc::minimum<acc_t>(a, b);
    return a + b;
  }
  __device__ acc_t add(acc_t acc, T value, int64_t) const {
    const acc_t x = static_cast<acc_t>(value);
    if constexpr (part == NormPart::IsNotZero) return merge(acc, x != acc_t(0) ? acc_t(1) : acc_t(0));
    if constexpr (part == NormPart::Square) return merge(acc, x * x);
    return merge(acc, ::fabs(x));
  }
  __device__ T finish(acc_t acc, int64_t) const {
    return static_cast<T>(part == NormPart::Square ? ::sqrt(acc) : acc);
  }
};

template <NormPart part>
void norm_of(TensorIterator& iter) {
  AT_DISPATCH_V2(iter.dtype(1), "norm_cuda", AT_WRAP([&] {
                   using A = accumulator<scalar_t>;
                   const A first = part == NormPart::Smallest ? std::numeric_limits<A>::infinity() : A(0);
                   gpu_reduce<scalar_t, scalar_t>(iter, Norm<scalar_t, part>{first});
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void norm_kernel(TensorIterator& iter, double ord) {
  if (ord == 0) return norm_of<NormPart::IsNotZero>(iter);
  if (ord == 1) return norm_of<NormPart::Size>(iter);
  if (ord == 2) return norm_of<NormPart::Square>(iter);
  ord > 0 ? norm_of<NormPart::Largest>(iter) : norm_of<NormPart::Smallest>(iter);
}

void sum_kernel(TensorIterator& iter) {
  AT_DISPATCH_V2(iter.dtype(0), "sum_cuda",
                 AT_WRAP([&] { gpu_reduce<scalar_t, scalar_t>(iter, Sum<scalar_t>{false}); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool);
}

void mean_kernel(TensorIterator& iter) {
  AT_DISPATCH_V2(iter.dtype(0), "mean_cuda",
                 AT_WRAP([&] { gpu_reduce<scalar_t, scalar_t>(iter, Sum<scalar_t>{true}); }),
                 AT_EXPAND(AT_FLOATING_AND_COMPLEX_TYPES), kHalf, kBFloat16);
}

void prod_kernel(TensorIterator& iter) {
  AT_DISPATCH_V2(iter.dtype(0), "prod_cuda",
                 AT_WRAP([&] { gpu_reduce<scalar_t, scalar_t>(iter, Prod<scalar_t>()); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool);
}

template <bool largest>
void extremum_kernel(TensorIterator& iter) {
  AT_DISPATCH_V2(iter.dtype(1), largest ? "amax_cuda" : "amin_cuda", AT_WRAP([&] {
                   using limits = std::numeric_limits<scalar_t>;
                   const scalar_t low = limits::has_infinity ? -limits::infinity() : limits::lowest();
                   const scalar_t high = limits::has_infinity ? limits::infinity() : limits::max();
                   gpu_reduce<scalar_t, scalar_t>(iter, Extremum<scalar_t, largest>{largest ? low : high});
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool);
}

// Elements of all dtypes are read as bool, and bool and uint8 are written alike.
template <bool all>
void logic_kernel(TensorIterator& iter) {
  gpu_reduce<bool, uint8_t>(iter, Logic<all>());
}

}  // namespace reduce_cuda

REGISTER_CUDA_DISPATCH(norm_stub, &reduce_cuda::norm_kernel)
REGISTER_CUDA_DISPATCH(sum_stub, &reduce_cuda::sum_kernel)
REGISTER_CUDA_DISPATCH(mean_stub, &reduce_cuda::mean_kernel)
REGISTER_CUDA_DISPATCH(prod_stub, &reduce_cuda::prod_kernel)
REGISTER_CUDA_DISPATCH(max_values_stub, &reduce_cuda::extremum_kernel<true>)
REGISTER_CUDA_DISPATCH(min_values_stub, &reduce_cuda::extremum_kernel<false>)
REGISTER_CUDA_DISPATCH(and_stub, &reduce_cuda::logic_kernel<true>)
REGISTER_CUDA_DISPATCH(or_stub, &reduce_cuda::logic_kernel<false>)

}  // namespace at::native
