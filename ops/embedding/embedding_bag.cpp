// embedding_bag around _embedding_bag, its checks, and the parts of its gradient that only call operators.
#include <ATen/native/EmbeddingBag.h>

#include <ATen/WrapDimUtils.h>
#include <c10/core/GradMode.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_embedding_bag.h>
#include <ATen/ops/_embedding_bag_backward_native.h>
#include <ATen/ops/_embedding_bag_dense_backward.h>
#include <ATen/ops/_embedding_bag_forward_only.h>
#include <ATen/ops/_embedding_bag_sparse_backward_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/embedding_bag_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <tuple>

namespace at::native {

namespace {

void check_index_dtype(const char* name, const Tensor& t) {
  TORCH_CHECK(t.scalar_type() == kLong || t.scalar_type() == kInt, "embedding_bag: expected '", name,
              "' to have one of the scalar types Long, Int, but got ", t.scalar_type());
  TORCH_CHECK(t.dim() == 1, name, " has to be a 1D Tensor, but got Tensor of dimension ", t.dim());
}

void check_per_sample_weights(const Tensor& factors, const Tensor& weight, const Tensor& indices,
                              int64_t mode) {
  TORCH_CHECK(mode == static_cast<int64_t>(EmbeddingBagMode::sum),
              "embedding_bag: per_sample_weights only supported with mode='sum'");
  TORCH_CHECK(factors.scalar_type() == weight.scalar_type(), "embedding_bag: expected per_sample_weights to ",
              "have the dtype of weight, ", weight.scalar_type(), ", but got ", factors.scalar_type());
  TORCH_CHECK(factors.dim() == 1 && factors.numel() == indices.numel(), "embedding_bag: expected ",
              "per_sample_weights to have the shape of indices, ", indices.sizes(), ", but got ",
              factors.sizes());
}

}  // namespace

EmbeddingBag check_embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                 int64_t mode, const std::optional<Tensor>& per_sample_weights,
                                 bool include_last_offset, int64_t padding_idx) {
  TORCH_CHECK(weight.dim() == 2, "weight has to be a 2D Tensor, but got Tensor of dimension ", weight.dim());
  TORCH_CHECK(isFloatingType(weight.scalar_type()), "embedding_bag: expected 'weight' to have one of the ",
              "scalar types Half, BFloat16, Float, Double, but got ", weight.scalar_type());
  check_index_dtype("indices", indices);
  check_index_dtype("offsets", offsets);
  TORCH_CHECK(mode >= 0 && mode <= 2, "`mode` must be sum (0), mean (1), or max (2), but got ", mode);
  TORCH_CHECK(!include_last_offset || offsets.numel() >= 1,
              "include_last_offset: number of offset should be at least 1");
  const Tensor factors = per_sample_weights.value_or(Tensor());
  if (factors.defined()) check_per_sample_weights(factors, weight, indices, mode);
  const ScalarType dtype = promoteTypes(indices.scalar_type(), offsets.scalar_type());
  return {weight,
          indices.to(dtype).contiguous(),
          offsets.to(dtype).contiguous(),
          factors,
          static_cast<EmbeddingBagMode>(mode),
          offsets.numel() - (include_last_offset ? 1 : 0),
          padding_idx,
          include_last_offset};
}

namespace {

// Sums that need no bag of each index, forward: it is found from the offsets when there is a gradient.
bool leaves_bags_out(const EmbeddingBag& a) {
  const bool rows_together =
      a.weight.stride(1) == 1 && (!a.per_sample_weights.defined() || a.per_sample_weights.stride(0) == 1);
  return a.mode == EmbeddingBagMode::sum && a.weight.scalar_type() != kDouble && rows_together &&
         a.padding_idx < 0;
}

}  // namespace

EmbeddingBagResults allocate_embedding_bag(const EmbeddingBag& a, bool requires_grad) {
  const TensorOptions integers = a.indices.options();
  const int64_t columns = a.weight.size(1);
  const bool counted = requires_grad || a.mode != EmbeddingBagMode::sum;
  const int64_t sizes = counted ? a.bags : a.offsets.numel();
  EmbeddingBagResults results;
  results.output = at::empty({a.bags, columns}, a.weight.options());
  results.offset2bag = at::empty({leaves_bags_out(a) ? 0 : a.indices.numel()}, integers);
  results.bag_size = at::zeros({sizes}, integers);
  results.max_indices =
      a.mode == EmbeddingBagMode::max ? at::zeros({a.bags, columns}, integers) : at::zeros({sizes}, integers);
  return results;
}

