// topk on CUDA: a block finds the key of a line's k-th element by radix select, gathers the elements before
// it and sorts them in shared memory. Few long lines, and large k, are sorted whole.
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/sorting/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/sorting/ordered_lines.cuh>

namespace at::native {
namespace topk_cuda {

using namespace ordered_lines;

constexpr int threads = 512;
constexpr int warps = threads / 32;

// Numbers the marked elements of a tile, in thread order, continuing from earlier tiles.
struct Gatherer {
  uint32_t found = 0;

  // All threads call it, each time with another row of one element per warp than the call before.
  __device__ uint32_t number(bool marked, uint32_t* per_warp) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned marks = __ballot_sync(0xffffffffu, marked);
    if (lane == 0) per_warp[warp] = __popc(marks);
    __syncthreads();
    uint32_t result = found + __popc(marks & ((1u << lane) - 1));
    for (unsigned w = 0; w < warps; ++w) {
      if (w < warp) result += per_warp[w];
      found += per_warp[w];
    }
    return result;
  }
};

__device__ void gather_best(const LineKeys& keys, uint32_t n, uint32_t k, const RankedKey& last,
                            SharedEntries& entries, uint32_t (&per_warp)[2][warps]) {
  const uint32_t below = k - (last.rank + 1);  // how many keys are before the k-th
  Gatherer before, equal;
  for (uint32_t first = 0; first < n; first += threads) {
    const uint32_t i = first + threadIdx.x;
    const uint64_t key = i < n ? keys[i] : 0;
    const bool is_before = i < n && key < last.key, is_equal = i < n && key == last.key;
    const uint32_t number = before.number(is_before, per_warp[0]);
    const uint32_t equal_number = equal.number(is_equal, per_warp[1]);
    const uint32_t slot = is_before ? number : below + equal_number;
    if ((is_before || is_equal) && slot < k) {
      entries.keys[slot] = key;
      entries.positions[slot] = i;
    }
  }
}

// `width` is a power of two of at least k.
__global__ void __launch_bounds__(threads)
    select_kernel(const __grid_constant__ OrderedLines lines, uint32_t width, bool sorted) {
  __shared__ SharedEntries entries;
  __shared__ DigitCounts counts;
  __shared__ uint32_t per_warp[2][warps];
  for (int64_t line = blockIdx.x; line < lines.lines; line += gridDim.x) {
    const LineKeys keys = lines.keys(line);
    const RankedKey last = key_of_rank(keys, lines.n, lines.kept - 1, counts);
    for (uint32_t slot = lines.kept + threadIdx.x; slot < width; slot += threads) {
      entries.keys[slot] = ~uint64_t{0};
      entries.positions[slot] = ~uint32_t{0};
    }
    gather_best(keys, lines.n, lines.kept, last, entries, per_warp);
    __syncthreads();
    if (sorted) entries.sort(width, width);
    for (uint32_t rank = threadIdx.x; rank < lines.kept; rank += threads) {
      lines.write(line, rank, entries.positions[rank], entries.keys[rank]);
    }
    // key_of_rank has barriers before the next line's entries are written.
  }
}

bool selection_pays(const OrderedLines& lines) {
  constexpr int64_t many_lines = 16, short_line = 1 << 16;
  return lines.n > shared_capacity && lines.kept <= shared_capacity &&
         (lines.lines >= many_lines || lines.n <= short_line);
}

void topk_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t k,
                 int64_t dim, bool largest, bool sorted) {
  const OrderedLines lines(self, values, indices, dim, dim,
                           key_order(self.scalar_type(), /*descending=*/largest, "topk_cuda"));
  if (!selection_pays(lines)) {
    write_sorted(lines);
    return;
  }
  select_kernel<<<blocks_for(lines.lines, 1), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      lines, power_of_two_from(static_cast<uint32_t>(k)), sorted);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace topk_cuda

REGISTER_CUDA_DISPATCH(topk_stub, &topk_cuda::topk_kernel)

}  // namespace at::native
