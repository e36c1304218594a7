// Gradients of layer normalisation: that of the input by a block per row, those of weight and bias by sums
// over rows.
#include <ATen/native/cuda/normalization/layer_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/normalization/row_sums.cuh>

namespace at::native {
namespace layer_norm_backward_kernels {

constexpr int threads = launch_threads;

template <class T, class P>
__global__ void __launch_bounds__(threads)
    input_kernel(const T* grad, const T* in, const P* mean_in, const P* rstd_in, const P* weight,
                 int64_t rows, int64_t columns, T* out) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[threads];
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *g = grad + row * columns, *x = in + row * columns;
    const A mean = static_cast<A>(mean_in[row]), rstd = static_cast<A>(rstd_in[row]);
    const auto weighted = [&](int64_t i) {
      return weight == nullptr ? static_cast<A>(g[i]) : static_cast<A>(g[i]) * static_cast<A>(weight[i]);
    };
    A sum = A(0), along = A(0);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      const A p = weighted(i);
      sum += p;
      along += p * (static_cast<A>(x[i]) - mean) * rstd;
    }
    sum = sum_block(sum, shared) / static_cast<A>(columns);
    along = sum_block(along, shared) / static_cast<A>(columns);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      const A normalized = (static_cast<A>(x[i]) - mean) * rstd;
      out[row * columns + i] = static_cast<T>((weighted(i) - sum - normalized * along) * rstd);
    }
  }
}

// Neighbouring threads read neighbouring columns; blocks along y share the rows.
template <class T, class P>
__global__ void __launch_bounds__(threads)
    parameter_kernel(const T* grad, const T* in, const P* mean, const P* rstd, int64_t rows, int64_t columns,
                     P* weight_shares, P* bias_shares) {
  using A = at::acc_type<T, true>;
  const int64_t column = int64_t{blockIdx.x} * threads + threadIdx.x;
  if (column >= columns) return;
  A weight = A(0), bias = A(0);
  for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    const A g = static_cast<A>(grad[row * columns + column]);
    const A centred = static_cast<A>(in[row * columns + column]) - static_cast<A>(mean[row]);
    weight += g * centred * static_cast<A>(rstd[row]);
    bias += g;
  }
  if (weight_shares != nullptr) weight_shares[blockIdx.y * columns + column] = static_cast<P>(weight);
  if (bias_shares != nullptr) bias_shares[blockIdx.y * columns + column] = static_cast<P>(bias);
}

// P: type of the statistics and parameters, in which the gradients of the parameters are accumulated.
template <class T, class P>
void launch(const TensorBase& grad, const TensorBase& input, const TensorBase& mean, const TensorBase& rstd,
            const TensorBase& weight, int64_t rows, int64_t columns, const TensorBase& grad_input,
            const TensorBase& grad_weight, const TensorBase& grad_bias) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const auto *g = grad.const_data_ptr<T>(), *x = input.const_data_ptr<T>();
  const auto *means = mean.const_data_ptr<P>(), *rstds = rstd.const_data_ptr<P>();
  if (grad_input.defined()) {
    input_kernel<T, P><<<blocks_for(rows, 1), threads, 0, stream>>>(
        g, x, means, rstds, data_or_null<P>(weight), rows, columns, grad_input.mutable_data_ptr<T>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  if (grad_weight.defined() || grad_bias.defined()) {
    const RowShares<P> weights(rows, grad_weight.defined() ? columns : 0);
    const RowShares<P> biases(rows, grad_bias.defined() ? columns : 0);
    const dim3 blocks = grad_weight.defined() ? weights.blocks() : biases.blocks();
    parameter_kernel<T, P>
        <<<blocks, threads, 0, stream>>>(g, x, means, rstds, rows, columns, weights.data(), biases.data());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    if (grad_weight.defined()) weights.sum(grad_weight.mutable_data_ptr<P>());
    if (grad_bias.defined()) biases.sum(grad_bias.mutable_data_ptr<P>());
  }
}

}  // namespace layer_norm_backward_kernels

void layer_norm_backward_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& mean,
                                   const TensorBase& rstd, const TensorBase& weight, int64_t rows,
                                   int64_t columns, const TensorBase& grad_input,
                                   const TensorBase& grad_weight, const TensorBase& grad_bias) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "layer_norm_backward_cuda", [&] {
    using parameter_t = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
    layer_norm_backward_kernels::launch<scalar_t, parameter_t>(grad, input, mean, rstd, weight, rows, columns,
                                                               grad_input, grad_weight, grad_bias);
  });
}

}  // namespace at::native
