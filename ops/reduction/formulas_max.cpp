// Formulas of max and min of all elements, and of aminmax.
#include <ATen/native/reduction/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

// Which elements are the extremum; of NaNs, all.
Tensor are_extremum(const Tensor& self, const Tensor& extremum) {
  return self.eq(extremum).logical_or(self.ne(self).logical_and(extremum.ne(extremum)));
}

}  // namespace

Tensor evenly_distribute_backward(const Tensor& grad, const Tensor& self, const Tensor& value) {
  const Tensor chosen = are_extremum(self, value);
  return at::where(chosen, grad.div(chosen.sum()), 0);
}

Tensor evenly_read_jvp(const Tensor& self_t, const Tensor& self_p, const Tensor& value) {
  const Tensor chosen = are_extremum(self_p, value);
  return at::where(chosen, self_t, 0).sum().div(chosen.sum());
}

Tensor aminmax_backward(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& grad_min,
                        const Tensor& grad_max, const Tensor& min, const Tensor& max) {
  const IntArrayRef dims = dim.has_value() ? IntArrayRef(&*dim, 1) : IntArrayRef();
  Tensor of_min, of_max;
  if (grad_min.defined()) of_min = amaxamin_backward(grad_min, self, min, dims, keepdim);
  if (grad_max.defined()) of_max = amaxamin_backward(grad_max, self, max, dims, keepdim);
  if (!of_min.defined()) return of_max;
  return of_max.defined() ? of_min.add(of_max) : of_min;
}

Tensor aminmax_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& value,
                   std::optional<int64_t> dim, bool keepdim) {
  return amaxamin_jvp(self_p, self_t, value, dim.has_value() ? IntArrayRef(&*dim, 1) : IntArrayRef(),
                      keepdim);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
