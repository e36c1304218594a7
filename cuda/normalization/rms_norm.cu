// rms_norm: a block per row. The gradient of weight is a sum over rows.
#include <ATen/native/cuda/normalization/rms_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/normalization/row_sums.cuh>

namespace at::native {
namespace rms_norm_kernels {

constexpr int threads = launch_threads;

template <class T, class A>
__global__ void __launch_bounds__(threads)
    row_kernel(const T* in, const A* weight, int64_t rows, int64_t columns, A eps, T* out, A* rstd_out) {
  __shared__ A shared[threads];
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* from = in + row * columns;
    A squares = A(0);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      squares += static_cast<A>(from[i]) * static_cast<A>(from[i]);
    }
    const A rstd = A(1) / ::sqrt(sum_block(squares, shared) / static_cast<A>(columns) + eps);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      const A value = static_cast<A>(from[i]) * rstd;
      out[row * columns + i] = static_cast<T>(weight == nullptr ? value : value * weight[i]);
    }
    if (threadIdx.x == 0) rstd_out[row] = rstd;
  }
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    input_kernel(const T* grad, const T* in, const A* rstd_in, const A* weight, int64_t rows, int64_t columns,
                 T* out) {
  __shared__ A shared[threads];
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *g = grad + row * columns, *x = in + row * columns;
    const A rstd = rstd_in[row];
    const auto weighted = [&](int64_t i) {
      return weight == nullptr ? static_cast<A>(g[i]) : static_cast<A>(g[i]) * weight[i];
    };
    A along = A(0);
    for (int64_t i = threadIdx.x; i < columns; i += threads)
      along += weighted(i) * static_cast<A>(x[i]) * rstd;
    along = sum_block(along, shared) / static_cast<A>(columns);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      out[row * columns + i] = static_cast<T>((weighted(i) - static_cast<A>(x[i]) * rstd * along) * rstd);
    }
  }
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    weight_kernel(const T* grad, const T* in, const A* rstd, int64_t rows, int64_t columns, A* shares) {
  const int64_t column = int64_t{blockIdx.x} * threads + threadIdx.x;
  if (column >= columns) return;
  A sum = A(0);
  for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    sum +=
        static_cast<A>(grad[row * columns + column]) * static_cast<A>(in[row * columns + column]) * rstd[row];
  }
  shares[blockIdx.y * columns + column] = sum;
}

}  // namespace rms_norm_kernels

void rms_norm_on_device(const TensorBase& input, const TensorBase& weight, int64_t rows, int64_t columns,
                        double eps, const TensorBase& output, const TensorBase& rstd) {
  using namespace rms_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "rms_norm_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    row_kernel<<<blocks_for(rows, 1), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        input.const_data_ptr<scalar_t>(), data_or_null<A>(weight), rows, columns, static_cast<A>(eps),
        output.mutable_data_ptr<scalar_t>(), rstd.mutable_data_ptr<A>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void rms_norm_backward_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& rstd,
                                 const TensorBase& weight, int64_t rows, int64_t columns,
                                 const TensorBase& grad_input, const TensorBase& grad_weight) {
  using namespace rms_norm_kernels;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "rms_norm_backward_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const auto *g = grad.const_data_ptr<scalar_t>(), *x = input.const_data_ptr<scalar_t>();
    const A* scale = rstd.const_data_ptr<A>();
    if (grad_input.defined()) {
      input_kernel<<<blocks_for(rows, 1), threads, 0, stream>>>(
          g, x, scale, data_or_null<A>(weight), rows, columns, grad_input.mutable_data_ptr<scalar_t>());
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    }
    if (grad_weight.defined()) {
      const RowShares<A> shares(rows, columns);
      weight_kernel<<<shares.blocks(), threads, 0, stream>>>(g, x, scale, rows, columns, shares.data());
      C10_CUDA_KERNEL_LAUNCH_CHECK();
      shares.sum(grad_weight.mutable_data_ptr<A>());
    }
  });
}

}  // namespace at::native
