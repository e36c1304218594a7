// The gradient of layer normalisation's input, whose rows are kept in registers; a block reads those that
// don't fit twice.
#include <ATen/native/cuda/normalization/layer_norm.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/normalization/parameter_sums.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/RowRegisters.cuh>

#include <type_traits>

namespace at::native {
namespace layer_norm_backward_kernels {

constexpr int threads = launch_threads, warps = threads / warp_threads, elements_per_thread = 16;

template <class T, class P>
__global__ void __launch_bounds__(threads)
    input_in_registers_kernel(const T* grad, const T* in, const P* mean_in, const P* rstd_in, const P* weight,
                              RowPlan plan, T* out) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
  const A n = static_cast<A>(plan.columns);
  RowPart<row_vector_size<T>, elements_per_thread> part(plan);
  part.for_rows([&](int64_t row) {
    const int64_t start = row * plan.columns;
    const bool has_row = row < plan.rows;
    const A mean = has_row ? static_cast<A>(mean_in[row]) : A(0);
    const A rstd = has_row ? static_cast<A>(rstd_in[row]) : A(0);
    A weighted[elements_per_thread], normalized[elements_per_thread], sum = A(0), along = A(0);
    part.read(in + start, [&](int i, T x) { normalized[i] = (static_cast<A>(x) - mean) * rstd; });
    part.read(grad + start, [&](int i, T g) { weighted[i] = static_cast<A>(g); });
    if (weight != nullptr) part.read(weight, [&](int i, P w) { weighted[i] *= static_cast<A>(w); });
    part.for_each([&](int i) {
      sum += weighted[i];
      along += weighted[i] * normalized[i];
    });
    sum = part.sum(sum, shared) / n;
    along = part.sum(along, shared) / n;
    part.write(out + start, [&](int i) { return (weighted[i] - sum - normalized[i] * along) * rstd; });
  });
}

template <class T, class P>
__global__ void __launch_bounds__(threads)
    input_kernel(const T* grad, const T* in, const P* mean_in, const P* rstd_in, const P* weight,
                 int64_t rows, int64_t columns, T* out) {
  using A = at::acc_type<T, true>;
  __shared__ A shared[warps];
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

// P: type of the statistics and parameters.
template <class T, class P>
void launch(const TensorBase& grad, const TensorBase& input, const TensorBase& mean, const TensorBase& rstd,
            const TensorBase& weight, int64_t rows, int64_t columns, const TensorBase& grad_input) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const auto *g = grad.const_data_ptr<T>(), *x = input.const_data_ptr<T>();
  const auto *means = mean.const_data_ptr<P>(), *rstds = rstd.const_data_ptr<P>();
  const auto* w = data_or_null<P>(weight);
  auto* out = grad_input.mutable_data_ptr<T>();
  if (const auto plan =
          rows_in_registers<row_vector_size<T>, elements_per_thread>(rows, columns, g, x, w, out)) {
    input_in_registers_kernel<<<plan->blocks(), threads, 0, stream>>>(g, x, means, rstds, w, *plan, out);
  } else {
    input_kernel<<<blocks_for(rows, 1), threads, 0, stream>>>(g, x, means, rstds, w, rows, columns, out);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace layer_norm_backward_kernels

void layer_norm_backward_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& mean,
                                   const TensorBase& rstd, const TensorBase& weight, int64_t rows,
                                   int64_t columns, const TensorBase& grad_input,
                                   const TensorBase& grad_weight, const TensorBase& grad_bias) {
  if (grad_input.defined()) {
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "layer_norm_backward_cuda", [&] {
      using parameter_t = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
      layer_norm_backward_kernels::launch<scalar_t, parameter_t>(grad, input, mean, rstd, weight, rows,
                                                                 columns, grad_input);
    });
  }
  parameter_sums_on_device(grad, input, mean, rstd, rows, columns, grad_weight, grad_bias);
}

}  // namespace at::native
