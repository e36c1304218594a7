// What all losses do in the end.
#pragma once

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/mean.h>
#include <ATen/ops/sum.h>

namespace at::native {

/// The losses of all elements as `reduction` (a Reduction) asks for them: each, their mean or their sum.
inline Tensor apply_loss_reduction(const Tensor& unreduced, int64_t reduction) {
  if (reduction == Reduction::Mean) return unreduced.mean();
  return reduction == Reduction::Sum ? unreduced.sum() : unreduced;
}

}  // namespace at::native
