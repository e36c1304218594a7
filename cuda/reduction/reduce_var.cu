// var and std on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/reduction/stubs.h>
#include <ATen/native/cuda/Reduce.cuh>

namespace at::native {
namespace reduce_var_cuda {

template <class T>
struct VarianceReduce {
  using A = at::opmath_type<T>;
  using acc_t = reducers::Moments<A, int64_t>;
  double correction;
  bool take_sqrt;
  __device__ acc_t identity() const { return {0, A(0), A(0)}; }
  __device__ acc_t reduce(acc_t acc, T value, int64_t) const {
    acc.add(static_cast<A>(value));
    return acc;
  }
  __device__ acc_t combine(acc_t a, const acc_t& b) const {
    a.merge(b);
    return a;
  }
  __device__ T project(acc_t acc, int64_t count) const {
    return static_cast<T>(reducers::variance_of(acc.m2, static_cast<double>(count), correction, take_sqrt));
  }
};

void std_var_kernel(TensorIterator& iter, double correction, bool take_sqrt) {
  AT_DISPATCH_V2(iter.dtype(1), "std_var", AT_WRAP([&] {
                   gpu_reduce<scalar_t, scalar_t>(iter, VarianceReduce<scalar_t>{correction, take_sqrt});
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace reduce_var_cuda

REGISTER_CUDA_DISPATCH(std_var_stub, &reduce_var_cuda::std_var_kernel)

}  // namespace at::native
