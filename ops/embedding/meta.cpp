// embedding_bag, its gradients and embedding_renorm_ on the Meta device.
#include <ATen/native/embedding/checks.h>
#include <ATen/native/embedding/embedding_bag.h>

#include <ATen/ops/_embedding_bag_dense_backward_native.h>
#include <ATen/ops/_embedding_bag_forward_only_native.h>
#include <ATen/ops/_embedding_bag_native.h>
#include <ATen/ops/_embedding_bag_per_sample_weights_backward_native.h>
#include <ATen/ops/embedding_renorm_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/to.h>

#include <tuple>

namespace at::native {

namespace {

std::tuple<Tensor, Tensor, Tensor, Tensor> shapes(const EmbeddingBag& arguments, bool requires_grad) {
  const EmbeddingBagResults results = allocate_embedding_bag(arguments, requires_grad);
  const ScalarType dtype = arguments.indices.scalar_type();
  return {results.output, results.offset2bag.to(dtype), results.bag_size.to(dtype),
          results.max_indices.to(dtype)};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_meta(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return shapes(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                                    padding_idx),
                /*requires_grad=*/true);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_forward_only_meta(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return shapes(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                                    padding_idx),
                /*requires_grad=*/false);
}

Tensor _embedding_bag_dense_backward_meta(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag,
                                          const Tensor& /*bag_size*/, const Tensor& /*maximum_indices*/,
                                          int64_t num_weights, bool /*scale_grad_by_freq*/, int64_t /*mode*/,
                                          const std::optional<Tensor>& /*per_sample_weights*/,
                                          int64_t /*padding_idx*/) {
  check_embedding_bag_gradient(grad, indices, offset2bag);
  return at::empty({num_weights, grad.size(1)}, grad.options());
}

Tensor _embedding_bag_per_sample_weights_backward_meta(const Tensor& grad, const Tensor& weight,
                                                       const Tensor& indices, const Tensor& /*offsets*/,
                                                       const Tensor& /*offset2bag*/, int64_t mode,
                                                       int64_t /*padding_idx*/) {
  check_embedding_bag_weights_gradient(grad, weight, indices, mode);
  return at::empty({indices.numel()}, grad.options());
}

Tensor& embedding_renorm_meta_(Tensor& self, const Tensor& indices, double /*max_norm*/,
                               double /*norm_type*/) {
  check_embedding_renorm(self, indices);
  return self;
}

}  // namespace at::native
