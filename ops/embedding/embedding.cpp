// embedding, and its gradient with respect to its weight.
#include <ATen/core/Tensor.h>
#include <ATen/native/embedding/checks.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/div.h>
#include <ATen/ops/embedding_backward_native.h>
#include <ATen/ops/embedding_dense_backward.h>
#include <ATen/ops/embedding_dense_backward_native.h>
#include <ATen/ops/embedding_native.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

namespace at::native {

Tensor embedding_symint(const Tensor& weight, const Tensor& indices, c10::SymInt /*padding_idx*/,
                        bool /*scale_grad_by_freq*/, bool /*sparse*/) {
  if (indices.dim() == 1) return weight.index_select(0, indices);
  DimVector size(indices.sizes().begin(), indices.sizes().end());
  size.push_back(weight.sizes()[1]);
  return weight.index_select(0, indices.reshape({indices.numel()})).view(size);
}

Tensor embedding_backward_symint(const Tensor& grad, const Tensor& indices, c10::SymInt num_weights,
                                 c10::SymInt padding_idx, bool scale_grad_by_freq, bool sparse) {
  TORCH_CHECK_NOT_IMPLEMENTED(!sparse,
                              "embedding_backward: sparse gradients are not implemented; use "
                              "sparse=False");
  return at::embedding_dense_backward(grad, indices, num_weights.expect_int(), padding_idx.expect_int(),
                                      scale_grad_by_freq);
}

namespace {

// Zeros of this shape, to whose rows those of `values` are added.
Tensor sums_of_rows(const Tensor& values, const Tensor& rows, IntArrayRef shape) {
  c10::List<std::optional<Tensor>> where;
  where.push_back(rows);
  return values.new_zeros(shape).index_put_(where, values, /*accumulate=*/true);
}

}  // namespace

// Composed of other operators, for devices without a kernel of their own.
Tensor math_embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                     int64_t padding_idx, bool scale_grad_by_freq) {
  check_embedding_gradient(grad_output, indices, num_weights);
  const int64_t columns = grad_output.size(-1);
  const Tensor rows = indices.reshape({indices.numel()});
  Tensor grad = grad_output.reshape({rows.numel(), columns});
  if (scale_grad_by_freq) {
    const Tensor ones = at::ones_like(rows, grad.options());
    const Tensor counts = sums_of_rows(ones, rows, {num_weights});
    grad = at::div(grad, counts.index_select(0, rows).unsqueeze(1));
  }
  if (padding_idx >= 0) grad = grad.masked_fill(rows.eq(padding_idx).unsqueeze(1), 0);
  return sums_of_rows(grad, rows, {num_weights, columns});
}

}  // namespace at::native
