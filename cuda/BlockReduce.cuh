// Folds over the threads of a warp or of a block, and pointers of optional tensors for kernels.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

constexpr int warp_threads = 32;

/// The fold of the values of `width` neighbouring lanes, returned to all of them; with `columns`, of those
/// whose numbers have the same remainder. Both are powers of two. All lanes of the warp call it.
template <class A, class F>
__device__ A fold_lanes(A value, const F& combine, int width = warp_threads, int columns = 1) {
  for (int step = width / 2; step >= columns; step /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, step));
  }
  return value;
}

/// The same over a block of whole warps. `shared` has `columns` elements, at most a warp's lanes, for each
/// warp.
template <class A, class F>
__device__ A fold_block(A value, A* shared, const F& combine, int columns = 1) {
  const int t = static_cast<int>(threadIdx.x), lane = t % warp_threads;
  value = fold_lanes(value, combine, warp_threads, columns);
  if (lane < columns) shared[t / warp_threads * columns + lane] = value;
  __syncthreads();
  value = shared[t % columns];
  for (int warp = 1; warp < static_cast<int>(blockDim.x) / warp_threads; ++warp) {
    value = combine(value, shared[warp * columns + t % columns]);
  }
  __syncthreads();
  return value;
}

template <class A>
__device__ A sum_block(A value, A* shared, int columns = 1) {
  return fold_block(value, shared, [](A a, A b) { return a + b; }, columns);
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
