// What embedding_bag does on every device, and its checks.
#include <ATen/native/embedding/embedding_bag.h>

#include <ATen/native/embedding/stubs.h>

#include <ATen/ops/_embedding_bag.h>
#include <ATen/ops/_embedding_bag_forward_only.h>
#include <ATen/ops/_embedding_bag_forward_only_native.h>
#include <ATen/ops/_embedding_bag_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/embedding_bag_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/item.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>

#include <tuple>
#include <utility>

namespace at::native {

DEFINE_DISPATCH(describe_bags_stub);
DEFINE_DISPATCH(bag_sums_stub);
DEFINE_DISPATCH(bag_maxima_stub);
DEFINE_DISPATCH(first_outside_stub);

void check_bag_indices(const char* name, const Tensor& t) {
  TORCH_CHECK(t.scalar_type() == kLong || t.scalar_type() == kInt, "embedding_bag: expected '", name,
              "' to have one of the scalar types Long, Int, but got ", t.scalar_type());
  TORCH_CHECK(t.dim() == 1, name, " has to be a 1D Tensor, but got Tensor of dimension ", t.dim());
}

namespace {

void check_per_sample_weights(const Tensor& factors, const Tensor& weight, const Tensor& indices,
                              int64_t mode) {
  TORCH_CHECK(mode == static_cast<int64_t>(EmbeddingBagMode::Sum),
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
  check_bag_indices("indices", indices);
  check_bag_indices("offsets", offsets);
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

// The forward pass of sums needs no offset2bag: the backward pass computes it from the offsets.
bool leaves_bags_out(const EmbeddingBag& a) {
  const bool rows_together =
      a.weight.stride(1) == 1 && (!a.per_sample_weights.defined() || a.per_sample_weights.stride(0) == 1);
  return a.mode == EmbeddingBagMode::Sum && a.weight.scalar_type() != kDouble && rows_together &&
         a.padding_idx < 0;
}

}  // namespace

EmbeddingBagResults allocate_embedding_bag(const EmbeddingBag& a, bool requires_grad) {
  const TensorOptions integers = a.indices.options().dtype(kLong);
  const int64_t columns = a.weight.size(1);
  const bool counted = requires_grad || a.mode != EmbeddingBagMode::Sum;
  const int64_t sizes = counted ? a.bags : a.offsets.numel();
  EmbeddingBagResults results;
  results.output = at::empty({a.bags, columns}, a.weight.options());
  results.offset2bag = at::empty({leaves_bags_out(a) ? 0 : a.indices.numel()}, integers);
  results.bag_size = at::empty({sizes}, integers);
  results.max_indices =
      a.mode == EmbeddingBagMode::Max ? at::empty({a.bags, columns}, integers) : at::empty({sizes}, integers);
  return results;
}

// -------------------- The forward pass

void check_bag_rows(const Tensor& indices, int64_t num_weights) {
  if (indices.numel() == 0 || !indices.is_cpu()) return;
  const int64_t i = first_outside_stub(indices.device().type(), indices, num_weights);
  TORCH_CHECK(i < 0, "embedding_bag: index ", i, " of input takes value ",
              indices.view({-1}).slice(0, i, i + 1).item<int64_t>(), " which is not in the valid range [0, ",
              num_weights, ")");
}

void check_bag_offsets(const Tensor& offsets, int64_t n) {
  if (!offsets.is_cpu()) return;
  const int64_t *from = offsets.const_data_ptr<int64_t>(), given = offsets.numel();
  TORCH_CHECK(given == 0 || from[0] == 0, "offsets[0] has to be 0, i.e., the first sequence in the ",
              "mini-batch has to start from position 0. However, got ", from[0]);
  TORCH_CHECK(given == 0 || from[given - 1] <= n, "offsets[-1] can not be greater than input's length ", n,
              " but got offsets[-1] of ", from[given - 1]);
  for (int64_t i = 1; i < given; ++i) {
    TORCH_CHECK(from[i] >= from[i - 1], "embedding_bag: offsets must not decrease, but offsets[", i, "] is ",
                from[i], " after ", from[i - 1]);
  }
}

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag_by_stub(const EmbeddingBag& a, bool requires_grad) {
  const DeviceType device = a.weight.device().type();
  const Tensor weight = a.weight.stride(1) == 1 ? a.weight : a.weight.contiguous();
  const Tensor indices = a.indices.to(kLong), offsets = a.offsets.to(kLong);
  check_bag_offsets(offsets, indices.numel());
  check_bag_rows(indices, weight.size(0));

  const EmbeddingBagResults results = allocate_embedding_bag(a, requires_grad);
  const Bags bags{indices.const_data_ptr<int64_t>(),
                  offsets.const_data_ptr<int64_t>(),
                  indices.numel(),
                  offsets.numel(),
                  a.bags,
                  a.padding_idx,
                  weight.size(0)};
  const bool is_max = a.mode == EmbeddingBagMode::Max;
  const BagDescription description{results.offset2bag, results.bag_size,
                                   is_max ? Tensor() : results.max_indices,
                                   /*counts=*/a.mode != EmbeddingBagMode::Sum};
  describe_bags_stub(device, bags, description);
  if (results.output.numel() > 0 && is_max) {
    bag_maxima_stub(device, weight, bags, results.output, results.max_indices);
  } else if (results.output.numel() > 0) {
    const Tensor factors = a.per_sample_weights.defined() ? a.per_sample_weights.contiguous() : Tensor();
    bag_sums_stub(device, weight, bags, factors, a.mode == EmbeddingBagMode::Mean, results.output);
  }
  const ScalarType dtype = a.indices.scalar_type();
  return {results.output, results.offset2bag.to(dtype), results.bag_size.to(dtype),
          results.max_indices.to(dtype)};
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

}  // namespace at::native
