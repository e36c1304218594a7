// _embedding_bag on CUDA, its gradients, and embedding_renorm_. Indices are checked before kernels read by
// them, which waits for the device.
#include <ATen/native/EmbeddingBag.h>

#include <ATen/MemoryOverlap.h>
#include <ATen/native/EmbeddingChecks.h>
#include <ATen/native/cuda/embedding_bag.h>

#include <ATen/ops/_embedding_bag_dense_backward_native.h>
#include <ATen/ops/_embedding_bag_forward_only_native.h>
#include <ATen/ops/_embedding_bag_native.h>
#include <ATen/ops/_embedding_bag_per_sample_weights_backward_native.h>
#include <ATen/ops/any.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/div.h>
#include <ATen/ops/embedding_renorm_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/item.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <tuple>

namespace at::native {

namespace {

Tensor as_longs(const Tensor& t) { return t.to(kLong).reshape({t.numel()}).contiguous(); }

void check_within(const char* name, const Tensor& values, int64_t n) {
  if (values.numel() == 0) return;
  const bool bad = at::logical_or(values.lt(0), values.ge(n)).any().item<bool>();
  TORCH_CHECK_INDEX(!bad, "embedding_bag: ", name, " has values that are not in the valid range [0, ", n,
                    ")");
}

void check_offsets(const Tensor& offsets, int64_t n) {
  const Tensor host = offsets.to(Device(kCPU));
  const int64_t* from = host.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < host.numel(); ++i) {
    TORCH_CHECK(i > 0 || from[0] == 0, "offsets[0] has to be 0, i.e., the first sequence in the mini-batch ",
                "has to start from position 0. However, got ", from[0]);
    TORCH_CHECK(from[i] <= n, "offsets[-1] can not be greater than input's length ", n, " but got ", from[i]);
    TORCH_CHECK(i == 0 || from[i] >= from[i - 1], "embedding_bag: offsets must not decrease, but offsets[", i,
                "] is ", from[i], " after ", from[i - 1]);
  }
}

std::tuple<Tensor, Tensor, Tensor, Tensor> run(const EmbeddingBag& a, bool requires_grad) {
  const Tensor weight = a.weight.contiguous(), indices = as_longs(a.indices), offsets = as_longs(a.offsets);
  check_offsets(offsets, indices.numel());
  check_within("input", indices, weight.size(0));
  EmbeddingBagResults results = allocate_embedding_bag(a, requires_grad);
  const BagsOnDevice bags{indices, offsets, a.bags, a.padding_idx};
  if (a.bags == 0) {
    results.offset2bag.fill_(-1);
  } else if (results.offset2bag.numel() > 0 || a.mode != EmbeddingBagMode::sum) {
    const Tensor bag_of = at::empty({indices.numel()}, indices.options());
    const Tensor sizes = at::empty({a.bags}, indices.options());
    describe_bags_on_device(bags, bag_of, sizes);
    if (results.offset2bag.numel() > 0) results.offset2bag.copy_(bag_of);
    if (a.mode != EmbeddingBagMode::sum) results.bag_size.copy_(sizes);
    if (a.mode == EmbeddingBagMode::mean) results.max_indices.copy_(sizes);
  }
  if (results.output.numel() > 0 && a.mode == EmbeddingBagMode::max) {
    const Tensor rows = at::empty(results.output.sizes(), indices.options());
    max_bags_on_device(weight, bags, results.output, rows);
    results.max_indices.copy_(rows);
  } else if (results.output.numel() > 0) {
    const Tensor factors = a.per_sample_weights.defined() ? a.per_sample_weights.contiguous() : Tensor();
    sum_bags_on_device(weight, bags, factors, a.mode == EmbeddingBagMode::mean, results.output);
  }
  return {std::move(results.output), std::move(results.offset2bag), std::move(results.bag_size),
          std::move(results.max_indices)};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_cuda(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return run(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                                 padding_idx),
             /*requires_grad=*/true);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_forward_only_cuda(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return run(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                                 padding_idx),
             /*requires_grad=*/false);
}

// -------------------- Gradients

namespace {

// What the gradient of each index's bag is multiplied by.
Tensor factors_of(const Tensor& rows, const Tensor& bags, const TensorOptions& options, int64_t num_weights,
                  const Tensor& bag_size, bool scale_grad_by_freq, bool mean,
                  const Tensor& per_sample_weights) {
  const ScalarType dtype = options.dtype().toScalarType();
  Tensor factors = at::ones({rows.numel()}, options);
  if (per_sample_weights.defined()) factors = per_sample_weights.to(dtype).reshape({rows.numel()});
  if (scale_grad_by_freq) {
    const Tensor counts =
        at::index_add(at::zeros({num_weights}, options), 0, rows, at::ones({rows.numel()}, options));
    factors = factors.div(counts.index_select(0, rows));
  }
  if (mean) factors = factors.div(as_longs(bag_size).index_select(0, bags).clamp(1).to(dtype));
  return factors.contiguous();
}

}  // namespace

Tensor _embedding_bag_dense_backward_cuda(const Tensor& grad_out, const Tensor& indices,
                                          const Tensor& offset2bag, const Tensor& bag_size,
                                          const Tensor& maximum_indices, int64_t num_weights,
                                          bool scale_grad_by_freq, int64_t mode,
                                          const std::optional<Tensor>& per_sample_weights,
                                          int64_t padding_idx) {
  check_embedding_bag_gradient(grad_out, indices, offset2bag);
  const Tensor grad = grad_out.contiguous(), rows = as_longs(indices), bags = as_longs(offset2bag);
  const auto kind = static_cast<EmbeddingBagMode>(mode);
  check_within("indices", rows, num_weights);
  check_within("offset2bag", bags, grad.size(0));
  TORCH_CHECK(kind == EmbeddingBagMode::sum || bag_size.numel() == grad.size(0),
              "embedding_bag_backward: expected bag_size to have ", grad.size(0), " elements, but got ",
              bag_size.numel());
  const TensorOptions wide = grad.options().dtype(grad.scalar_type() == kDouble ? kDouble : kFloat);
  const Tensor result = at::zeros({num_weights, grad.size(1)}, wide);
  if (grad.numel() == 0 || rows.numel() == 0) return result.to(grad.scalar_type());
  if (kind == EmbeddingBagMode::max) {
    TORCH_CHECK(maximum_indices.sizes() == grad.sizes(),
                "embedding_bag_backward: expected maximum_indices of ", "the gradient's shape ", grad.sizes(),
                ", but got ", maximum_indices.sizes());
    const Tensor maxima = as_longs(maximum_indices);
    check_within("maximum_indices", maxima, num_weights);
    add_maximum_gradients_on_device(grad, as_longs(bag_size), maxima, result);
  } else {
    const Tensor factors = factors_of(rows, bags, wide, num_weights, bag_size, scale_grad_by_freq,
                                      kind == EmbeddingBagMode::mean, per_sample_weights.value_or(Tensor()));
    add_bag_gradients_on_device(grad, rows, bags, factors, padding_idx, result);
  }
  return result.to(grad.scalar_type());
}

Tensor _embedding_bag_per_sample_weights_backward_cuda(const Tensor& grad_out, const Tensor& weight,
                                                       const Tensor& indices, const Tensor& offsets,
                                                       const Tensor& offset2bag, int64_t mode,
                                                       int64_t padding_idx) {
  check_embedding_bag_weights_gradient(grad_out, weight, indices, mode);
  const bool missing = indices.numel() != 0 && offset2bag.numel() == 0;
  const Tensor bags = missing ? bags_of_indices(indices, offsets) : offset2bag;
  check_embedding_bag_gradient(grad_out, indices, bags);
  const Tensor rows = as_longs(indices), bag_of = as_longs(bags);
  check_within("indices", rows, weight.size(0));
  check_within("offset2bag", bag_of, grad_out.size(0));
  Tensor products = at::empty({rows.numel()}, grad_out.options());
  if (rows.numel() > 0) {
    bag_products_on_device(grad_out.contiguous(), weight.contiguous(), rows, bag_of, padding_idx, products);
  }
  return products;
}

Tensor& embedding_renorm_cuda_(Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  check_embedding_renorm(self, indices);
  at::assert_no_internal_overlap(self);
  const Tensor rows = as_longs(indices);
  check_within("indices", rows, self.size(0));
  if (rows.numel() == 0) return self;
  const Tensor table = self.contiguous();
  renorm_rows_on_device(table, rows, max_norm, norm_type,
                        at::zeros({self.size(0)}, self.options().dtype(kInt)));
  if (!table.is_same(self)) self.copy_(table);
  return self;
}

}  // namespace at::native
