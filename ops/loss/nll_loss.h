// The negative log likelihood: checks and shapes for every device, and its stubs.
#pragma once

#include <ATen/core/Reduction.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// self: [batch, classes], any strides; target: [batch], contiguous, Long; weight: [classes], contiguous, or
// undefined. Elements whose target is ignore_index are skipped.
struct NllLoss {
  const TensorBase& self;
  const TensorBase& target;
  const TensorBase& weight;
  int64_t ignore_index;
};

// output[i] = -weight[target[i]] * self[i, target[i]]
using nll_each_fn = void (*)(const NllLoss& loss, const TensorBase& output);
DECLARE_DISPATCH(nll_each_fn, nll_each_stub)

// Their sum, divided by the sum of their weights if the reduction is the mean; total_weight is that sum. Both
// are 0-dim.
using nll_total_fn = void (*)(const NllLoss& loss, bool mean, const TensorBase& output,
                              const TensorBase& total_weight);
DECLARE_DISPATCH(nll_total_fn, nll_total_stub)

// Adds to grad_input ([batch, classes], zeros, contiguous). grad is [batch], or 0-dim where the losses were
// reduced; total_weight is the divisor of the mean, undefined for sums.
using nll_backward_fn = void (*)(const NllLoss& loss, const TensorBase& grad, const TensorBase& total_weight,
                                 const TensorBase& grad_input);
DECLARE_DISPATCH(nll_backward_fn, nll_backward_stub)

}  // namespace at::native
