// Formulas of reductions that give a mean too, or skip NaN.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/mul.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// The gradient through the mean added to that through the spread; either may be undefined.
Tensor with_mean(const Tensor& of_spread, const Tensor& grad_mean, const Tensor& self,
                 OptionalIntArrayRef dims, bool keepdim) {
  if (!grad_mean.defined()) return of_spread;
  const Tensor of_mean = mean_backward(grad_mean, self.sym_sizes(), dims, keepdim);
  return of_spread.defined() ? of_spread.add(of_mean) : of_mean;
}

}  // namespace

Tensor var_mean_backward(const Tensor& grad_var, const Tensor& grad_mean, const Tensor& self,
                         OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim) {
  const Tensor of_var =
      grad_var.defined() ? var_backward(grad_var, self, dims, correction, keepdim) : Tensor();
  return with_mean(of_var, grad_mean, self, dims, keepdim);
}

Tensor std_mean_backward(const Tensor& grad_std, const Tensor& grad_mean, const Tensor& self,
                         const Tensor& deviation, OptionalIntArrayRef dims,
                         const std::optional<Scalar>& correction, bool keepdim) {
  const Tensor of_std =
      grad_std.defined() ? std_backward(deviation, grad_std, self, dims, correction, keepdim) : Tensor();
  return with_mean(of_std, grad_mean, self, dims, keepdim);
}

Tensor nansum_backward(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims, bool keepdim) {
  return sum_backward(grad, self.sym_sizes(), dims, keepdim).mul(self.isnan().logical_not());
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
