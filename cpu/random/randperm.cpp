// randperm on the CPU.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/random/permutation.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randperm_native.h>

#include <mutex>

namespace at::native {

Tensor& randperm_out_cpu(int64_t n, std::optional<Generator> generator, Tensor& result) {
  auto* source = get_generator_or_default<CPUGeneratorImpl>(generator, detail::getDefaultCPUGenerator());
  prepare_permutation(n, result);
  if (n == 0) return result;
  PhiloxState state{};
  {
    const std::lock_guard<std::mutex> lock(source->mutex_);
    state = source->reserve(permutation_blocks(n));
  }
  const bool in_place = result.scalar_type() == kLong && result.is_contiguous();
  const Tensor drawn = in_place ? result : at::empty({n}, result.options().dtype(kLong));
  random_permutation(drawn.mutable_data_ptr<int64_t>(), n, state);
  if (!in_place) result.copy_(drawn);
  return result;
}

}  // namespace at::native
