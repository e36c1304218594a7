// native_dropout on the CPU: the mask and the output in one pass.
#include <ATen/native/cpu/dropout/dropout.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/bernoulli.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_dropout_native.h>
#include <ATen/ops/ones_like.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(dropout_stub);

std::tuple<Tensor, Tensor> native_dropout_cpu(const Tensor& input, double p, std::optional<bool> train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  const TensorOptions mask_options = input.options().dtype(kBool);
  if (!train.value_or(true)) {
    return {at::clone(input), at::ones_like(input, mask_options)};
  }
  if (input.is_complex()) {
    const Tensor mask = at::empty_like(input, mask_options).bernoulli_(1 - p);
    return {at::mul(input, mask).mul_(p == 1 ? 0.0 : 1 / (1 - p)), mask};
  }
  // Which elements are dropped depends on their indices, not on the memory layout.
  const Tensor x = input.contiguous();
  Tensor output = at::empty_like(x), mask = at::empty_like(x, mask_options);
  if (x.numel() > 0) {
    dropout_stub(kCPU, output, mask, x, 1 - p, p == 1 ? 0.0 : 1 / (1 - p));
  }
  if (input.is_contiguous()) {
    return {std::move(output), std::move(mask)};
  }
  return {at::empty_like(input).copy_(output), at::empty_like(input, mask_options).copy_(mask)};
}

}  // namespace at::native
