// _embedding_bag on the CPU, and its gradients.
#include <ATen/native/EmbeddingBag.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/embedding.h>
#include <ATen/native/cpu/embedding_bag.h>

#include <ATen/ops/_embedding_bag_dense_backward_native.h>
#include <ATen/ops/_embedding_bag_forward_only_native.h>
#include <ATen/ops/_embedding_bag_native.h>
#include <ATen/ops/_embedding_bag_per_sample_weights_backward_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(bag_sums_stub);
DEFINE_DISPATCH(bag_maxima_stub);
DEFINE_DISPATCH(bag_products_stub);

namespace {

Tensor as_longs(const Tensor& t) { return t.to(kLong).contiguous(); }

void check_rows(const int64_t* indices, int64_t n, int64_t num_weights) {
  for (int64_t i = 0; i < n; ++i) {
    TORCH_CHECK(indices[i] >= 0 && indices[i] < num_weights, "embedding_bag: index ", i,
                " of input takes value ", indices[i], " which is not in the valid range [0, ", num_weights,
                ")");
  }
}

// Where each bag begins, and the end. The last bag ends with the indices.
std::vector<int64_t> bounds_of(const EmbeddingBag& a) {
  const Tensor longs = as_longs(a.offsets);
  const int64_t *offsets = longs.const_data_ptr<int64_t>(), given = longs.numel(), n = a.indices.numel();
  TORCH_CHECK(given == 0 || offsets[0] == 0, "offsets[0] has to be 0, i.e., the first sequence in the ",
              "mini-batch has to start from position 0. However, got ", offsets[0]);
  TORCH_CHECK(given == 0 || offsets[given - 1] <= n, "offsets[-1] can not be greater than input's length ", n,
              " but got offsets[-1] of ", offsets[given - 1]);
  for (int64_t i = 1; i < given; ++i) {
    TORCH_CHECK(offsets[i] >= offsets[i - 1], "embedding_bag: offsets must not decrease, but offsets[", i,
                "] is ", offsets[i], " after ", offsets[i - 1]);
  }
  std::vector<int64_t> bounds(offsets, offsets + a.bags);
  bounds.push_back(a.bags == 0 ? 0 : n);
  return bounds;
}

// What the gradient needs: indices before the first bag, which there are where there is no bag, are of -1.
void describe_bags(const EmbeddingBag& a, const Bags& bags, const EmbeddingBagResults& results) {
  Tensor bag_of = at::empty({a.indices.numel()}, TensorOptions().dtype(kLong));
  Tensor sizes = at::empty({bags.count}, TensorOptions().dtype(kLong));
  int64_t *of = bag_of.mutable_data_ptr<int64_t>(), *size = sizes.mutable_data_ptr<int64_t>();
  std::fill(of, of + a.indices.numel(), -1);
  for (int64_t b = 0; b < bags.count; ++b) {
    const int64_t first = bags.bounds[b], last = bags.bounds[b + 1];
    std::fill(of + first, of + last, b);
    size[b] = last - first - std::count(bags.indices + first, bags.indices + last, bags.padding);
  }
  if (results.offset2bag.numel() > 0) results.offset2bag.copy_(bag_of);
  if (a.mode != EmbeddingBagMode::sum) results.bag_size.copy_(sizes);
  if (a.mode == EmbeddingBagMode::mean) results.max_indices.copy_(sizes);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> run(const EmbeddingBag& a, bool requires_grad) {
  const Tensor weight = a.weight.stride(1) == 1 ? a.weight : a.weight.contiguous();
  const Tensor indices = as_longs(a.indices);
  const std::vector<int64_t> bounds = bounds_of(a);
  const Bags bags{indices.const_data_ptr<int64_t>(), bounds.data(), a.bags, a.padding_idx};
  check_rows(bags.indices, indices.numel(), weight.size(0));

  EmbeddingBagResults results = allocate_embedding_bag(a, requires_grad);
  if (results.offset2bag.numel() > 0 || a.mode != EmbeddingBagMode::sum) describe_bags(a, bags, results);
  if (a.mode == EmbeddingBagMode::max) {
    Tensor rows = at::zeros(results.max_indices.sizes(), TensorOptions().dtype(kLong));
    bag_maxima_stub(kCPU, weight, bags, results.output, rows.mutable_data_ptr<int64_t>());
    results.max_indices.copy_(rows);
  } else {
    const Tensor factors = a.per_sample_weights.defined() ? a.per_sample_weights.contiguous() : Tensor();
    bag_sums_stub(kCPU, weight, bags, factors, a.mode == EmbeddingBagMode::mean, results.output);
  }
  return {std::move(results.output), std::move(results.offset2bag), std::move(results.bag_size),
          std::move(results.max_indices)};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_cpu(const Tensor& weight, const Tensor& indices,
                                                              const Tensor& offsets,
                                                              bool /*scale_grad_by_freq*/, int64_t mode,
                                                              bool /*sparse*/,
                                                              const std::optional<Tensor>& per_sample_weights,
                                                              bool include_last_offset, int64_t padding_idx) {
  return run(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                                 padding_idx),
             /*requires_grad=*/true);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_forward_only_cpu(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return run(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                                 padding_idx),
             /*requires_grad=*/false);
}

// -------------------- Gradients

namespace {

void check_bags(const int64_t* bag_of, int64_t n, int64_t bags) {
  for (int64_t i = 0; i < n; ++i) {
    TORCH_CHECK_INDEX(bag_of[i] >= 0 && bag_of[i] < bags, "embedding_bag_backward: offset2bag[", i, "] is ",
                      bag_of[i], ", but the gradient has ", bags, " bags");
  }
}

// What the gradient of each index's bag is multiplied by.
std::vector<double> factors_of(const int64_t* rows, const int64_t* bag_of, int64_t n, int64_t num_weights,
                               const Tensor& bag_size, bool scale_grad_by_freq, bool mean,
                               const Tensor& per_sample_weights) {
  std::vector<double> factors(n, 1);
  if (per_sample_weights.defined()) {
    const Tensor wide = per_sample_weights.to(kDouble).contiguous();
    std::copy_n(wide.const_data_ptr<double>(), n, factors.begin());
  }
  if (scale_grad_by_freq) {
    std::vector<int64_t> counts(num_weights, 0);
    for (int64_t i = 0; i < n; ++i) ++counts[rows[i]];
    for (int64_t i = 0; i < n; ++i) factors[i] /= static_cast<double>(counts[rows[i]]);
  }
  if (mean) {
    const Tensor sizes = as_longs(bag_size);
    const int64_t* size = sizes.const_data_ptr<int64_t>();
    for (int64_t i = 0; i < n; ++i) factors[i] /= static_cast<double>(std::max<int64_t>(1, size[bag_of[i]]));
  }
  return factors;
}

// Each thread has a range of the weight's rows, so that none waits for another.
void add_bag_gradients(const Tensor& grad, const int64_t* rows, const int64_t* bag_of,
                       const std::vector<double>& factors, int64_t padding, const Tensor& result) {
  const int64_t columns = grad.size(1), n = static_cast<int64_t>(factors.size()),
                num_weights = result.size(0);
  const int64_t row_bytes = columns * static_cast<int64_t>(grad.itemsize());
  const char* from = static_cast<const char*>(grad.const_data_ptr());
  char* to = static_cast<char*>(result.mutable_data_ptr());
  const int64_t threads = n * columns < at::internal::GRAIN_SIZE ? 1 : at::get_num_threads();
  at::parallel_for(0, num_weights, std::max<int64_t>(1, num_weights / threads),
                   [&](int64_t first, int64_t last) {
                     for (int64_t i = 0; i < n; ++i) {
                       if (rows[i] < first || rows[i] >= last || rows[i] == padding) continue;
                       add_row_stub(kCPU, grad.scalar_type(), to + rows[i] * row_bytes,
                                    from + bag_of[i] * row_bytes, columns, factors[i]);
                     }
                   });
}

// Each column of each bag that has indices goes to the row that its maximum is of.
void add_maximum_gradients(const Tensor& grad, const Tensor& bag_size, const Tensor& max_indices,
                           const Tensor& result) {
  TORCH_CHECK(max_indices.sizes() == grad.sizes(), "embedding_bag_backward: expected maximum_indices of the ",
              "gradient's shape ", grad.sizes(), ", but got ", max_indices.sizes());
  const int64_t bags = grad.size(0), columns = grad.size(1);
  const Tensor sizes = as_longs(bag_size), indices = as_longs(max_indices);
  const int64_t *size = sizes.const_data_ptr<int64_t>(), *row = indices.const_data_ptr<int64_t>();
  check_rows(row, indices.numel(), result.size(0));
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward", [&] {
    const auto* g = grad.const_data_ptr<scalar_t>();
    auto* out = result.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, columns, std::max<int64_t>(1, 65536 / (bags + 1)), [&](int64_t begin, int64_t end) {
      for (int64_t b = 0; b < bags; ++b) {
        if (size[b] == 0) continue;
        for (int64_t j = begin; j < end; ++j) {
          out[row[b * columns + j] * columns + j] += g[b * columns + j];
        }
      }
    });
  });
}

}  // namespace

