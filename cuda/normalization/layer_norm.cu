// Layer normalisation: a block per row, which reads it for the mean, for the variance and to write the
// result.
#include <ATen/native/cuda/normalization/layer_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>

namespace at::native {
namespace layer_norm_kernels {

constexpr int threads = 256;

template <class T, class P>
__global__ void __launch_bounds__(threads)
    row_kernel(const T* in, const P* weight, const P* bias, int64_t rows, int64_t columns,
               at::acc_type<T, true> eps, T* out, P* mean_out, P* rstd_out) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[threads];
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* from = in + row * columns;
    A sum = A(0);
    for (int64_t i = threadIdx.x; i < columns; i += threads) sum += static_cast<A>(from[i]);
    const A mean = sum_block(sum, shared) / static_cast<A>(columns);
    A squares = A(0);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      const A centred = static_cast<A>(from[i]) - mean;
      squares += centred * centred;
    }
    const A rstd = A(1) / ::sqrt(sum_block(squares, shared) / static_cast<A>(columns) + eps);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      A value = (static_cast<A>(from[i]) - mean) * rstd;
      if (weight != nullptr) value *= static_cast<A>(weight[i]);
      if (bias != nullptr) value += static_cast<A>(bias[i]);
      out[row * columns + i] = static_cast<T>(value);
    }
    if (threadIdx.x == 0) {
      mean_out[row] = static_cast<P>(mean);
      rstd_out[row] = static_cast<P>(rstd);
    }
  }
}

}  // namespace layer_norm_kernels

void layer_norm_on_device(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                          int64_t rows, int64_t columns, double eps, const TensorBase& output,
                          const TensorBase& mean, const TensorBase& rstd) {
  using namespace layer_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "layer_norm_cuda", [&] {
    const auto run = [&]<class P>(P) {
      row_kernel<scalar_t, P><<<blocks_for(rows, 1), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
          input.const_data_ptr<scalar_t>(), data_or_null<P>(weight), data_or_null<P>(bias), rows, columns,
          static_cast<at::acc_type<scalar_t, true>>(eps), output.mutable_data_ptr<scalar_t>(),
          mean.mutable_data_ptr<P>(), rstd.mutable_data_ptr<P>());
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    };
    if (mean.scalar_type() == input.scalar_type()) {
      run(scalar_t());
    } else {
      run(float());
    }
  });
}

}  // namespace at::native
