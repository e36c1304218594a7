// Formulas of roll and repeat.
#include <ATen/core/DimVector.h>
#include <ATen/native/shape/formulas.h>

#include <ATen/ops/reshape.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor roll_backward(const Tensor& grad, SymIntArrayRef shifts, IntArrayRef dims) {
  std::vector<SymInt> back;
  for (const SymInt& shift : shifts) back.emplace_back(-shift.expect_int());
  return at::roll_symint(grad, back, dims);
}

// As in the operator, each dimension as two: which copy, and which element of it.
Tensor repeat_backward(const Tensor& grad, SymIntArrayRef repeats, SymIntArrayRef input_shape) {
  const IntArrayRef shape = C10_AS_INTARRAYREF_SLOW(input_shape);
  const IntArrayRef times = C10_AS_INTARRAYREF_SLOW(repeats);
  if (grad.numel() == 0) return at::zeros(shape, grad.options());
  const size_t extra = times.size() - shape.size();
  at::DimVector copies, which;
  for (size_t d = 0; d < times.size(); ++d) {
    if (times[d] != 1 || d < extra) {
      which.push_back(static_cast<int64_t>(copies.size()));
      copies.push_back(times[d]);
    }
    if (d >= extra) copies.push_back(shape[d - extra]);
  }
  const Tensor by_copy = grad.reshape(copies);
  return which.empty() ? by_copy : by_copy.sum(which);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
