// kthvalue, median and mode on CUDA, a block per line: elements of a rank are found by radix select, the most
// frequent one among the sorted keys.
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/sorting/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/sorting/ordered_lines.cuh>

namespace at::native {
namespace line_choices_cuda {

using namespace ordered_lines;

constexpr int threads = 512;

// -------------------- by rank

// A barrier must come before `shared` is used again.
__device__ uint32_t count_nans(const LineKeys& keys, uint32_t n, uint32_t& shared) {
  if (!keys.order.has_nan()) return 0;
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  uint32_t own = 0;
  for (uint32_t i = threadIdx.x; i < n; i += threads) own += keys[i] == keys.order.nan_key() ? 1 : 0;
  if (own > 0) atomicAdd(&shared, own);
  __syncthreads();
  return shared;
}

__device__ uint32_t first_of(const LineKeys& keys, uint32_t n, uint64_t key, uint32_t& shared) {
  if (threadIdx.x == 0) shared = n - 1;
  __syncthreads();
  uint32_t i = threadIdx.x;
  while (i < n && keys[i] != key) i += threads;
  if (i < n) atomicMin(&shared, i);
  __syncthreads();
  const uint32_t result = shared;
  __syncthreads();
  return result;
}

// NaNs rank above all numbers, so that the median of a line with NaN is the first rank above its numbers.
__device__ uint32_t chosen_rank(LineChoice choice, uint32_t k, uint32_t n, uint32_t nans) {
  const uint32_t numbers = n - nans;
  if (choice == LineChoice::Median) return nans > 0 ? numbers : (n - 1) / 2;
  if (choice == LineChoice::NanMedian) return numbers > 0 ? (numbers - 1) / 2 : 0;
  return k;
}

__global__ void __launch_bounds__(threads)
    rank_kernel(const __grid_constant__ OrderedLines lines, LineChoice choice, uint32_t k) {
  __shared__ DigitCounts counts;
  __shared__ uint32_t shared;
  for (int64_t line = blockIdx.x; line < lines.lines; line += gridDim.x) {
    const LineKeys keys = lines.keys(line);
    const uint32_t nans = choice == LineChoice::Kth ? 0 : count_nans(keys, lines.n, shared);
    // Its barriers come between the uses of `shared`.
    const RankedKey chosen = key_of_rank(keys, lines.n, chosen_rank(choice, k, lines.n, nans), counts);
    const uint32_t position = first_of(keys, lines.n, chosen.key, shared);
    if (threadIdx.x == 0) lines.write(line, 0, position);
  }
}

// -------------------- by count

// A line's keys, sorted.
struct SharedSorted {
  const SharedEntries& entries;
  __device__ uint64_t key(uint32_t rank) const { return entries.keys[rank]; }
  __device__ uint32_t position(uint32_t rank) const { return entries.positions[rank]; }
};
struct StoredSorted {
  LineKeys keys;
  const uint32_t* positions;
  uint32_t before;  // elements of earlier lines
  __device__ uint64_t key(uint32_t rank) const { return keys[position(rank)]; }
  __device__ uint32_t position(uint32_t rank) const { return positions[rank] - before; }
};

template <class Sorted>
__device__ uint32_t end_of_run(const Sorted& sorted, uint32_t begin, uint32_t n) {
  const uint64_t key = sorted.key(begin);
  uint32_t low = begin + 1, high = n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (sorted.key(middle) == key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The rank of the last element of the longest run, the first of such; NaNs don't count, unless there is
// nothing else: then it is the first NaN.
template <class Sorted>
__device__ uint32_t rank_of_mode(const Sorted& sorted, uint32_t n, const KeyOrder& order,
                                 unsigned long long& shared) {
  const auto is_nan = [&](uint64_t key) { return order.has_nan() && key == order.nan_key(); };
  if (is_nan(sorted.key(0))) return 0;
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  unsigned long long best = 0;  // high bits: a run's length, low bits: its beginning, inverted
  for (uint32_t i = threadIdx.x; i < n; i += threads) {
    const uint64_t key = sorted.key(i);
    if (is_nan(key) || (i > 0 && sorted.key(i - 1) == key)) continue;
    const unsigned long long length = end_of_run(sorted, i, n) - i;
    const unsigned long long run = length << 32 | ~i;
    best = run > best ? run : best;
  }
  atomicMax(&shared, best);
  __syncthreads();
  const unsigned long long longest = shared;
  __syncthreads();
  return ~static_cast<uint32_t>(longest) + static_cast<uint32_t>(longest >> 32) - 1;
}

__global__ void __launch_bounds__(threads)
    short_mode_kernel(const __grid_constant__ OrderedLines lines, uint32_t width) {
  __shared__ SharedEntries entries;
  __shared__ unsigned long long shared;
  for (int64_t line = blockIdx.x; line < lines.lines; line += gridDim.x) {
    const LineKeys keys = lines.keys(line);
    for (uint32_t i = threadIdx.x; i < width; i += threads) {
      entries.keys[i] = i < lines.n ? keys[i] : ~uint64_t{0};
      entries.positions[i] = i;
    }
    __syncthreads();
    entries.sort(width, width);
    const SharedSorted sorted{entries};
    const uint32_t rank = rank_of_mode(sorted, lines.n, lines.order, shared);
    if (threadIdx.x == 0) lines.write(line, 0, sorted.position(rank));
    __syncthreads();
  }
}

__global__ void __launch_bounds__(threads)
    long_mode_kernel(const __grid_constant__ OrderedLines lines, int64_t first_line, uint32_t count,
                     const uint32_t* positions) {
  __shared__ unsigned long long shared;
  for (uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const uint32_t before = i * lines.n;
    const StoredSorted sorted{lines.keys(first_line + i), positions + before, before};
    const uint32_t rank = rank_of_mode(sorted, lines.n, lines.order, shared);
    if (threadIdx.x == 0) lines.write(first_line + i, 0, sorted.position(rank));
  }
}

void write_modes(const OrderedLines& lines) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  if (lines.n <= shared_capacity) {
    const uint32_t width = power_of_two_from(lines.n);
    short_mode_kernel<<<blocks_for(lines.lines, 1), threads, 0, stream>>>(lines, width);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return;
  }
  sort_pieces(lines, [&](const SortedPiece& piece) {
    long_mode_kernel<<<blocks_for(piece.lines, 1), threads, 0, stream>>>(lines, piece.first_line, piece.lines,
                                                                         piece.positions);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void choose_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t dim,
                   LineChoice choice, int64_t k) {
  const OrderedLines lines(self, values, indices, dim, no_dim,
                           key_order(self.scalar_type(), /*descending=*/false, "kthvalue_cuda"));
  if (choice == LineChoice::Mode) {
    write_modes(lines);
    return;
  }
  rank_kernel<<<blocks_for(lines.lines, 1), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      lines, choice, static_cast<uint32_t>(k));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace line_choices_cuda

REGISTER_CUDA_DISPATCH(choose_of_lines_stub, &line_choices_cuda::choose_kernel)

}  // namespace at::native
