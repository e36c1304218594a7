// argmax, argmin and var on CUDA.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/functors/types.h>
#include <ATen/native/cuda/Reduce.cuh>

#include <limits>

namespace at::native {
namespace reduce_arg_cuda {

template <class T>
struct Found {
  T value;
  int64_t index;
};

// NaN beats every number; among equals the first one wins, whoever saw it.
template <class T, bool largest>
struct Position {
  using acc_t = Found<T>;
  using O = ufunc::opmath<T>;
  T first;
  __device__ acc_t identity() const { return {first, std::numeric_limits<int64_t>::max()}; }
  __device__ acc_t merge(acc_t a, acc_t b) const {
    const O x = static_cast<O>(a.value), y = static_cast<O>(b.value);
    const bool x_nan = x != x, y_nan = y != y;
    if (x_nan != y_nan) return x_nan ? a : b;
    const bool same = x_nan || x == y;
    if (same) return a.index < b.index ? a : b;
    return (largest ? x > y : x < y) ? a : b;
  }
  __device__ acc_t add(acc_t acc, T value, int64_t index) const { return merge(acc, acc_t{value, index}); }
  __device__ int64_t finish(acc_t acc, int64_t) const { return acc.index; }
};

template <bool largest>
void position_kernel(TensorIterator& iter) {
  AT_DISPATCH_V2(iter.dtype(1), largest ? "argmax_cuda" : "argmin_cuda", AT_WRAP([&] {
                   using limits = std::numeric_limits<scalar_t>;
                   const scalar_t low = limits::has_infinity ? -limits::infinity() : limits::lowest();
                   const scalar_t high = limits::has_infinity ? limits::infinity() : limits::max();
                   gpu_reduce<scalar_t, int64_t>(iter, Position<scalar_t, largest>{largest ? low : high});
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool);
}

template <class A>
struct Moments {
  A mean, m2;
  int64_t n;
};

// Welford's updates; partial results merge as Chan et al. have it.
template <class T>
struct Variance {
  using A = at::acc_type<T, true>;
  using acc_t = Moments<A>;
  double correction;
  bool take_sqrt;
  __device__ acc_t identity() const { return {A(0), A(0), 0}; }
  __device__ acc_t add(acc_t acc, T value, int64_t) const {
    const A x = static_cast<A>(value);
    const A delta = x - acc.mean;
    ++acc.n;
    acc.mean += delta / static_cast<A>(acc.n);
    acc.m2 += delta * (x - acc.mean);
    return acc;
  }
  __device__ acc_t merge(acc_t a, acc_t b) const {
    if (a.n == 0) return b;
    if (b.n == 0) return a;
    const int64_t n = a.n + b.n;
    const A delta = b.mean - a.mean, share = static_cast<A>(b.n) / static_cast<A>(n);
    return {a.mean + delta * share, a.m2 + b.m2 + delta * delta * static_cast<A>(a.n) * share, n};
  }
  __device__ T finish(acc_t acc, int64_t count) const {
    const double divisor = static_cast<double>(count) - correction;
    const A variance = acc.m2 / static_cast<A>(divisor > 0 ? divisor : 0);
    return static_cast<T>(take_sqrt ? ::sqrt(variance) : variance);
  }
};

void std_var_kernel(TensorIterator& iter, double correction, bool take_sqrt) {
  AT_DISPATCH_V2(iter.dtype(1), "std_var_cuda", AT_WRAP([&] {
                   gpu_reduce<scalar_t, scalar_t>(iter, Variance<scalar_t>{correction, take_sqrt});
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace reduce_arg_cuda

REGISTER_CUDA_DISPATCH(argmax_stub, &reduce_arg_cuda::position_kernel<true>)
REGISTER_CUDA_DISPATCH(argmin_stub, &reduce_arg_cuda::position_kernel<false>)
REGISTER_CUDA_DISPATCH(std_var_stub, &reduce_arg_cuda::std_var_kernel)

}  // namespace at::native
