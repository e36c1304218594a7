// The reduction of losses.
#pragma once

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/mean.h>
#include <ATen/ops/sum.h>

namespace at::native {

/// An elementwise loss reduced by `reduction` (a Reduction): unchanged, mean or sum.
inline Tensor apply_loss_reduction(const Tensor& unreduced, int64_t reduction) {
  if (reduction == Reduction::Mean) return unreduced.mean();
  return reduction == Reduction::Sum ? unreduced.sum() : unreduced;
}

}  // namespace at::native
