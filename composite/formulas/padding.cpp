// Formulas of padding, of repetition and of copies with a view overwritten.
#include <ATen/core/DimVector.h>
#include <ATen/native/formulas/formulas.h>

#include <ATen/ops/as_strided_scatter.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor constant_pad_nd_backward(const Tensor& grad, SymIntArrayRef pad) {
  at::DimVector cropped;
  for (const SymInt& width : pad) cropped.push_back(-width.expect_int());
  return at::constant_pad_nd(grad, cropped, 0);
}

// As the operator, each dimension as two: which copy, and which element of it.
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

// Zeros where the view was.
Tensor as_strided_scatter_backward(const Tensor& grad, const TensorGeometry& self, const TensorGeometry& src,
                                   SymIntArrayRef sizes, SymIntArrayRef strides,
                                   const std::optional<SymInt>& storage_offset) {
  const SymInt offset = storage_offset.value_or(self.sym_storage_offset());
  const Tensor placed = at::empty_strided(self.sizes(), self.strides(), grad.options()).copy_(grad);
  return at::as_strided_scatter_symint(placed, at::zeros(src.sizes(), grad.options()), sizes, strides,
                                       SymInt(offset.expect_int() - self.storage_offset()));
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
