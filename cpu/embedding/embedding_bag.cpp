// What bags of rows need beside their sums: which index is in which, and the gradients.
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/embedding/embedding.h>
#include <ATen/native/embedding/embedding_bag.h>
#include <ATen/native/embedding/stubs.h>

#include <ATen/ops/_embedding_bag_dense_backward_native.h>
#include <ATen/ops/_embedding_bag_forward_only_native.h>
#include <ATen/ops/_embedding_bag_native.h>
#include <ATen/ops/_embedding_bag_per_sample_weights_backward_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/to.h>

#include <algorithm>

namespace at::native {

namespace {

int64_t first_outside(const TensorBase& values, int64_t size) {
  const int64_t *begin = values.const_data_ptr<int64_t>(), *end = begin + values.numel();
  const int64_t* found = std::find_if(begin, end, [=](int64_t v) { return v < 0 || v >= size; });
  return found == end ? -1 : found - begin;
}

void describe_bags(const Bags& bags, const BagDescription& description) {
  const TensorBase &bag_of = description.bag_of, &sizes = description.sizes, &copy = description.copy;
  int64_t *of = bag_of.mutable_data_ptr<int64_t>(), *size = sizes.mutable_data_ptr<int64_t>();
  std::fill_n(of, bag_of.numel(), -1);
  std::fill_n(size, sizes.numel(), 0);
  for (int64_t b = 0; b < bags.count; ++b) {
    const int64_t first = bags.offsets[b], last = bags.end(b);
    if (bag_of.numel() > 0) std::fill(of + first, of + last, b);
    if (!description.counts) continue;
    size[b] = last - first - std::count(bags.indices + first, bags.indices + last, bags.padding);
  }
  if (copy.defined()) std::copy_n(size, sizes.numel(), copy.mutable_data_ptr<int64_t>());
}

// Each thread owns a range of the weight's rows, so that no synchronisation is needed.
void add_bag_gradients(const BagGradients& g, const TensorBase& result) {
  const int64_t num_weights = result.size(0), padding = g.padding;
  const Tensor grad = Tensor(g.grad).to(result.scalar_type());
  const Tensor by = bag_factors(g, num_weights, result.scalar_type()).to(kDouble).contiguous();
  const auto *rows = g.rows.const_data_ptr<int64_t>(), *bag_of = g.bag_of.const_data_ptr<int64_t>();
  const double* factor = by.const_data_ptr<double>();
  const int64_t columns = grad.size(1), n = g.rows.numel();
  const int64_t row_bytes = columns * static_cast<int64_t>(grad.itemsize());
  const char* from = static_cast<const char*>(grad.const_data_ptr());
  char* to = static_cast<char*>(result.mutable_data_ptr());
  const int64_t threads = n * columns < at::internal::GRAIN_SIZE ? 1 : at::get_num_threads();
  at::parallel_for(0, num_weights, std::max<int64_t>(1, num_weights / threads),
                   [&](int64_t first, int64_t last) {
                     for (int64_t i = 0; i < n; ++i) {
                       if (rows[i] < first || rows[i] >= last || rows[i] == padding) continue;
                       add_row_stub(kCPU, grad.scalar_type(), to + rows[i] * row_bytes,
                                    from + bag_of[i] * row_bytes, columns, factor[i]);
                     }
                   });
}

void add_maximum_gradients(const TensorBase& grad, const TensorBase& sizes, const TensorBase& rows,
                           const TensorBase& result) {
  const int64_t bags = grad.size(0), columns = grad.size(1);
  const int64_t *size = sizes.const_data_ptr<int64_t>(), *row = rows.const_data_ptr<int64_t>();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "embedding_bag_backward", [&] {
    using A = at::opmath_type<scalar_t>;
    const auto* g = grad.const_data_ptr<scalar_t>();
    auto* out = result.mutable_data_ptr<A>();
    at::parallel_for(0, columns, std::max<int64_t>(1, 65536 / (bags + 1)), [&](int64_t begin, int64_t end) {
      for (int64_t b = 0; b < bags; ++b) {
        if (size[b] == 0) continue;
        for (int64_t j = begin; j < end; ++j) {
          out[row[b * columns + j] * columns + j] += static_cast<A>(g[b * columns + j]);
        }
      }
    });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(first_outside_stub, &first_outside)
REGISTER_ALL_CPU_DISPATCH(describe_bags_stub, &describe_bags)
REGISTER_ALL_CPU_DISPATCH(add_bag_gradients_stub, &add_bag_gradients)
REGISTER_ALL_CPU_DISPATCH(add_maximum_gradients_stub, &add_maximum_gradients)

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_cpu(const Tensor& weight, const Tensor& indices,
                                                              const Tensor& offsets,
                                                              bool /*scale_grad_by_freq*/, int64_t mode,
                                                              bool /*sparse*/,
                                                              const std::optional<Tensor>& per_sample_weights,
                                                              bool include_last_offset, int64_t padding_idx) {
  return embedding_bag_by_stub(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights,
                                                   include_last_offset, padding_idx),
                               /*requires_grad=*/true);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_forward_only_cpu(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return embedding_bag_by_stub(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights,
                                                   include_last_offset, padding_idx),
                               /*requires_grad=*/false);
}

Tensor _embedding_bag_dense_backward_cpu(const Tensor& grad_out, const Tensor& indices,
                                         const Tensor& offset2bag, const Tensor& bag_size,
                                         const Tensor& maximum_indices, int64_t num_weights,
                                         bool scale_grad_by_freq, int64_t mode,
                                         const std::optional<Tensor>& per_sample_weights,
                                         int64_t padding_idx) {
  return embedding_bag_dense_backward_by_stub(grad_out, indices, offset2bag, bag_size, maximum_indices,
                                              num_weights, scale_grad_by_freq, mode, per_sample_weights,
                                              padding_idx);
}

Tensor _embedding_bag_per_sample_weights_backward_cpu(const Tensor& grad_out, const Tensor& weight,
                                                      const Tensor& indices, const Tensor& offsets,
                                                      const Tensor& offset2bag, int64_t mode,
                                                      int64_t padding_idx) {
  return embedding_bag_weights_backward_by_stub(grad_out, weight, indices, offsets, offset2bag, mode,
                                                padding_idx);
}

}  // namespace at::native
