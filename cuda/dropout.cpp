// native_dropout on CUDA: the mask and the output in one pass.
#include <ATen/native/cuda/dropout.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_dropout_native.h>
#include <ATen/ops/ones_like.h>

#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor> native_dropout_cuda(const Tensor& input, double p, std::optional<bool> train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  const Tensor x = input.contiguous();
  const TensorOptions mask_options = x.options().dtype(kBool);
  if (!train.value_or(true)) return {x.clone(), at::ones_like(x, mask_options)};
  Tensor output = at::empty_like(x), mask = at::empty_like(x, mask_options);
  if (x.numel() > 0) dropout_on_device(output, mask, x, 1 - p, p == 1 ? 0.0 : 1 / (1 - p));
  return {std::move(output), std::move(mask)};
}

}  // namespace at::native
