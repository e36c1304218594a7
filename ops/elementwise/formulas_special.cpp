// Formulas of special functions.
#include <ATen/native/elementwise/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/digamma.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/i0.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sgn.h>
#include <ATen/ops/special_i0e.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/unsqueeze.h>

namespace torch::inline C10_ABI::autograd::generated::details {

// I1(x) / x is 1/2 at zero. There the quotient is taken at 1, so that its own derivative is finite.
Tensor i1_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  const Tensor zero = self.eq(0), x = self.masked_fill(zero, 1);
  return grad.mul(self.i0().sub(result.div(x)).masked_fill(zero, 0.5));
}

Tensor i1e_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  const Tensor zero = self.eq(0), x = self.masked_fill(zero, 1);
  const Tensor slope = at::special_i0e(self).sub(result.mul(x.sgn())).sub(result.div(x));
  return grad.mul(slope.masked_fill(zero, 0.5));
}

Tensor mvlgamma_backward(const Tensor& grad, const Tensor& self, int64_t p) {
  const Tensor steps = at::arange(p, self.options()).mul(-0.5);
  return grad.mul(self.unsqueeze(-1).add(steps).digamma().sum(-1));
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
