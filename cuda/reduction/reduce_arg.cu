// argmax and argmin on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/reduction/stubs.h>
#include <ATen/native/cuda/Reduce.cuh>

namespace at::native {
namespace reduce_arg_cuda {

template <class Extremum, class T>
struct ArgReduce {
  using A = reducers::extremum_type<T>;
  using acc_t = reducers::Found<A>;
  using Position = reducers::Position<Extremum, A>;
  __device__ acc_t identity() const { return Position::identity(); }
  __device__ acc_t combine(acc_t a, acc_t b) const { return Position::combine(a, b); }
  __device__ acc_t reduce(acc_t acc, T value, int64_t index) const {
    return combine(acc, acc_t{static_cast<A>(value), index});
  }
  __device__ int64_t project(acc_t acc, int64_t) const { return acc.index; }
};

template <class Extremum>
void arg_kernel(TensorIterator& iter) {
  const char* name = std::is_same_v<Extremum, reducers::Max> ? "argmax" : "argmin";
  AT_DISPATCH_V2(iter.dtype(1), name,
                 AT_WRAP([&] { gpu_reduce<scalar_t, int64_t>(iter, ArgReduce<Extremum, scalar_t>()); }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool);
}

}  // namespace reduce_arg_cuda

REGISTER_CUDA_DISPATCH(argmax_stub, &reduce_arg_cuda::arg_kernel<reducers::Max>)
REGISTER_CUDA_DISPATCH(argmin_stub, &reduce_arg_cuda::arg_kernel<reducers::Min>)

}  // namespace at::native
