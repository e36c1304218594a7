// Fused steps of Adam, AdamW, SGD and Adagrad.
#include <ATen/core/Tensor.h>
#include <ATen/native/optimizer/arithmetic.h>
#include <ATen/native/optimizer/steps.h>
#include <ATen/native/optimizer/stubs.h>

#include <optional>

#include <ATen/ops/_fused_adagrad_native.h>
#include <ATen/ops/_fused_adam_native.h>
#include <ATen/ops/_fused_adamw_native.h>
#include <ATen/ops/_fused_sgd_native.h>
#include <ATen/ops/item.h>

namespace at::native {

DEFINE_DISPATCH(fused_adam_stub);
DEFINE_DISPATCH(fused_sgd_stub);
DEFINE_DISPATCH(fused_adagrad_stub);

namespace {

double number_in(const Tensor& t, const char* name) {
  TORCH_CHECK(t.numel() == 1, name, " must have one element, got ", t.numel());
  return t.item().toDouble();
}

bool are_meta(TensorList self) { return !self.empty() && self.front().is_meta(); }

// Tensors on Meta aren't written to.
double rate_in(const Tensor& lr, TensorList self) { return are_meta(self) ? 0 : number_in(lr, "lr"); }

// What all steps have in common; `run` is called unless there is nothing to do.
template <class Run>
void step(std::initializer_list<TensorList> lists, const std::optional<Tensor>& grad_scale,
          const std::optional<Tensor>& found_inf, const Run& run) {
  StepLists steps(lists);
  if (lists.begin()->empty() || are_meta(*lists.begin()) ||
      (found_inf.has_value() && number_in(*found_inf, "found_inf") == 1)) {
    return;
  }
  if (grad_scale.has_value()) {
    steps.items.grad_scale = number_in(*grad_scale, "grad_scale");
  }
  run(steps.items);
  steps.finish();
}

void check_steps(TensorList self, TensorList state_steps) {
  TORCH_CHECK(state_steps.size() == self.size(), "expected as many state_steps as tensors, got ",
              state_steps.size(), " and ", self.size());
}

void adam(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
          TensorList max_exp_avg_sqs, TensorList state_steps, double lr, AdamSettings settings,
          const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  check_steps(self, state_steps);
  const auto run = [&](StepItems& items) {
    for (size_t i = 0; i < self.size(); i++) {
      const double steps = number_in(state_steps[i], "a tensor of state_steps");
      optimizer::adam_by_step(settings, lr, steps, items.items[i].by_step);
    }
    fused_adam_stub(kCPU, items, settings);
  };
  if (settings.amsgrad) {
    step({self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs}, grad_scale, found_inf, run);
  } else {
    step({self, grads, exp_avgs, exp_avg_sqs}, grad_scale, found_inf, run);
  }
}

}  // namespace

// -------------------- Adam and AdamW

void _fused_adam_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                  TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1, double beta2,
                  double weight_decay, double eps, bool amsgrad, bool maximize,
                  const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr,
       {beta1, beta2, eps, /*decay=*/1, weight_decay, amsgrad, maximize}, grad_scale, found_inf);
}

void _fused_adamw_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                   TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1, double beta2,
                   double weight_decay, double eps, bool amsgrad, bool maximize,
                   const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr,
       {beta1, beta2, eps, /*decay=*/1 - lr * weight_decay, /*weight_decay=*/0, amsgrad, maximize},
       grad_scale, found_inf);
}

void _fused_adam_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                  TensorList max_exp_avg_sqs, TensorList state_steps, const Tensor& lr, double beta1,
                  double beta2, double weight_decay, double eps, bool amsgrad, bool maximize,
                  const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  const double rate = rate_in(lr, self);
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, rate,
       {beta1, beta2, eps, /*decay=*/1, weight_decay, amsgrad, maximize}, grad_scale, found_inf);
}

void _fused_adamw_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                   TensorList max_exp_avg_sqs, TensorList state_steps, const Tensor& lr, double beta1,
                   double beta2, double weight_decay, double eps, bool amsgrad, bool maximize,
                   const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  const double rate = rate_in(lr, self);
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, rate,
       {beta1, beta2, eps, /*decay=*/1 - rate * weight_decay, /*weight_decay=*/0, amsgrad, maximize},
       grad_scale, found_inf);
}

// -------------------- SGD

void _fused_sgd_(TensorList self, TensorList grads, TensorList momentum_buffer_list, double weight_decay,
                 double momentum, double lr, double dampening, bool nesterov, bool maximize,
                 bool is_first_step, const std::optional<Tensor>& grad_scale,
                 const std::optional<Tensor>& found_inf) {
  const auto run = [&](StepItems& items) {
    fused_sgd_stub(kCPU, items,
                   SgdSettings{lr, weight_decay, momentum, dampening, nesterov, maximize, is_first_step});
  };
  if (momentum != 0) {
    step({self, grads, momentum_buffer_list}, grad_scale, found_inf, run);
  } else {
    step({self, grads}, grad_scale, found_inf, run);
  }
}

void _fused_sgd_(TensorList self, TensorList grads, TensorList momentum_buffer_list, double weight_decay,
                 double momentum, const Tensor& lr, double dampening, bool nesterov, bool maximize,
                 bool is_first_step, const std::optional<Tensor>& grad_scale,
                 const std::optional<Tensor>& found_inf) {
  const double rate = rate_in(lr, self);
  _fused_sgd_(self, grads, momentum_buffer_list, weight_decay, momentum, rate, dampening, nesterov, maximize,
              is_first_step, grad_scale, found_inf);
}

// -------------------- Adagrad

void _fused_adagrad_(TensorList self, TensorList grads, TensorList state_sums, TensorList state_steps,
                     double lr, double lr_decay, double weight_decay, double eps, bool maximize,
                     const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  check_steps(self, state_steps);
  step({self, grads, state_sums}, grad_scale, found_inf, [&](StepItems& items) {
    for (size_t i = 0; i < self.size(); i++) {
      const double steps = number_in(state_steps[i], "a tensor of state_steps");
      items.items[i].by_step[0] = optimizer::adagrad_by_step(lr, lr_decay, steps);
    }
    fused_adagrad_stub(kCPU, items, AdagradSettings{weight_decay, eps, maximize});
  });
}

void _fused_adagrad_(TensorList self, TensorList grads, TensorList state_sums, TensorList state_steps,
                     const Tensor& lr, double lr_decay, double weight_decay, double eps, bool maximize,
                     const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  const double rate = rate_in(lr, self);
  _fused_adagrad_(self, grads, state_sums, state_steps, rate, lr_decay, weight_decay, eps, maximize,
                  grad_scale, found_inf);
}

}  // namespace at::native
