// Steps of optimizers on all elements of many tensors at once.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace at::native {

// Tensors of one dtype, as contiguous memory.
struct StepItems {
  struct Item {
    void* data[5];         // the parameter, its gradient, the optimizer's state
    double by_step[2];     // coefficients that depend on the number of steps that the item has made
    int64_t first, numel;  // `first`: elements of the items before
  };
  ScalarType dtype;
  int num_operands;
  std::vector<Item> items;
  int64_t numel = 0;
  std::optional<double> grad_scale;  // gradients are divided by it, and stay so
};

struct AdamSettings {
  double beta1, beta2, eps;
  double decay;         // factor of the parameter
  double weight_decay;  // times the parameter is added to the gradient
  bool amsgrad, maximize;
};
// State: exp_avg, exp_avg_sq, and max_exp_avg_sq with amsgrad. By step: the size of the step, and the square
// root of the second bias correction.
using fused_adam_fn = void (*)(const StepItems&, const AdamSettings&);
DECLARE_DISPATCH(fused_adam_fn, fused_adam_stub)

struct SgdSettings {
  double lr, weight_decay, momentum, dampening;
  bool nesterov, maximize, is_first_step;
};
// State: the momentum buffer, unless momentum is 0.
using fused_sgd_fn = void (*)(const StepItems&, const SgdSettings&);
DECLARE_DISPATCH(fused_sgd_fn, fused_sgd_stub)

struct AdagradSettings {
  double weight_decay, eps;
  bool maximize;
};
// State: the sum of squares. By step: the size of the step.
using fused_adagrad_fn = void (*)(const StepItems&, const AdagradSettings&);
DECLARE_DISPATCH(fused_adagrad_fn, fused_adagrad_stub)

// Multiplies all elements; whether all of them were finite.
using amp_unscale_fn = bool (*)(const StepItems&, double inv_scale);
DECLARE_DISPATCH(amp_unscale_fn, amp_unscale_stub)

}  // namespace at::native
