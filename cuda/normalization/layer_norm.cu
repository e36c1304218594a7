// Layer normalisation. Rows are kept in registers; a block reads one that doesn't fit for the mean, for the
// variance and to write the result.
#include <ATen/native/cuda/normalization/layer_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/RowRegisters.cuh>

namespace at::native {
namespace layer_norm_kernels {

constexpr int threads = launch_threads, warps = threads / warp_threads, elements_per_thread = 32;

template <class T, class P>
__global__ void __launch_bounds__(threads)
    row_in_registers_kernel(const T* in, const P* weight, const P* bias, RowPlan plan,
                            at::acc_type<T, true> eps, T* out, P* mean_out, P* rstd_out) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
  const A n = static_cast<A>(plan.columns);
  RowPart<row_vector_size<T>, elements_per_thread> part(plan);
  part.for_rows([&](int64_t row) {
    A x[elements_per_thread], sum = A(0), squares = A(0);
    part.read(in + row * plan.columns, [&](int i, T value) { x[i] = static_cast<A>(value); });
    part.for_each([&](int i) { sum += x[i]; });
    const A mean = part.sum(sum, shared) / n;
    part.for_each([&](int i) {
      x[i] -= mean;
      squares += x[i] * x[i];
    });
    const A rstd = A(1) / ::sqrt(part.sum(squares, shared) / n + eps);
    part.for_each([&](int i) { x[i] *= rstd; });
    if (weight != nullptr) part.read(weight, [&](int i, P value) { x[i] *= static_cast<A>(value); });
    if (bias != nullptr) part.read(bias, [&](int i, P value) { x[i] += static_cast<A>(value); });
    part.write(out + row * plan.columns, [&](int i) { return x[i]; });
    if (part.is_first()) {
      mean_out[row] = static_cast<P>(mean);
      rstd_out[row] = static_cast<P>(rstd);
    }
  });
}

template <class T, class P>
__global__ void __launch_bounds__(threads)
    row_kernel(const T* in, const P* weight, const P* bias, int64_t rows, int64_t columns,
               at::acc_type<T, true> eps, T* out, P* mean_out, P* rstd_out) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
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
    using P = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
    const auto* in = input.const_data_ptr<scalar_t>();
    const auto *w = data_or_null<P>(weight), *b = data_or_null<P>(bias);
    const auto wide_eps = static_cast<at::acc_type<scalar_t, true>>(eps);
    auto* out = output.mutable_data_ptr<scalar_t>();
    auto *means = mean.mutable_data_ptr<P>(), *rstds = rstd.mutable_data_ptr<P>();
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    if (const auto plan =
            rows_in_registers<row_vector_size<scalar_t>, elements_per_thread>(rows, columns, in, out, w, b)) {
      row_in_registers_kernel<<<plan->blocks(), threads, 0, stream>>>(in, w, b, *plan, wide_eps, out, means,
                                                                      rstds);
    } else {
      row_kernel<<<blocks_for(rows, 1), threads, 0, stream>>>(in, w, b, rows, columns, wide_eps, out, means,
                                                              rstds);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