Tensor _embedding_bag_dense_backward_cpu(const Tensor& grad_out, const Tensor& indices,
                                         const Tensor& offset2bag, const Tensor& bag_size,
                                         const Tensor& maximum_indices, int64_t num_weights,
                                         bool scale_grad_by_freq, int64_t mode,
                                         const std::optional<Tensor>& per_sample_weights_opt,
                                         int64_t padding_idx) {
  check_embedding_bag_gradient(grad_out, indices, offset2bag);
  const Tensor grad = grad_out.contiguous(), rows = as_longs(indices), bags = as_longs(offset2bag);
  const auto *row = rows.const_data_ptr<int64_t>(), *bag_of = bags.const_data_ptr<int64_t>();
  const int64_t n = rows.numel();
  Tensor result = at::zeros({num_weights, grad.size(1)}, grad.options());
  check_rows(row, n, num_weights);
  check_bags(bag_of, n, grad.size(0));
  const auto kind = static_cast<EmbeddingBagMode>(mode);
  TORCH_CHECK(kind == EmbeddingBagMode::sum || bag_size.numel() == grad.size(0),
              "embedding_bag_backward: expected bag_size to have ", grad.size(0), " elements, but got ",
              bag_size.numel());
  if (kind == EmbeddingBagMode::max) {
    add_maximum_gradients(grad, bag_size, maximum_indices, result);
    return result;
  }
  const Tensor factors = per_sample_weights_opt.value_or(Tensor());
  TORCH_CHECK(!factors.defined() || factors.numel() == n, "embedding_bag_backward: expected ",
              "per_sample_weights for each of the ", n, " indices");
  if (result.numel() > 0 && n > 0) {
    add_bag_gradients(grad, row, bag_of,
                      factors_of(row, bag_of, n, num_weights, bag_size, scale_grad_by_freq,
                                 kind == EmbeddingBagMode::mean, factors),
                      padding_idx, result);
  }
  return result;
}

Tensor _embedding_bag_per_sample_weights_backward_cpu(const Tensor& grad_out, const Tensor& weight,
                                                      const Tensor& indices, const Tensor& offsets,
                                                      const Tensor& offset2bag, int64_t mode,
                                                      int64_t padding_idx) {
  check_embedding_bag_weights_gradient(grad_out, weight, indices, mode);
  const bool missing = indices.numel() != 0 && offset2bag.numel() == 0;
  const Tensor bags = missing ? bags_of_indices(indices, offsets) : offset2bag;
  check_embedding_bag_gradient(grad_out, indices, bags);
  const Tensor grad = grad_out.contiguous(), rows = as_longs(indices), bag_of = as_longs(bags);
  const Tensor table = weight.stride(1) == 1 ? weight : weight.contiguous();
  check_rows(rows.const_data_ptr<int64_t>(), rows.numel(), table.size(0));
  check_bags(bag_of.const_data_ptr<int64_t>(), rows.numel(), grad.size(0));
  Tensor products = at::empty({rows.numel()}, grad.options());
  bag_products_stub(kCPU, grad, table, rows.const_data_ptr<int64_t>(), bag_of.const_data_ptr<int64_t>(),
                    padding_idx, products);
  return products;
}

}  // namespace at::native
