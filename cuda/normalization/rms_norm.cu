// rms_norm and the gradient of its input. Rows are kept in registers; a block reads those that don't fit
// twice.
#include <ATen/native/cuda/normalization/rms_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/normalization/parameter_sums.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/RowRegisters.cuh>

namespace at::native {
namespace rms_norm_kernels {

constexpr int threads = launch_threads, warps = threads / warp_threads;
// Elements of a row that a thread holds, and of each of the two rows of a gradient.
constexpr int elements_per_thread = 32, elements_per_thread_backward = 16;

template <class T, class A>
__global__ void __launch_bounds__(threads)
    row_in_registers_kernel(const T* in, const A* weight, RowPlan plan, A eps, T* out, A* rstd_out) {
  __shared__ A shared[warps];
  RowPart<row_vector_size<T>, elements_per_thread> part(plan);
  part.for_rows([&](int64_t row) {
    A x[elements_per_thread], squares = A(0);
    part.read(in + row * plan.columns, [&](int i, T value) {
      x[i] = static_cast<A>(value);
      squares += x[i] * x[i];
    });
    const A rstd = A(1) / ::sqrt(part.sum(squares, shared) / static_cast<A>(plan.columns) + eps);
    part.for_each([&](int i) { x[i] *= rstd; });
    if (weight != nullptr) part.read(weight, [&](int i, A value) { x[i] *= value; });
    part.write(out + row * plan.columns, [&](int i) { return x[i]; });
    if (part.is_first()) rstd_out[row] = rstd;
  });
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    row_kernel(const T* in, const A* weight, int64_t rows, int64_t columns, A eps, T* out, A* rstd_out) {
  __shared__ A shared[warps];
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
    input_in_registers_kernel(const T* grad, const T* in, const A* rstd_in, const A* weight, RowPlan plan,
                              T* out) {
  __shared__ A shared[warps];
  RowPart<row_vector_size<T>, elements_per_thread_backward> part(plan);
  part.for_rows([&](int64_t row) {
    const int64_t start = row * plan.columns;
    const A rstd = row < plan.rows ? rstd_in[row] : A(0);
    A weighted[elements_per_thread_backward], normalized[elements_per_thread_backward], along = A(0);
    part.read(in + start, [&](int i, T x) { normalized[i] = static_cast<A>(x) * rstd; });
    part.read(grad + start, [&](int i, T g) { weighted[i] = static_cast<A>(g); });
    if (weight != nullptr) part.read(weight, [&](int i, A w) { weighted[i] *= w; });
    part.for_each([&](int i) { along += weighted[i] * normalized[i]; });
    along = part.sum(along, shared) / static_cast<A>(plan.columns);
    part.write(out + start, [&](int i) { return (weighted[i] - normalized[i] * along) * rstd; });
  });
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    input_kernel(const T* grad, const T* in, const A* rstd_in, const A* weight, int64_t rows, int64_t columns,
                 T* out) {
  __shared__ A shared[warps];
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *g = grad + row * columns, *x = in + row * columns;
    const A rstd = rstd_in[row];
    const auto weighted = [&](int64_t i) {
      return weight == nullptr ? static_cast<A>(g[i]) : static_cast<A>(g[i]) * weight[i];
    };
    A along = A(0);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      along += weighted(i) * static_cast<A>(x[i]) * rstd;
    }
    along = sum_block(along, shared) / static_cast<A>(columns);
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
      out[row * columns + i] = static_cast<T>((weighted(i) - static_cast<A>(x[i]) * rstd * along) * rstd);
    }
  }
}

}  // namespace rms_norm_kernels

void rms_norm_on_device(const TensorBase& input, const TensorBase& weight, int64_t rows, int64_t columns,
                        double eps, const TensorBase& output, const TensorBase& rstd) {
  using namespace rms_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "rms_norm_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const auto* in = input.const_data_ptr<scalar_t>();
    const auto* w = data_or_null<A>(weight);
    auto* out = output.mutable_data_ptr<scalar_t>();
    auto* rstds = rstd.mutable_data_ptr<A>();
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    if (const auto plan =
            rows_in_registers<row_vector_size<scalar_t>, elements_per_thread>(rows, columns, in, out, w)) {
      row_in_registers_kernel<<<plan->blocks(), threads, 0, stream>>>(in, w, *plan, static_cast<A>(eps), out,
                                                                      rstds);
    } else {
      row_kernel<<<blocks_for(rows, 1), threads, 0, stream>>>(in, w, rows, columns, static_cast<A>(eps), out,
                                                              rstds);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void rms_norm_backward_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& rstd,
                                 const TensorBase& weight, int64_t rows, int64_t columns,
                                 const TensorBase& grad_input, const TensorBase& grad_weight) {
  using namespace rms_norm_kernels;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  if (grad_input.defined()) {
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "rms_norm_backward_cuda", [&] {
      using A = at::acc_type<scalar_t, true>;
      const auto *g = grad.const_data_ptr<scalar_t>(), *x = input.const_data_ptr<scalar_t>();
      const auto *scale = rstd.const_data_ptr<A>(), *w = data_or_null<A>(weight);
      auto* out = grad_input.mutable_data_ptr<scalar_t>();
      if (const auto plan = rows_in_registers<row_vector_size<scalar_t>, elements_per_thread_backward>(
              rows, columns, g, x, w, out)) {
        input_in_registers_kernel<<<plan->blocks(), threads, 0, stream>>>(g, x, scale, w, *plan, out);
      } else {
        input_kernel<<<blocks_for(rows, 1), threads, 0, stream>>>(g, x, scale, w, rows, columns, out);
      }
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  }
  parameter_sums_on_device(grad, input, {}, rstd, rows, columns, grad_weight, {});
}

}  // namespace at::native
