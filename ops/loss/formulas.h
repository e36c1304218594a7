// Derivatives of losses. Gradients of one operand are for the first of the two, which broadcast; second
// derivatives are of (gradient of the gradient) * grad_output.
#pragma once

#include <ATen/native/formulas.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor mse_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                        int64_t reduction);
/// `numel` is the number of differences.
TORCH_API Tensor mse_loss_double_backward(const Tensor& grad, int64_t numel, int64_t reduction);
TORCH_API Tensor mse_loss_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& target_p,
                              const Tensor& target_t, int64_t reduction);

/// An elementwise loss, reduced by `reduction`.
TORCH_API Tensor loss_reduction(const Tensor& loss, int64_t reduction);

TORCH_API Tensor smooth_l1_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                              int64_t reduction, double beta);
TORCH_API Tensor smooth_l1_loss_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                                int64_t reduction, double beta);
TORCH_API Tensor huber_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                          int64_t reduction, double delta);
TORCH_API Tensor huber_loss_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                            int64_t reduction, double delta);
TORCH_API Tensor binary_cross_entropy_target_backward(const Tensor& grad, const Tensor& self,
                                                      const Tensor& target,
                                                      const std::optional<Tensor>& weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_double_backward(const Tensor& grad, const Tensor& self,
                                                      const Tensor& target,
                                                      const std::optional<Tensor>& weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_double_backward_target(const Tensor& grad, const Tensor& self,
                                                             const std::optional<Tensor>& weight,
                                                             int64_t reduction);
TORCH_API Tensor soft_margin_loss_double_backward(const Tensor& grad, const Tensor& self,
                                                  const Tensor& target, int64_t reduction);

/// Gradients of grad_output, weight and total_weight.
TORCH_API std::tuple<Tensor, Tensor, Tensor> nll_loss_double_backward(
    const Tensor& grad, const Tensor& grad_output, const Tensor& self, const Tensor& target,
    const Tensor& weight, int64_t reduction, const SymInt& ignore_index, const Tensor& total_weight,
    std::array<bool, 3> wanted);
TORCH_API Tensor nll_loss_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t,
                                       const Tensor& self, const Tensor& target, const Tensor& weight_p,
                                       const Tensor& weight_t, int64_t reduction, const SymInt& ignore_index,
                                       const Tensor& total_weight_p, const Tensor& total_weight_t);
/// Undefined weights are 1.
TORCH_API Tensor binary_cross_entropy_with_logits_backward(const Tensor& grad, const Tensor& self,
                                                           const Tensor& target, const Tensor& weight,
                                                           const Tensor& pos_weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_with_logits_target_backward(const Tensor& grad, const Tensor& self,
                                                                  const Tensor& weight,
                                                                  const Tensor& pos_weight,
                                                                  int64_t reduction);
TORCH_API Tensor binary_cross_entropy_with_logits_jvp(const Tensor& self_p, const Tensor& self_t,
                                                      const Tensor& target_p, const Tensor& target_t,
                                                      const std::optional<Tensor>& weight,
                                                      const std::optional<Tensor>& pos_weight,
                                                      int64_t reduction);

}  // namespace torch::inline C10_ABI::autograd::generated::details
