// What formulas of schemas/batching.yaml call for normalization.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace at::native::batching {

using LayerNormResult = std::tuple<Tensor, Tensor, Tensor>;

/// With weights of their own for each example, which the operator doesn't take.
inline LayerNormResult layer_norm(const Tensor& input, c10::SymIntArrayRef normalized_shape,
                                  const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                                  double eps) {
  auto [result, mean, rstd] = at::native_layer_norm_symint(input, normalized_shape, {}, {}, eps);
  if (weight && weight->defined()) result = at::mul(result, *weight);
  if (bias && bias->defined()) result = at::add(result, *bias);
  return {result, mean, rstd};
}

/// With gradients of weights for each example.
inline LayerNormResult layer_norm_backward(const Tensor& grad, const Tensor& input,
                                           c10::SymIntArrayRef normalized_shape, const Tensor& mean,
                                           const Tensor& rstd, const std::optional<Tensor>& weight,
                                           const std::optional<Tensor>& bias, std::array<bool, 3> wanted) {
  std::vector<int64_t> leading;
  for (int64_t d = 0; d < input.dim() - static_cast<int64_t>(normalized_shape.size()); ++d) {
    leading.push_back(d);
  }
  const auto summed = [&](const Tensor& t) { return leading.empty() ? at::alias(t) : at::sum(t, leading); };
  LayerNormResult result;
  if (wanted[0]) {
    const Tensor scaled = weight && weight->defined() ? at::mul(grad, *weight) : grad;
    std::get<0>(result) = std::get<0>(at::native_layer_norm_backward_symint(
        scaled, input, normalized_shape, mean, rstd, {}, {}, {true, false, false}));
  }
  if (wanted[1]) std::get<1>(result) = summed(at::mul(at::mul(grad, at::sub(input, mean)), rstd));
  if (wanted[2]) std::get<2>(result) = summed(grad);
  return result;
}

}  // namespace at::native::batching
