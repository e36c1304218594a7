// randperm on CUDA: generated on the host with the device's generator, and copied. A seed gives the same
// permutation as on the CPU.
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/random/reserve.h>
#include <ATen/native/random/permutation.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randperm_native.h>

namespace at::native {

Tensor& randperm_out_cuda(int64_t n, std::optional<Generator> generator, Tensor& result) {
  prepare_permutation(n, result);
  const PhiloxState state = reserve_blocks(generator, result.device(), permutation_blocks(n));
  if (n == 0) return result;
  const Tensor drawn = at::empty({n}, TensorOptions().dtype(kLong).device(kCPU));
  random_permutation(drawn.mutable_data_ptr<int64_t>(), n, state);
  return result.copy_(drawn);
}

}  // namespace at::native
