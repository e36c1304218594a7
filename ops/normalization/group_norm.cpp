// group_norm, around native_group_norm.

#include <ATen/native/normalization/group_norm.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/group_norm_native.h>
#include <ATen/ops/native_group_norm.h>

#include <tuple>

namespace at::native {

Tensor group_norm(const Tensor& input, int64_t num_groups, const std::optional<Tensor>& weight_opt,
                  const std::optional<Tensor>& bias_opt, double eps, bool /*cudnn_enabled*/) {
  const Tensor weight = weight_opt.value_or(Tensor()), bias = bias_opt.value_or(Tensor());
  TORCH_CHECK_INDEX(input.dim() >= 2, "group_norm: expected an input of at least 2 dimensions, the channels ",
                    "being dimension 1, but got shape ", input.sizes());
  const int64_t samples = input.size(0), channels = input.size(1);
  check_group_norm_groups(input, channels, num_groups);
  check_group_norm_parameter("weight", weight, channels, input);
  check_group_norm_parameter("bias", bias, channels, input);
  int64_t inner = 1;
  for (const int64_t size : input.sizes().slice(2)) inner *= size;
  const Tensor x = input.contiguous(input.suggest_memory_format());
  return std::get<0>(at::native_group_norm(x, weight, bias, samples, channels, inner, num_groups, eps));
}

}  // namespace at::native
