// Random words on CUDA. Thread t makes Philox block t; its words go to the same elements as in the CPU's
// kernels (groups of 16 interleaved blocks), so that a seed gives the same values on both.
#pragma once

#include <ATen/core/PhiloxRNGEngine.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/random/reserve.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>
#include <limits>

namespace at::native {
namespace random_cuda {

constexpr int64_t group_blocks = 16;

// `Make` turns a block's words into Make::count elements, element k of block j of a group being the group's k
// * 16 + j, and writes each by put(index, k).
template <class Make>
__global__ void __launch_bounds__(launch_threads)
    philox_kernel(Make make, int64_t numel, int64_t blocks, uint64_t seed, uint64_t offset) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t t = int64_t{blockIdx.x} * launch_threads + threadIdx.x; t < blocks; t += step) {
    const PhiloxBlock words = philox4x32(seed, offset + static_cast<uint64_t>(t));
    make.compute(words);
    const int64_t first = t / group_blocks * (group_blocks * Make::count) + t % group_blocks;
    for (int k = 0; k < Make::count; ++k) {
      const int64_t index = first + k * group_blocks;
      if (index < numel) make.put(index, k);
    }
  }
}

template <class Make>
void run(const Make& make, int64_t numel, Device device, const std::optional<Generator>& gen) {
  if (numel == 0) return;
  constexpr int64_t per_group = group_blocks * Make::count;
  const int64_t blocks = (numel + per_group - 1) / per_group * group_blocks;
  const PhiloxState state = reserve_blocks(gen, device, static_cast<uint64_t>(blocks));
  philox_kernel<<<blocks_for(blocks), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      make, numel, blocks, state.seed, state.offset);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// 2^32 p, the number of words out of 2^32 that give true.
struct Chance {
  uint32_t below;
  bool always;

  explicit Chance(double p)
      : below(static_cast<uint32_t>(static_cast<uint64_t>(p * 0x1p32))),
        always(static_cast<uint64_t>(p * 0x1p32) > std::numeric_limits<uint32_t>::max()) {}
  __device__ bool operator()(uint32_t word) const { return word < below || always; }
};

}  // namespace random_cuda
}  // namespace at::native