void check_embedding_bag_gradient(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag) {
  TORCH_CHECK(grad.dim() == 2, "embedding_bag_backward: expected a 2D gradient, but got shape ",
              grad.sizes());
  check_index_dtype("indices", indices);
  check_index_dtype("offset2bag", offset2bag);
  TORCH_CHECK_INDEX(offset2bag.numel() == indices.numel(), "embedding_bag_backward: expected offset2bag to ",
                    "have a bag for each of the ", indices.numel(), " indices, but got shape ",
                    offset2bag.sizes());
}

void check_embedding_bag_weights_gradient(const Tensor& grad, const Tensor& weight, const Tensor& indices,
                                          int64_t mode) {
  TORCH_CHECK(mode == static_cast<int64_t>(EmbeddingBagMode::sum),
              "embedding_bag_backward: per_sample_weights only supported for mode='sum'");
  check_index_dtype("indices", indices);
  TORCH_CHECK(
      grad.dim() == 2 && weight.dim() == 2 && grad.size(1) == weight.size(1),
      "embedding_bag_backward: expected a 2D gradient of as many columns as weight has, but got shapes ",
      grad.sizes(), " and ", weight.sizes());
  TORCH_CHECK(grad.scalar_type() == weight.scalar_type(), "embedding_bag_backward: expected the gradient to ",
              "have the dtype of weight, ", weight.scalar_type(), ", but got ", grad.scalar_type());
}

// -------------------- embedding_bag

namespace {

bool is_differentiated(const Tensor& t) { return t.defined() && t.requires_grad(); }

int64_t wrapped_padding(std::optional<int64_t> padding_idx, const Tensor& weight) {
  if (!padding_idx) return -1;
  const int64_t n = weight.dim() > 0 ? weight.size(0) : 0;
  TORCH_CHECK(*padding_idx >= -n && *padding_idx < n, "padding_idx must be within the number of embeddings, ",
              -n, " through ", n - 1, ", but got ", *padding_idx);
  return *padding_idx < 0 ? *padding_idx + n : *padding_idx;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq,
                                                         int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights,
                                                         bool include_last_offset,
                                                         std::optional<int64_t> padding_idx) {
  const int64_t padding = wrapped_padding(padding_idx, weight);
  const bool differentiated =
      is_differentiated(weight) || is_differentiated(per_sample_weights.value_or(Tensor()));
  return differentiated
             ? at::_embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                  per_sample_weights, include_last_offset, padding)
             : at::_embedding_bag_forward_only(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                               per_sample_weights, include_last_offset, padding);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq,
                                                         int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights,
                                                         bool include_last_offset) {
  return native::embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                               include_last_offset, std::nullopt);
}

// -------------------- Backwards

// How many bags begin at or before it, less one.
Tensor bags_of_indices(const Tensor& indices, const Tensor& offsets) {
  const int64_t n = indices.numel();
  const Tensor none = at::zeros({n + 1}, offsets.options());
  const Tensor begins = at::index_add(none, 0, offsets, at::ones_like(offsets));
  return at::cumsum(begins.slice(0, 0, n), 0, offsets.scalar_type()).sub(1);
}

Tensor _embedding_bag_backward_symint(const Tensor& grad, const Tensor& indices, const Tensor& offsets,
                                      const Tensor& offset2bag, const Tensor& bag_size,
                                      const Tensor& maximum_indices, c10::SymInt num_weights,
                                      bool scale_grad_by_freq, int64_t mode, bool sparse,
                                      const std::optional<Tensor>& per_sample_weights, int64_t padding_idx) {
  TORCH_CHECK_NOT_IMPLEMENTED(!sparse,
                              "embedding_bag: sparse gradients are not implemented; use sparse=False");
  check_index_dtype("indices", indices);
  check_index_dtype("offsets", offsets);
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
