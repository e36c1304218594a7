// Fused steps of Adam, AdamW, SGD and Adagrad on CUDA. What tensors hold (lr, the numbers of steps, the
// gradients' scale, whether a gradient was not finite) is read on the device, which isn't waited for.
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/optimizer/steps.h>
#include <ATen/native/optimizer/steps.h>

#include <initializer_list>
#include <optional>
#include <vector>

#include <ATen/ops/_fused_adagrad_native.h>
#include <ATen/ops/_fused_adam_native.h>
#include <ATen/ops/_fused_adamw_native.h>
#include <ATen/ops/_fused_sgd_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

using OptionalTensor = std::optional<Tensor>;

// One on the CPU is read here, as a tensor made of a number is.
DeviceNumber number_in(const Tensor& t, const Device& device, const char* name) {
  TORCH_CHECK(t.numel() == 1, name, " must have one element, got ", t.numel());
  if (t.is_cpu()) return {nullptr, false, t.item().toDouble()};
  TORCH_CHECK(t.device() == device, name, " must be on the same GPU device as the params, ", device, ", got ",
              t.device());
  TORCH_CHECK(t.scalar_type() == kFloat || t.scalar_type() == kDouble, name, " must be Float or Double, got ",
              t.scalar_type());
  return {t.const_data_ptr(), t.scalar_type() == kDouble};
}

DeviceNumber optional_number(const OptionalTensor& t, const Device& device, const char* name) {
  return t.has_value() && t->defined() ? number_in(*t, device, name) : DeviceNumber{};
}

// The rate of learning: a number, or the tensor that it is in.
struct Rate {
  double number = 0;
  const Tensor* tensor = nullptr;
};

// The numbers of steps as floats, with the tensors that hold them.
struct Counts {
  std::vector<Tensor> floats;
  std::vector<const float*> data;

  Counts(TensorList self, TensorList state_steps) {
    TORCH_CHECK(state_steps.size() == self.size(), "expected as many state_steps as tensors, got ",
                state_steps.size(), " and ", self.size());
    for (size_t i = 0; i < self.size(); ++i) {
      const Tensor& t = state_steps[i];
      TORCH_CHECK(t.numel() == 1, "a tensor of state_steps must have one element, got ", t.numel());
      TORCH_CHECK(t.device() == self[0].device(),
                  "state_steps must be on the same GPU device as the params, ", self[0].device(), ", got ",
                  t.device());
      floats.push_back(t.to(kFloat));
      data.push_back(floats.back().const_data_ptr<float>());
    }
  }
};

// What all steps have in common.
template <class Run>
void step(std::initializer_list<TensorList> lists, std::vector<const float*> counts, const Rate& rate,
          const OptionalTensor& grad_scale, const OptionalTensor& found_inf, const Run& run) {
  StepLists steps(lists);
  const TensorList& self = *lists.begin();
  if (self.empty()) return;
  const Device device = self[0].device();
  const DeviceNumber lr =
      rate.tensor != nullptr ? number_in(*rate.tensor, device, "lr") : DeviceNumber{.known = rate.number};
  const StepScale scale{grad_scale.has_value() && grad_scale->defined(),
                        optional_number(grad_scale, device, "grad_scale"),
                        optional_number(found_inf, device, "found_inf")};
  run(DeviceSteps{steps.items, scale, lr, std::move(counts)});
  steps.finish();
}

void adam(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
          TensorList max_exp_avg_sqs, TensorList state_steps, const Rate& rate, const AdamSettings& settings,
          bool is_decoupled, const OptionalTensor& grad_scale, const OptionalTensor& found_inf) {
  const Counts counts(self, state_steps);
  const auto run = [&](const DeviceSteps& steps) { fused_adam_on_device(steps, settings, is_decoupled); };
  if (settings.amsgrad) {
    step({self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs}, counts.data, rate, grad_scale, found_inf,
         run);
  } else {
    step({self, grads, exp_avgs, exp_avg_sqs}, counts.data, rate, grad_scale, found_inf, run);
  }
}

void sgd(TensorList self, TensorList grads, TensorList momentum_buffer_list, const Rate& rate,
         const SgdSettings& settings, const OptionalTensor& grad_scale, const OptionalTensor& found_inf) {
  const auto run = [&](const DeviceSteps& steps) { fused_sgd_on_device(steps, settings); };
  if (settings.momentum != 0) {
    step({self, grads, momentum_buffer_list}, {}, rate, grad_scale, found_inf, run);
  } else {
    step({self, grads}, {}, rate, grad_scale, found_inf, run);
  }
}

