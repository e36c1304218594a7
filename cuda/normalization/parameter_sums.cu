// Sums over the rows of a matrix in a fixed order, so that their bits don't depend on when blocks run: the
// warps of a block share a few vectors of columns and a share of the rows; another kernel adds up the shares.
#include <ATen/native/cuda/normalization/parameter_sums.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/RowRegisters.cuh>

#include <algorithm>

namespace at::native {
namespace parameter_sums_kernels {

constexpr int threads = launch_threads, warps = threads / warp_threads;

// What each share of the rows sums up to: `shares` rows of columns each; null: not asked for.
template <class A>
struct Sums {
  A *weight, *bias;
};

// Row `row` of the matrix from this lane's first column on; where it isn't aligned the columns of a vector
// are those of a warp's lanes apart, so that neighbouring lanes read neighbours.
template <int size, class T, class A>
__device__ void read_part(const T* row, int64_t first, int64_t columns, bool by_vectors, A (&values)[size]) {
  if (by_vectors) {
    const auto loaded = *reinterpret_cast<const RowVector<T, size>*>(row + first);
#pragma unroll
    for (int j = 0; j < size; ++j) values[j] = static_cast<A>(loaded.v[j]);
  } else {
#pragma unroll
    for (int j = 0; j < size; ++j) {
      const int64_t column = first + j * warp_threads;
      values[j] = column < columns ? static_cast<A>(row[column]) : A(0);
    }
  }
}

// Where a warp's columns lie in shared memory: those of a vector in lines of their own, apart by what lets
// neighbouring columns be read from different banks.
template <int size>
constexpr int line = warp_threads + warp_threads / size;

// Adds up the warps' parts and writes them. `shared` is used again when it returns.
template <int size, class A>
__device__ void write_part(const A (&sums)[size], A (*shared)[size * line<size>], int64_t first_column,
                           int64_t columns, bool by_vectors, A* out) {
  const int warp = static_cast<int>(threadIdx.x) / warp_threads, lane = threadIdx.x % warp_threads;
#pragma unroll
  for (int j = 0; j < size; ++j) shared[warp][j * line<size> + lane] = sums[j];
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < size * warp_threads; i += threads) {
    const int place =
        by_vectors ? i % size * line<size> + i / size : i / warp_threads * line<size> + i % warp_threads;
    A sum = A(0);
    for (int k = 0; k < warps; ++k) sum += shared[k][place];
    if (first_column + i < columns) out[first_column + i] = sum;
  }
  __syncthreads();
}

template <class T, class A>
__global__ void __launch_bounds__(threads)
    share_kernel(const T* grad, const T* in, const A* mean, const A* rstd, int64_t rows, int64_t columns,
                 bool by_vectors, Sums<A> out) {
  constexpr int size = row_vector_size<T>;
  __shared__ A shared[warps][size * line<size>];
  const int warp = static_cast<int>(threadIdx.x) / warp_threads, lane = threadIdx.x % warp_threads;
  const int64_t first_column = int64_t{blockIdx.x} * size * warp_threads;
  const int64_t first = first_column + lane * (by_vectors ? size : 1);
  A weight[size] = {}, bias[size] = {};
  // Each lane reads the statistics of a row, for all of them.
  const int64_t step = int64_t{gridDim.y} * warps;
  for (int64_t begin = int64_t{blockIdx.y} * warps + warp; begin < rows; begin += step * warp_threads) {
    const int64_t own = begin + lane * step;
    const A own_mean = mean != nullptr && own < rows ? mean[own] : A(0);
    const A own_rstd = own < rows ? rstd[own] : A(0);
    for (int k = 0; k < warp_threads && begin + k * step < rows; ++k) {
      const A row_mean = __shfl_sync(0xffffffffu, own_mean, k);
      const A row_rstd = __shfl_sync(0xffffffffu, own_rstd, k);
      if (first >= columns) continue;
      const int64_t start = (begin + k * step) * columns;
      A g[size], x[size];
      read_part(grad + start, first, columns, by_vectors, g);
      read_part(in + start, first, columns, by_vectors, x);
#pragma unroll
      for (int j = 0; j < size; ++j) {
        weight[j] += g[j] * (x[j] - row_mean) * row_rstd;
        bias[j] += g[j];
      }
    }
  }
  const int64_t share = blockIdx.y * columns;
  if (out.weight != nullptr) {
    write_part(weight, shared, first_column, columns, by_vectors, out.weight + share);
  }
  if (out.bias != nullptr) write_part(bias, shared, first_column, columns, by_vectors, out.bias + share);
}

template <class A>
__global__ void __launch_bounds__(threads)
    total_kernel(Sums<A> shares, int64_t count, int64_t columns, Sums<A> out) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t i = int64_t{blockIdx.x} * threads + threadIdx.x; i < columns; i += step) {
    A weight = A(0), bias = A(0);
    for (int64_t share = 0; share < count; ++share) {
      if (out.weight != nullptr) weight += shares.weight[share * columns + i];
      if (out.bias != nullptr) bias += shares.bias[share * columns + i];
    }
    if (out.weight != nullptr) out.weight[i] = weight;
    if (out.bias != nullptr) out.bias[i] = bias;
  }
}

int64_t share_count(int64_t rows, int64_t columns) {
  constexpr int64_t rows_per_share = 64, most_shares = 1024, most_sums = int64_t{1} << 22;
  const int64_t most = std::clamp<int64_t>(most_sums / columns, 1, most_shares);
  return std::clamp<int64_t>(rows / rows_per_share, 1, most);
}

template <class T, class A>
void launch(const T* grad, const T* in, const A* mean, const A* rstd, int64_t rows, int64_t columns,
            const Sums<A>& out) {
  constexpr int size = row_vector_size<T>;
  const int64_t shares = share_count(rows, columns), tile = size * warp_threads;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const bool by_vectors = columns % size == 0 && is_row_aligned<T, size>(grad) && is_row_aligned<T, size>(in);
  const dim3 blocks(static_cast<unsigned>((columns + tile - 1) / tile), static_cast<unsigned>(shares));
  c10::DataPtr memory;  // of the current stream
  Sums<A> first = out;
  if (shares > 1) {
    const int64_t sums = shares * columns;
    memory = c10::cuda::CUDACachingAllocator::get()->allocate(2 * sums * sizeof(A));
    auto* data = static_cast<A*>(memory.get());
    first = {out.weight != nullptr ? data : nullptr, out.bias != nullptr ? data + sums : nullptr};
  }
  share_kernel<<<blocks, threads, 0, stream>>>(grad, in, mean, rstd, rows, columns, by_vectors, first);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  if (shares == 1) return;
  total_kernel<A><<<blocks_for(columns), threads, 0, stream>>>(first, shares, columns, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace parameter_sums_kernels

void parameter_sums_on_device(const TensorBase& grad, const TensorBase& input, const TensorBase& mean,
                              const TensorBase& rstd, int64_t rows, int64_t columns,
                              const TensorBase& grad_weight, const TensorBase& grad_bias) {
  if (!grad_weight.defined() && !grad_bias.defined()) return;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "parameter_sums_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    parameter_sums_kernels::launch<scalar_t, A>(
        grad.const_data_ptr<scalar_t>(), input.const_data_ptr<scalar_t>(), data_or_null<A>(mean),
        rstd.const_data_ptr<A>(), rows, columns,
        {mutable_data_or_null<A>(grad_weight), mutable_data_or_null<A>(grad_bias)});
  });
}

}  // namespace at::native
