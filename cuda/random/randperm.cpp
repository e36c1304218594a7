// randperm on CUDA: generated on the host with the device's generator, and copied. A seed gives the same
// permutation as on the CPU.
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/native/random/permutation.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randperm_native.h>

#include <mutex>

namespace at::native {

Tensor& randperm_out_cuda(int64_t n, std::optional<Generator> generator, Tensor& result) {
  auto* source = get_generator_or_default<CUDAGeneratorImpl>(
      generator, at::cuda::detail::getDefaultCUDAGenerator(result.device().index()));
  prepare_permutation(n, result);
  if (n == 0) return result;
  PhiloxState state{};
  {
    const std::lock_guard<std::mutex> lock(source->mutex_);
    state = source->reserve(permutation_blocks(n));
  }
  const Tensor drawn = at::empty({n}, TensorOptions().dtype(kLong).device(kCPU));
  random_permutation(drawn.mutable_data_ptr<int64_t>(), n, state);
  return result.copy_(drawn);
}

}  // namespace at::native
