// Sums over the threads of a block, and pointers of optional tensors for kernels.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

/// The sum of every thread's value, returned to all of them; with `columns`, a power of two, of those whose
/// numbers have the same remainder. `shared` has an element for each of the block's threads, a power of two.
template <class A>
__device__ A sum_block(A value, A* shared, int columns = 1) {
  const int t = static_cast<int>(threadIdx.x);
  shared[t] = value;
  __syncthreads();
  for (int half = static_cast<int>(blockDim.x) / 2; half >= columns; half /= 2) {
    if (t < half) shared[t] += shared[t + half];
    __syncthreads();
  }
  const A result = shared[t % columns];
  __syncthreads();
  return result;
}

template <class T>
const T* data_or_null(const TensorBase& t) {
  return t.defined() ? t.const_data_ptr<T>() : nullptr;
}
template <class T>
T* mutable_data_or_null(const TensorBase& t) {
  return t.defined() ? t.mutable_data_ptr<T>() : nullptr;
}

}  // namespace at::native
