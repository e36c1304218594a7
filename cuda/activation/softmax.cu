// Softmax kernels. Contiguous lines are kept in registers, and those that don't fit are read by a block, once
// for each step; a thread per line where neighbouring lines are adjacent.
#include <ATen/native/cuda/activation/softmax.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/RowRegisters.cuh>

#include <limits>

namespace at::native {
namespace softmax_cuda {

constexpr int threads = launch_threads, warps = threads / warp_threads;
// Elements of a line that a thread holds, and of each of the two lines of a gradient.
constexpr int elements_per_thread = 32, elements_per_thread_backward = 16;

template <class A>
__device__ A larger(A a, A b) {
  return (a > b) | (a != a) ? a : b;  // NaN stays
}

struct Larger {
  template <class A>
  __device__ A operator()(A a, A b) const {
    return larger(a, b);
  }
};

template <class A>
__device__ A normalized(A x, A max, A sum, A log_sum, bool logarithm) {
  return logarithm ? x - max - log_sum : ::exp(x - max) / sum;
}

template <class T, class Out>
__global__ void __launch_bounds__(threads)
    line_in_registers_kernel(Out* out, const T* in, RowPlan plan, bool logarithm) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
  RowPart<row_vector_size<T, Out>, elements_per_thread> part(plan);
  part.for_rows([&](int64_t line) {
    A x[elements_per_thread], max = -std::numeric_limits<A>::infinity(), sum = A(0);
    part.read(in + line * plan.columns, [&](int i, T value) { x[i] = static_cast<A>(value); });
    part.for_each([&](int i) { max = larger(max, x[i]); });
    max = part.fold(max, shared, Larger());
    part.for_each([&](int i) {
      x[i] -= max;
      const A power = ::exp(x[i]);
      sum += power;
      if (!logarithm) x[i] = power;
    });
    sum = part.sum(sum, shared);
    const A log_sum = ::log(sum);
    part.write(out + line * plan.columns, [&](int i) { return logarithm ? x[i] - log_sum : x[i] / sum; });
  });
}

template <class T, class Out>
__global__ void __launch_bounds__(threads)
    line_kernel(Out* out, const T* in, int64_t lines, int64_t n, bool logarithm) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
  for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
    const T* from = in + line * n;
    Out* to = out + line * n;
    A max = -std::numeric_limits<A>::infinity();
    for (int64_t i = threadIdx.x; i < n; i += threads) max = larger(max, static_cast<A>(from[i]));
    max = fold_block(max, shared, Larger());
    A sum = A(0);
    for (int64_t i = threadIdx.x; i < n; i += threads) sum += ::exp(static_cast<A>(from[i]) - max);
    sum = sum_block(sum, shared);
    const A log_sum = ::log(sum);
    for (int64_t i = threadIdx.x; i < n; i += threads) {
      to[i] = static_cast<Out>(normalized(static_cast<A>(from[i]), max, sum, log_sum, logarithm));
    }
  }
}

// Lines of stride `inner`, `inner` of which are adjacent.
template <class T, class Out>
__global__ void __launch_bounds__(threads)
    columns_kernel(Out* out, const T* in, int64_t lines, int64_t n, int64_t inner, bool logarithm) {
  using A = at::acc_type<T, true>;
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t line = int64_t{blockIdx.x} * threads + threadIdx.x; line < lines; line += step) {
    const int64_t start = line / inner * inner * n + line % inner;
    const T* from = in + start;
    Out* to = out + start;
    A max = -std::numeric_limits<A>::infinity();
    for (int64_t i = 0; i < n; ++i) max = larger(max, static_cast<A>(from[i * inner]));
    A sum = A(0);
    for (int64_t i = 0; i < n; ++i) sum += ::exp(static_cast<A>(from[i * inner]) - max);
    const A log_sum = ::log(sum);
    for (int64_t i = 0; i < n; ++i) {
      to[i * inner] =
          static_cast<Out>(normalized(static_cast<A>(from[i * inner]), max, sum, log_sum, logarithm));
    }
  }
}

