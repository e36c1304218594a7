// Formulas of padding.
#include <ATen/core/DimVector.h>
#include <ATen/native/padding/formulas.h>

#include <ATen/ops/constant_pad_nd.h>

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor constant_pad_nd_backward(const Tensor& grad, SymIntArrayRef pad) {
  at::DimVector cropped;
  for (const SymInt& width : pad) cropped.push_back(-width.expect_int());
  return at::constant_pad_nd(grad, cropped, 0);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
