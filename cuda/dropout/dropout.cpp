// native_dropout on CUDA: the mask and the output in one pass.
#include <ATen/native/cuda/dropout/dropout.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_dropout_native.h>
#include <ATen/ops/ones_like.h>

#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor> native_dropout_cuda(const Tensor& input, double p, std::optional<bool> train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  const TensorOptions mask_options = input.options().dtype(kBool);
  if (!train.value_or(true)) return {at::clone(input), at::ones_like(input, mask_options)};
  // Which elements are dropped depends on their indices, not on the memory layout.
  const Tensor x = input.contiguous();
  Tensor output = at::empty_like(x), mask = at::empty_like(x, mask_options);
  if (x.numel() > 0) dropout_on_device(output, mask, x, 1 - p, p == 1 ? 0.0 : 1 / (1 - p));
  if (input.is_contiguous()) {
    return {std::move(output), std::move(mask)};
  }
  return {at::empty_like(input).copy_(output), at::empty_like(input, mask_options).copy_(mask)};
}

}  // namespace at::native
