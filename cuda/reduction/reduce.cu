// Sums, products, norms, extrema, all, any, exclusive or and counts on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/reduction/stubs.h>
#include <ATen/native/cuda/ListReduce.cuh>

namespace at::native {
namespace reduce_cuda {

// `has_list`: there is a `_foreach_` operator, too.
template <class R, class T, class A, bool has_list = false>
void reduce_as(TensorIterator& iter) {
  TORCH_INTERNAL_ASSERT((reducers::is_defined<R, A>));
  if constexpr (reducers::is_defined<R, A> && has_list) {
    gpu_list_reduce<T, T>(iter, Reduce<R, T, T, A>());
  } else if constexpr (reducers::is_defined<R, A>) {
    gpu_reduce<T, T>(iter, Reduce<R, T, T, A>());
  }
}

// Integers of other dtypes are read as int64.
void accumulate_kernel(TensorIterator& iter, Accumulation kind) {
  reducers::with_reducer(kind, [&]<class R>(R, const char* name) {
    AT_DISPATCH_V2(iter.dtype(0), name,
                   AT_WRAP([&] { reduce_as<R, scalar_t, reducers::sum_type<scalar_t>>(iter); }),
                   AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool);
  });
}

void norm_kernel(TensorIterator& iter, double ord) {
  reducers::with_norm(ord, [&]<class R>(R) {
    AT_DISPATCH_V2(iter.dtype(1), "norm",
                   AT_WRAP([&] { reduce_as<R, scalar_t, at::opmath_type<scalar_t>, true>(iter); }),
                   AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
  });
}

template <class Extremum>
void extremum_kernel(TensorIterator& iter) {
  constexpr bool has_list = std::is_same_v<Extremum, reducers::Max>;
  const char* name = has_list ? "amax" : "amin";
  AT_DISPATCH_V2(iter.dtype(1), name, AT_WRAP([&] {
                   using A = reducers::extremum_type<scalar_t>;
                   reduce_as<reducers::Reducer<Extremum>, scalar_t, A, has_list>(iter);
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool);
}

// Elements of all dtypes are read as bool, and bool and uint8 are written alike.
template <class Combine>
void logic_kernel(TensorIterator& iter) {
  gpu_reduce<bool, uint8_t>(iter, Reduce<reducers::Reducer<Combine>, bool, uint8_t, uint8_t>());
}

void count_kernel(TensorIterator& iter) {
  gpu_reduce<bool, int64_t>(iter, Reduce<reducers::Reducer<reducers::Sum>, bool, int64_t, int64_t>());
}

// Elements are 64 bits, whatever they mean.
void xor_kernel(TensorIterator& iter) { reduce_as<reducers::Reducer<reducers::Xor>, int64_t, int64_t>(iter); }

}  // namespace reduce_cuda

REGISTER_CUDA_DISPATCH(accumulate_stub, &reduce_cuda::accumulate_kernel)
REGISTER_CUDA_DISPATCH(norm_stub, &reduce_cuda::norm_kernel)
REGISTER_CUDA_DISPATCH(max_values_stub, &reduce_cuda::extremum_kernel<reducers::Max>)
REGISTER_CUDA_DISPATCH(min_values_stub, &reduce_cuda::extremum_kernel<reducers::Min>)
REGISTER_CUDA_DISPATCH(and_stub, &reduce_cuda::logic_kernel<reducers::All>)
REGISTER_CUDA_DISPATCH(or_stub, &reduce_cuda::logic_kernel<reducers::Any>)
REGISTER_CUDA_DISPATCH(xor_stub, &reduce_cuda::xor_kernel)
REGISTER_CUDA_DISPATCH(count_stub, &reduce_cuda::count_kernel)

}  // namespace at::native