void adagrad(TensorList self, TensorList grads, TensorList state_sums, TensorList state_steps,
             const Rate& rate, double lr_decay, const AdagradSettings& settings,
             const OptionalTensor& grad_scale, const OptionalTensor& found_inf) {
  const Counts counts(self, state_steps);
  step({self, grads, state_sums}, counts.data, rate, grad_scale, found_inf,
       [&](const DeviceSteps& steps) { fused_adagrad_on_device(steps, settings, lr_decay); });
}

}  // namespace

// -------------------- Adam and AdamW

void _fused_adam_kernel_cuda_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                              TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1,
                              double beta2, double weight_decay, double eps, bool amsgrad, bool maximize,
                              const OptionalTensor& grad_scale, const OptionalTensor& found_inf) {
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, {lr},
       {beta1, beta2, eps, /*decay=*/1, weight_decay, amsgrad, maximize}, /*is_decoupled=*/false, grad_scale,
       found_inf);
}

void _fused_adam_kernel_cuda_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                              TensorList max_exp_avg_sqs, TensorList state_steps, const Tensor& lr,
                              double beta1, double beta2, double weight_decay, double eps, bool amsgrad,
                              bool maximize, const OptionalTensor& grad_scale,
                              const OptionalTensor& found_inf) {
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, {.tensor = &lr},
       {beta1, beta2, eps, /*decay=*/1, weight_decay, amsgrad, maximize}, /*is_decoupled=*/false, grad_scale,
       found_inf);
}

void _fused_adamw_kernel_cuda_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                               TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1,
                               double beta2, double weight_decay, double eps, bool amsgrad, bool maximize,
                               const OptionalTensor& grad_scale, const OptionalTensor& found_inf) {
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, {lr},
       {beta1, beta2, eps, /*decay=*/1, weight_decay, amsgrad, maximize}, /*is_decoupled=*/true, grad_scale,
       found_inf);
}

void _fused_adamw_kernel_cuda_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                               TensorList max_exp_avg_sqs, TensorList state_steps, const Tensor& lr,
                               double beta1, double beta2, double weight_decay, double eps, bool amsgrad,
                               bool maximize, const OptionalTensor& grad_scale,
                               const OptionalTensor& found_inf) {
  adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, {.tensor = &lr},
       {beta1, beta2, eps, /*decay=*/1, weight_decay, amsgrad, maximize}, /*is_decoupled=*/true, grad_scale,
       found_inf);
}

// -------------------- SGD

void _fused_sgd_kernel_cuda_(TensorList self, TensorList grads, TensorList momentum_buffer_list,
                             double weight_decay, double momentum, double lr, double dampening, bool nesterov,
                             bool maximize, bool is_first_step, const OptionalTensor& grad_scale,
                             const OptionalTensor& found_inf) {
  sgd(self, grads, momentum_buffer_list, {lr},
      {lr, weight_decay, momentum, dampening, nesterov, maximize, is_first_step}, grad_scale, found_inf);
}

void _fused_sgd_kernel_cuda_(TensorList self, TensorList grads, TensorList momentum_buffer_list,
                             double weight_decay, double momentum, const Tensor& lr, double dampening,
                             bool nesterov, bool maximize, bool is_first_step,
                             const OptionalTensor& grad_scale, const OptionalTensor& found_inf) {
  sgd(self, grads, momentum_buffer_list, {.tensor = &lr},
      {/*lr=*/0, weight_decay, momentum, dampening, nesterov, maximize, is_first_step}, grad_scale,
      found_inf);
}

// -------------------- Adagrad

void _fused_adagrad_kernel_cuda_(TensorList self, TensorList grads, TensorList state_sums,
                                 TensorList state_steps, double lr, double lr_decay, double weight_decay,
                                 double eps, bool maximize, const OptionalTensor& grad_scale,
                                 const OptionalTensor& found_inf) {
  adagrad(self, grads, state_sums, state_steps, {lr}, lr_decay, {weight_decay, eps, maximize}, grad_scale,
          found_inf);
}

void _fused_adagrad_kernel_cuda_(TensorList self, TensorList grads, TensorList state_sums,
                                 TensorList state_steps, const Tensor& lr, double lr_decay,
                                 double weight_decay, double eps, bool maximize,
                                 const OptionalTensor& grad_scale, const OptionalTensor& found_inf) {
  adagrad(self, grads, state_sums, state_steps, {.tensor = &lr}, lr_decay, {weight_decay, eps, maximize},
          grad_scale, found_inf);
}

}  // namespace at::native
