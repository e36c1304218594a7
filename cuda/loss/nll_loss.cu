// The negative log likelihood on CUDA: a thread per row; a total is summed by one block, in a fixed order.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/loss/nll_loss.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace nll_loss_cuda {

constexpr int threads = 256;

template <class T>
struct Rows {
  using A = at::acc_type<T, true>;
  const T* self;
  const int64_t* target;
  const T* weight;  // null: ones
  int64_t n, classes, row_stride, class_stride, ignore_index;
  c10::cuda::KernelAssertion is_class;

  __device__ bool ignored(int64_t row) const { return target[row] == ignore_index; }
  __device__ A weight_of(int64_t row) const {
    const int64_t chosen = target[row];
    is_class(chosen >= 0 && chosen < classes, chosen, classes);
    return weight == nullptr ? A(1) : static_cast<A>(weight[chosen]);
  }
  // The target is checked before the value is read.
  __device__ A weighted_value(int64_t row) const {
    const A factor = weight_of(row);
    return factor * static_cast<A>(self[row * row_stride + target[row] * class_stride]);
  }
};

template <class T>
Rows<T> rows_of(const NllLoss& loss) {
  return {loss.self.const_data_ptr<T>(),
          loss.target.const_data_ptr<int64_t>(),
          loss.weight.defined() ? loss.weight.const_data_ptr<T>() : nullptr,
          loss.target.numel(),
          loss.self.sizes()[1],
          loss.self.strides()[0],
          loss.self.strides()[1],
          loss.ignore_index,
          c10::cuda::kernel_assertion("nll_loss", "target {} is out of bounds for {} classes")};
}

template <class T>
__global__ void __launch_bounds__(threads) each_kernel(Rows<T> rows, T* out, int64_t stride) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < rows.n; i += step) {
    out[i * stride] = rows.ignored(i) ? T(0) : static_cast<T>(-rows.weighted_value(i));
  }
}

template <class T>
__global__ void __launch_bounds__(threads) total_kernel(Rows<T> rows, bool mean, T* out, T* total_weight) {
  using A = typename Rows<T>::A;
  __shared__ A sums[threads], weights[threads];
  A sum = A(0), weight = A(0);
  for (int64_t i = threadIdx.x; i < rows.n; i += threads) {
    if (rows.ignored(i)) continue;
    sum -= rows.weighted_value(i);
    weight += rows.weight_of(i);
  }
  const int t = static_cast<int>(threadIdx.x);
  sums[t] = sum;
  weights[t] = weight;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      sums[t] += sums[t + half];
      weights[t] += weights[t + half];
    }
    __syncthreads();
  }
  if (t == 0) {
    *out = static_cast<T>(mean ? sums[0] / weights[0] : sums[0]);
    *total_weight = static_cast<T>(weights[0]);
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    backward_kernel(Rows<T> rows, const T* grad, int64_t grad_stride, const T* total_weight, T* grad_input) {
  using A = typename Rows<T>::A;
  const int64_t step = int64_t{gridDim.x} * threads;
  const A total = total_weight == nullptr ? A(1) : static_cast<A>(*total_weight);
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < rows.n; i += step) {
    if (rows.ignored(i)) continue;
    const A scaled = static_cast<A>(grad[i * grad_stride]) / total;
    grad_input[i * rows.classes + rows.target[i]] = static_cast<T>(-rows.weight_of(i) * scaled);
  }
}

void each(const NllLoss& loss, const TensorBase& output) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, loss.self.scalar_type(), "nll_loss_cuda", [&] {
    const auto rows = rows_of<scalar_t>(loss);
    each_kernel<scalar_t><<<blocks_for(rows.n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        rows, output.mutable_data_ptr<scalar_t>(), output.dim() == 0 ? 0 : output.strides()[0]);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void total(const NllLoss& loss, bool mean, const TensorBase& output, const TensorBase& total_weight) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, loss.self.scalar_type(), "nll_loss_cuda", [&] {
    total_kernel<scalar_t><<<1, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        rows_of<scalar_t>(loss), mean, output.mutable_data_ptr<scalar_t>(),
        total_weight.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void backward(const NllLoss& loss, const TensorBase& grad, const TensorBase& total_weight,
              const TensorBase& grad_input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, loss.self.scalar_type(), "nll_loss_backward_cuda", [&] {
    const auto rows = rows_of<scalar_t>(loss);
    backward_kernel<scalar_t><<<blocks_for(rows.n), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        rows, grad.const_data_ptr<scalar_t>(), grad.dim() == 0 ? 0 : grad.strides()[0],
        total_weight.defined() ? total_weight.const_data_ptr<scalar_t>() : nullptr,
        grad_input.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace nll_loss_cuda

REGISTER_CUDA_DISPATCH(nll_each_stub, &nll_loss_cuda::each)
REGISTER_CUDA_DISPATCH(nll_total_stub, &nll_loss_cuda::total)
REGISTER_CUDA_DISPATCH(nll_backward_stub, &nll_loss_cuda::backward)

}  // namespace at::native
