// The gradients of embedding_bag, on every device.
#include <ATen/OpMathType.h>
#include <ATen/native/embedding/embedding_bag.h>
#include <ATen/native/embedding/stubs.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_embedding_bag_backward_native.h>
#include <ATen/ops/_embedding_bag_dense_backward.h>
#include <ATen/ops/_embedding_bag_dense_backward_native.h>
#include <ATen/ops/_embedding_bag_per_sample_weights_backward_native.h>
#include <ATen/ops/_embedding_bag_sparse_backward_native.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/item.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <limits>

namespace at::native {

DEFINE_DISPATCH(add_bag_gradients_stub);
DEFINE_DISPATCH(add_maximum_gradients_stub);
DEFINE_DISPATCH(bag_products_stub);

// -------------------- Checks

void check_embedding_bag_gradient(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag) {
  TORCH_CHECK(grad.dim() == 2, "embedding_bag_backward: expected a 2D gradient, but got shape ",
              grad.sizes());
  check_bag_indices("indices", indices);
  check_bag_indices("offset2bag", offset2bag);
  TORCH_CHECK_INDEX(offset2bag.numel() == indices.numel(), "embedding_bag_backward: expected offset2bag to ",
                    "have a bag for each of the ", indices.numel(), " indices, but got shape ",
                    offset2bag.sizes());
}

void check_embedding_bag_weights_gradient(const Tensor& grad, const Tensor& weight, const Tensor& indices,
                                          int64_t mode) {
  TORCH_CHECK(mode == static_cast<int64_t>(EmbeddingBagMode::Sum),
              "embedding_bag_backward: per_sample_weights only supported for mode='sum'");
  check_bag_indices("indices", indices);
  TORCH_CHECK(
      grad.dim() == 2 && weight.dim() == 2 && grad.size(1) == weight.size(1),
      "embedding_bag_backward: expected a 2D gradient of as many columns as weight has, but got shapes ",
      grad.sizes(), " and ", weight.sizes());
  TORCH_CHECK(grad.scalar_type() == weight.scalar_type(), "embedding_bag_backward: expected the gradient to ",
              "have the dtype of weight, ", weight.scalar_type(), ", but got ", grad.scalar_type());
}

namespace {

void check_bags(const Tensor& bag_of, int64_t bags) {
  if (bag_of.numel() == 0 || !bag_of.is_cpu()) return;
  const int64_t i = first_outside_stub(bag_of.device().type(), bag_of, bags);
  TORCH_CHECK_INDEX(i < 0, "embedding_bag_backward: offset2bag[", i, "] is ",
                    bag_of.slice(0, i, i + 1).item<int64_t>(), ", but the gradient has ", bags, " bags");
}

Tensor as_longs(const Tensor& t) { return t.to(kLong).contiguous(); }

// What the forward pass left out; of type Long.
Tensor bags_of_indices(const Tensor& indices, const Tensor& offsets) {
  const Tensor rows = as_longs(indices), begins = as_longs(offsets);
  const Tensor bags = at::empty({rows.numel()}, rows.options()), none = at::empty({0}, rows.options());
  if (rows.is_meta()) return bags;
  check_bag_offsets(begins, rows.numel());
  const Bags given{rows.const_data_ptr<int64_t>(),
                   begins.const_data_ptr<int64_t>(),
                   rows.numel(),
                   begins.numel(),
                   begins.numel(),
                   /*padding=*/-1,
                   /*rows=*/std::numeric_limits<int64_t>::max()};
  const BagDescription description{bags, none, Tensor(), /*counts=*/false};
  describe_bags_stub(rows.device().type(), given, description);
  return bags;
}

// The gradient of each column of a non-empty bag goes to the row that its maximum came from.
void add_maximum_gradients(const Tensor& grad, const Tensor& bag_size, const Tensor& max_indices,
                           const Tensor& result) {
  TORCH_CHECK(max_indices.sizes() == grad.sizes(), "embedding_bag_backward: expected maximum_indices of the ",
              "gradient's shape ", grad.sizes(), ", but got ", max_indices.sizes());
  const Tensor sizes = as_longs(bag_size), rows = as_longs(max_indices);
  check_bag_rows(rows, result.size(0));
  add_maximum_gradients_stub(grad.device().type(), grad, sizes, rows, result);
}

}  // namespace

// -------------------- Gradients

Tensor bag_factors(const BagGradients& g, int64_t num_weights, ScalarType dtype) {
  const Tensor rows(g.rows);
  const TensorOptions options = rows.options().dtype(dtype);
  Tensor factors = g.factors.defined() ? Tensor(g.factors).to(dtype) : at::ones({rows.numel()}, options);
  if (g.by_frequency) {
    const Tensor counts =
        at::index_add(at::zeros({num_weights}, options), 0, rows, at::ones({rows.numel()}, options));
    factors = factors.div(counts.index_select(0, rows));
  }
  if (g.sizes.defined()) {
    factors = factors.div(Tensor(g.sizes).index_select(0, Tensor(g.bag_of)).clamp(1).to(dtype));
  }
  return factors;
}

Tensor embedding_bag_dense_backward_by_stub(const Tensor& grad_out, const Tensor& indices,
                                            const Tensor& offset2bag, const Tensor& bag_size,
                                            const Tensor& maximum_indices, int64_t num_weights,
                                            bool scale_grad_by_freq, int64_t mode,
                                            const std::optional<Tensor>& per_sample_weights,
                                            int64_t padding_idx) {
  check_embedding_bag_gradient(grad_out, indices, offset2bag);
  const Tensor grad = grad_out.contiguous(), rows = as_longs(indices), bags = as_longs(offset2bag);
  check_bag_rows(rows, num_weights);
  check_bags(bags, grad.size(0));
  const auto kind = static_cast<EmbeddingBagMode>(mode);
  TORCH_CHECK(kind == EmbeddingBagMode::Sum || bag_size.numel() == grad.size(0),
              "embedding_bag_backward: expected bag_size to have ", grad.size(0), " elements, but got ",
              bag_size.numel());
  const Tensor given = per_sample_weights.value_or(Tensor());
  TORCH_CHECK(!given.defined() || given.numel() == rows.numel(), "embedding_bag_backward: expected ",
              "per_sample_weights for each of the ", rows.numel(), " indices");
  const TensorOptions wide = grad.options().dtype(at::toOpMathType(grad.scalar_type()));
  const Tensor result = at::zeros({num_weights, grad.size(1)}, wide);
  if (grad.numel() > 0 && rows.numel() > 0) {
    if (kind == EmbeddingBagMode::Max) {
      add_maximum_gradients(grad, bag_size, maximum_indices, result);
    } else {
      const bool is_mean = kind == EmbeddingBagMode::Mean;
      const Tensor sizes = is_mean ? as_longs(bag_size).reshape({bag_size.numel()}) : Tensor();
      const Tensor factors =
          given.defined() ? given.to(grad.scalar_type()).reshape({rows.numel()}).contiguous() : Tensor();
      const BagGradients gradients{grad, rows, bags, factors, sizes, scale_grad_by_freq, padding_idx};
      add_bag_gradients_stub(grad.device().type(), gradients, result);
    }
  }
  return result.to(grad.scalar_type());
}

Tensor embedding_bag_weights_backward_by_stub(const Tensor& grad_out, const Tensor& weight,
                                              const Tensor& indices, const Tensor& offsets,
                                              const Tensor& offset2bag, int64_t mode, int64_t padding_idx) {
  check_embedding_bag_weights_gradient(grad_out, weight, indices, mode);
  const bool missing = indices.numel() != 0 && offset2bag.numel() == 0;
  const Tensor bags = missing ? bags_of_indices(indices, offsets) : offset2bag;
  check_embedding_bag_gradient(grad_out, indices, bags);
  const Tensor grad = grad_out.contiguous(), rows = as_longs(indices), bag_of = as_longs(bags);
  const Tensor table = weight.stride(1) == 1 ? weight : weight.contiguous();
  check_bag_rows(rows, table.size(0));
  check_bags(bag_of, grad.size(0));
  Tensor products = at::empty({rows.numel()}, grad.options());
  if (rows.numel() > 0) {
    bag_products_stub(grad.device().type(), grad, table, rows, bag_of, padding_idx, products);
  }
  return products;
}

Tensor _embedding_bag_backward_symint(const Tensor& grad, const Tensor& indices, const Tensor& offsets,
                                      const Tensor& offset2bag, const Tensor& bag_size,
                                      const Tensor& maximum_indices, c10::SymInt num_weights,
                                      bool scale_grad_by_freq, int64_t mode, bool sparse,
                                      const std::optional<Tensor>& per_sample_weights, int64_t padding_idx) {
  TORCH_CHECK_NOT_IMPLEMENTED(!sparse,
                              "embedding_bag: sparse gradients are not implemented; use sparse=False");
  check_bag_indices("indices", indices);
  check_bag_indices("offsets", offsets);
  const bool missing = indices.numel() != 0 && offset2bag.numel() == 0;
  return at::_embedding_bag_dense_backward(
      grad, indices, missing ? bags_of_indices(indices, offsets) : offset2bag, bag_size, maximum_indices,
      num_weights.expect_int(), scale_grad_by_freq, mode, per_sample_weights, padding_idx);
}

Tensor _embedding_bag_sparse_backward_symint(const Tensor& /*grad*/, const Tensor& /*indices*/,
                                             const Tensor& /*offsets*/, const Tensor& /*offset2bag*/,
                                             const Tensor& /*bag_size*/, c10::SymInt /*num_weights*/,
                                             bool /*scale_grad_by_freq*/, int64_t /*mode*/,
                                             const std::optional<Tensor>& /*per_sample_weights*/,
                                             int64_t /*padding_idx*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "_embedding_bag_sparse_backward: sparse tensors are not implemented; ",
                              "_embedding_bag_dense_backward gives the gradient as a dense one");
}

}  // namespace at::native
