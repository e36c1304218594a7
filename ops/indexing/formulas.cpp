// Formulas of indexing operators.
#include <ATen/core/DimVector.h>
#include <ATen/native/indexing/formulas.h>

#include <ATen/ops/_index_put_impl.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_fill.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/put.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/scatter_add.h>
#include <ATen/ops/slice_backward.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <utility>

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor index_backward(Tensor zeros, const c10::List<std::optional<Tensor>>& indices, const Tensor& grad) {
  return at::_index_put_impl_(zeros, indices, grad, /*accumulate=*/true, /*unsafe=*/true);
}

Tensor gather_backward(const Tensor& grad, SymIntArrayRef sizes, int64_t dim, const Tensor& index,
                       bool sparse_grad) {
  TORCH_CHECK_NOT_IMPLEMENTED(!sparse_grad,
                              "gather: sparse_grad=True needs sparse tensors, which there are not");
  return grad.new_zeros_symint(sizes).scatter_add_(dim, index, grad);
}

Tensor scatter_src_backward(const Tensor& grad, int64_t dim, const Tensor& index, SymIntArrayRef src_sizes) {
  Tensor taken = grad.gather(dim, index);
  at::DimVector sizes(taken.sizes().begin(), taken.sizes().end());
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t size = src_sizes[d].expect_int(), part = sizes[d];
    if (part == size) continue;
    sizes[d] = size;
    taken = at::slice_backward(taken, sizes, static_cast<int64_t>(d), 0, part, 1);
  }
  return taken;
}

Tensor index_add_source_backward(const Tensor& grad, int64_t dim, const Tensor& index,
                                 SymIntArrayRef source_sizes) {
  return grad.index_select(dim, index).view_symint(source_sizes);
}

Tensor gather_with_keepdimed_indices(const Tensor& self, int64_t dim, const Tensor& indices, bool keepdim) {
  if (keepdim || self.dim() == 0) return self.gather(dim, indices);
  return self.gather(dim, indices.unsqueeze(dim)).squeeze(dim);
}

Tensor masked_fill_backward(const Tensor& grad, const Tensor& mask) { return at::where(mask, grad, 0).sum(); }

// Each place that is filled counts once, however often the index names it.
Tensor index_fill_value_backward(const Tensor& grad, int64_t dim, const Tensor& index) {
  return grad.mul(at::zeros_like(grad).index_fill(dim, index, 1)).sum();
}

Tensor take_backward(const Tensor& grad, const Tensor& self, const Tensor& index) {
  return at::zeros(self.sizes(), grad.options()).put(index, grad, /*accumulate=*/true);
}

namespace {

// For each index, how often it occurs.
Tensor frequencies(const Tensor& flat_indices, const Tensor& table) {
  c10::List<std::optional<Tensor>> at_indices;
  at_indices.push_back(flat_indices);
  const Tensor one = table.new_zeros({}).add(1);
  const Tensor counts = table.new_zeros({table.size(0)}).index_put(at_indices, one, /*accumulate=*/true);
  return counts.index_select(0, flat_indices);
}

}  // namespace

Tensor embedding_dense_double_backward(const Tensor& grad, const Tensor& indices, const SymInt& padding_idx,
                                       bool scale_grad_by_freq) {
  const Tensor flat = indices.reshape({-1});
  Tensor rows = grad.index_select(0, flat);
  if (scale_grad_by_freq) rows = rows.div(frequencies(flat, grad).unsqueeze(-1));
  if (padding_idx >= 0) rows = rows.masked_fill(flat.eq(padding_idx).unsqueeze(-1), 0);
  at::DimVector sizes(indices.sizes().begin(), indices.sizes().end());
  sizes.push_back(grad.size(-1));
  return rows.view(sizes);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
