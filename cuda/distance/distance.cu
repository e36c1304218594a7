// Distances between rows on CUDA: a thread per pair of rows, or, for a gradient, per element of it.
#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/distance/functors.h>
#include <ATen/native/distance/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>

namespace at::native {
namespace distance_cuda {

// The positions of rows: row i of x1 and row j of x2 in batch b.
struct Rows {
  int64_t batch, rows1, rows2, columns;
};

inline Rows rows_of(const TensorBase& x1, const TensorBase& x2) {
  return {x1.numel() / (x1.size(-2) * x1.size(-1)), x1.size(-2), x2.size(-2), x1.size(-1)};
}

template <class T, class Distance>
__device__ T distance_of(const Distance& distance, const T* a, const T* b, int64_t columns) {
  T folded = distance.start();
  for (int64_t k = 0; k < columns; ++k) folded = distance.fold(folded, a[k] - b[k]);
  return distance.finish(folded);
}

template <class T, class Distance>
__global__ void __launch_bounds__(launch_threads)
    cdist_rows(T* out, const T* x1, const T* x2, Rows s, Distance distance) {
  const int64_t pairs = s.batch * s.rows1 * s.rows2, step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < pairs; i += step) {
    const int64_t row1 = i / s.rows2, row2 = row1 / s.rows1 * s.rows2 + i % s.rows2;
    out[i] = distance_of(distance, x1 + row1 * s.columns, x2 + row2 * s.columns, s.columns);
  }
}

template <class T, class Distance>
__global__ void __launch_bounds__(launch_threads)
    cdist_gradient(T* out, const T* grad, const T* x1, const T* x2, const T* dist, Rows s,
                   Distance distance) {
  const int64_t elements = s.batch * s.rows1 * s.columns, step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < elements; i += step) {
    const int64_t row = i / s.columns, column = i % s.columns;
    const T* other = x2 + row / s.rows1 * s.rows2 * s.columns + column;
    T sum = T(0);
    for (int64_t j = 0; j < s.rows2; ++j) {
      const T d = dist[row * s.rows2 + j];
      sum += distance.weight(grad[row * s.rows2 + j], d) * distance.slope(x1[i] - other[j * s.columns], d);
    }
    out[i] = sum;
  }
}

template <class T, class Distance>
__global__ void __launch_bounds__(launch_threads)
    pdist_rows(T* out, const T* x, int64_t n, int64_t columns, Distance distance) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t number = int64_t{blockIdx.x} * launch_threads + threadIdx.x; number < n * n; number += step) {
    const int64_t i = number / n, j = number % n;
    if (j <= i) continue;
    out[ufunc::first_pair(i, n) + j - i - 1] =
        distance_of(distance, x + i * columns, x + j * columns, columns);
  }
}

template <class T, class Distance>
__global__ void __launch_bounds__(launch_threads)
    pdist_gradient(T* out, const T* grad, const T* x, const T* dist, int64_t n, int64_t columns,
                   Distance distance) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t at = int64_t{blockIdx.x} * launch_threads + threadIdx.x; at < n * columns; at += step) {
    const int64_t i = at / columns, column = at % columns;
    T sum = T(0);
    for (int64_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const int64_t pair = j < i ? ufunc::first_pair(j, n) + i - j - 1 : ufunc::first_pair(i, n) + j - i - 1;
      const T d = dist[pair];
      sum += distance.weight(grad[pair], d) * distance.slope(x[at] - x[j * columns + column], d);
    }
    out[at] = sum;
  }
}

void cdist_kernel(const TensorBase& result, const TensorBase& x1, const TensorBase& x2, double p) {
  AT_DISPATCH_FLOATING_TYPES(x1.scalar_type(), "cdist_cuda", [&] {
    ufunc::with_distance<scalar_t>(p, [&](const auto& distance) {
      cdist_rows<<<blocks_for(result.numel()), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
          result.mutable_data_ptr<scalar_t>(), x1.const_data_ptr<scalar_t>(), x2.const_data_ptr<scalar_t>(),
          rows_of(x1, x2), distance);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

void cdist_backward_kernel(const TensorBase& result, const TensorBase& grad, const TensorBase& x1,
                           const TensorBase& x2, double p, const TensorBase& dist) {
  AT_DISPATCH_FLOATING_TYPES(x1.scalar_type(), "cdist_backward_cuda", [&] {
    ufunc::with_distance<scalar_t>(p, [&](const auto& distance) {
      cdist_gradient<<<blocks_for(result.numel()), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
          result.mutable_data_ptr<scalar_t>(), grad.const_data_ptr<scalar_t>(), x1.const_data_ptr<scalar_t>(),
          x2.const_data_ptr<scalar_t>(), dist.const_data_ptr<scalar_t>(), rows_of(x1, x2), distance);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

void pdist_kernel(const TensorBase& result, const TensorBase& self, double p) {
  const int64_t n = self.size(0);
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "pdist_cuda", [&] {
    ufunc::with_distance<scalar_t>(p, [&](const auto& distance) {
      pdist_rows<<<blocks_for(n * n), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
          result.mutable_data_ptr<scalar_t>(), self.const_data_ptr<scalar_t>(), n, self.size(1), distance);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

void pdist_backward_kernel(const TensorBase& result, const TensorBase& grad, const TensorBase& self, double p,
                           const TensorBase& dist) {
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "pdist_backward_cuda", [&] {
    ufunc::with_distance<scalar_t>(p, [&](const auto& distance) {
      pdist_gradient<<<blocks_for(self.numel()), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
          result.mutable_data_ptr<scalar_t>(), grad.const_data_ptr<scalar_t>(),
          self.const_data_ptr<scalar_t>(), dist.const_data_ptr<scalar_t>(), self.size(0), self.size(1),
          distance);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

}  // namespace distance_cuda

REGISTER_CUDA_DISPATCH(cdist_stub, &distance_cuda::cdist_kernel)
REGISTER_CUDA_DISPATCH(cdist_backward_stub, &distance_cuda::cdist_backward_kernel)
REGISTER_CUDA_DISPATCH(pdist_stub, &distance_cuda::pdist_kernel)
REGISTER_CUDA_DISPATCH(pdist_backward_stub, &distance_cuda::pdist_backward_kernel)

}  // namespace at::native
