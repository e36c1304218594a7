// Blocks of random words from a CUDA device's generator.
#pragma once

#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <cstdint>
#include <mutex>
#include <optional>

namespace at::native {

/// Takes that many blocks from the generator, by default that of the device.
inline PhiloxState reserve_blocks(const std::optional<Generator>& gen, Device device, uint64_t blocks) {
  auto* generator = get_generator_or_default<CUDAGeneratorImpl>(
      gen, at::cuda::detail::getDefaultCUDAGenerator(device.index()));
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  return generator->reserve(blocks);
}

}  // namespace at::native