template <class T, class Out>
void launch(const TensorBase& output, const TensorBase& input, int64_t dim, bool logarithm) {
  const int64_t n = input.dim() == 0 ? 1 : input.sizes()[dim];
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < input.dim(); ++d) inner *= input.sizes()[d];
  const int64_t lines = input.numel() / n;
  auto* out = output.mutable_data_ptr<Out>();
  const auto* in = input.const_data_ptr<T>();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  if (inner != 1) {
    columns_kernel<T, Out><<<blocks_for(lines), threads, 0, stream>>>(out, in, lines, n, inner, logarithm);
  } else if (const auto plan =
                 rows_in_registers<row_vector_size<T, Out>, elements_per_thread>(lines, n, out, in)) {
    line_in_registers_kernel<T, Out><<<plan->blocks(), threads, 0, stream>>>(out, in, *plan, logarithm);
  } else {
    line_kernel<T, Out><<<blocks_for(lines, 1), threads, 0, stream>>>(out, in, lines, n, logarithm);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// ---- gradients

template <class A>
__device__ A share(A grad, A y, bool logarithm) {
  return logarithm ? grad : grad * y;
}
template <class A>
__device__ A gradient(A grad, A y, A sum, bool logarithm) {
  return logarithm ? grad - ::exp(y) * sum : (grad - sum) * y;
}

template <class T, class In>
__global__ void __launch_bounds__(threads)
    line_in_registers_backward_kernel(In* out, const T* grad, const T* y, RowPlan plan, bool logarithm) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
  RowPart<row_vector_size<T, In>, elements_per_thread_backward> part(plan);
  part.for_rows([&](int64_t line) {
    const int64_t start = line * plan.columns;
    A g[elements_per_thread_backward], result[elements_per_thread_backward], sum = A(0);
    part.read(grad + start, [&](int i, T value) { g[i] = static_cast<A>(value); });
    part.read(y + start, [&](int i, T value) { result[i] = static_cast<A>(value); });
    part.for_each([&](int i) { sum += share(g[i], result[i], logarithm); });
    sum = part.sum(sum, shared);
    part.write(out + start, [&](int i) { return gradient(g[i], result[i], sum, logarithm); });
  });
}

template <class T, class In>
__global__ void __launch_bounds__(threads)
    line_backward_kernel(In* out, const T* grad, const T* y, int64_t lines, int64_t n, bool logarithm) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
  for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
    const int64_t start = line * n;
    A sum = A(0);
    for (int64_t i = start + threadIdx.x; i < start + n; i += threads) {
      sum += share(static_cast<A>(grad[i]), static_cast<A>(y[i]), logarithm);
    }
    sum = sum_block(sum, shared);
    for (int64_t i = start + threadIdx.x; i < start + n; i += threads) {
      out[i] = static_cast<In>(gradient(static_cast<A>(grad[i]), static_cast<A>(y[i]), sum, logarithm));
    }
  }
}

template <class T, class In>
__global__ void __launch_bounds__(threads)
    columns_backward_kernel(In* out, const T* grad, const T* y, int64_t lines, int64_t n, int64_t inner,
                            bool logarithm) {
  using A = at::acc_type<T, true>;
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t line = int64_t{blockIdx.x} * threads + threadIdx.x; line < lines; line += step) {
    const int64_t start = line / inner * inner * n + line % inner, end = start + n * inner;
    A sum = A(0);
    for (int64_t i = start; i < end; i += inner) {
      sum += share(static_cast<A>(grad[i]), static_cast<A>(y[i]), logarithm);
    }
    for (int64_t i = start; i < end; i += inner) {
      out[i] = static_cast<In>(gradient(static_cast<A>(grad[i]), static_cast<A>(y[i]), sum, logarithm));
    }
  }
}

template <class T, class In>
void launch_backward(const TensorBase& grad_input, const TensorBase& grad, const TensorBase& output,
                     int64_t dim, bool logarithm) {
  const int64_t n = grad.dim() == 0 ? 1 : grad.sizes()[dim];
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < grad.dim(); ++d) inner *= grad.sizes()[d];
  const int64_t lines = grad.numel() / n;
  auto* out = grad_input.mutable_data_ptr<In>();
  const auto *g = grad.const_data_ptr<T>(), *y = output.const_data_ptr<T>();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  if (inner != 1) {
    columns_backward_kernel<T, In>
        <<<blocks_for(lines), threads, 0, stream>>>(out, g, y, lines, n, inner, logarithm);
  } else if (const auto plan = rows_in_registers<row_vector_size<T, In>, elements_per_thread_backward>(
                 lines, n, out, g, y)) {
    line_in_registers_backward_kernel<T, In>
        <<<plan->blocks(), threads, 0, stream>>>(out, g, y, *plan, logarithm);
  } else {
    line_backward_kernel<T, In><<<blocks_for(lines, 1), threads, 0, stream>>>(out, g, y, lines, n, logarithm);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace softmax_cuda

void softmax_on_device(const TensorBase& output, const TensorBase& input, int64_t dim, bool logarithm) {
  if (input.numel() == 0) return;
  if (output.scalar_type() != input.scalar_type()) {
    softmax_cuda::launch<c10::Half, float>(output, input, dim, logarithm);
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "softmax_cuda", [&] {
    softmax_cuda::launch<scalar_t, scalar_t>(output, input, dim, logarithm);
  });
}

void softmax_backward_on_device(const TensorBase& grad_input, const TensorBase& grad,
                                const TensorBase& output, int64_t dim, bool logarithm) {
  if (grad.numel() == 0) return;
  if (grad_input.scalar_type() != grad.scalar_type()) {
    softmax_cuda::launch_backward<float, c10::Half>(grad_input, grad, output, dim, logarithm);
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "softmax_backward_cuda", [&] {
    softmax_cuda::launch_backward<scalar_t, scalar_t>(grad_input, grad, output, dim, logarithm);
  });
}

}  // namespace at::native
