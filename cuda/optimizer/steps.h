// Fused steps, and the scaling of gradients, on the current device. Numbers in tensors are read there.
#pragma once

#include <ATen/native/optimizer/stubs.h>
#include <c10/macros/Macros.h>

#include <cstdint>
#include <vector>

namespace at::native {

/// A number that is known, or that of a tensor on the device, of type Float or Double.
struct DeviceNumber {
  const void* data = nullptr;  // null: it is `known`
  bool is_double = false;
  double known = 0;

  C10_HOST_DEVICE double value() const {
    if (data == nullptr) return known;
    return is_double ? *static_cast<const double*>(data) : double{*static_cast<const float*>(data)};
  }
};

/// What gradients are divided by, and whether the step is left out, because one of them was not finite.
struct StepScale {
  bool divides = false;
  DeviceNumber grad_scale, found_inf;
};

/// The items of a step. `counts` has, for each, where the number of its steps is, a float; SGD has none.
struct DeviceSteps {
  const StepItems& items;
  StepScale scale;
  DeviceNumber lr;
  std::vector<const float*> counts;
};

/// With `is_decoupled` the weight decay scales the parameter instead (AdamW). `settings.decay` is not used.
void fused_adam_on_device(const DeviceSteps& steps, const AdamSettings& settings, bool is_decoupled);
/// `settings.lr` is not used.
void fused_sgd_on_device(const DeviceSteps& steps, const SgdSettings& settings);
void fused_adagrad_on_device(const DeviceSteps& steps, const AdagradSettings& settings, double lr_decay);

/// Multiplies the elements of operand 0; *found_inf becomes 1 if one of them was not finite.
void amp_unscale_on_device(const StepItems& items, float* found_inf, const float* inv_scale);
void amp_update_scale_on_device(float* scale, int* growth_tracker, const float* found_inf,
                                double growth_factor, double backoff_factor, int64_t growth_interval);

}  // namespace at::native
