// The CUDA kernels of embedding_bag, by ATen's names.
#include <ATen/native/embedding/embedding_bag.h>

#include <ATen/ops/_embedding_bag_dense_backward_native.h>
#include <ATen/ops/_embedding_bag_forward_only_native.h>
#include <ATen/ops/_embedding_bag_native.h>
#include <ATen/ops/_embedding_bag_per_sample_weights_backward_native.h>

namespace at::native {

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_cuda(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return embedding_bag_by_stub(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights,
                                                   include_last_offset, padding_idx),
                               /*requires_grad=*/true);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _embedding_bag_forward_only_cuda(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool /*scale_grad_by_freq*/,
    int64_t mode, bool /*sparse*/, const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
    int64_t padding_idx) {
  return embedding_bag_by_stub(check_embedding_bag(weight, indices, offsets, mode, per_sample_weights,
                                                   include_last_offset, padding_idx),
                               /*requires_grad=*/false);
}

Tensor _embedding_bag_dense_backward_cuda(const Tensor& grad_out, const Tensor& indices,
                                          const Tensor& offset2bag, const Tensor& bag_size,
                                          const Tensor& maximum_indices, int64_t num_weights,
                                          bool scale_grad_by_freq, int64_t mode,
                                          const std::optional<Tensor>& per_sample_weights,
                                          int64_t padding_idx) {
  return embedding_bag_dense_backward_by_stub(grad_out, indices, offset2bag, bag_size, maximum_indices,
                                              num_weights, scale_grad_by_freq, mode, per_sample_weights,
                                              padding_idx);
}

Tensor _embedding_bag_per_sample_weights_backward_cuda(const Tensor& grad_out, const Tensor& weight,
                                                       const Tensor& indices, const Tensor& offsets,
                                                       const Tensor& offset2bag, int64_t mode,
                                                       int64_t padding_idx) {
  return embedding_bag_weights_backward_by_stub(grad_out, weight, indices, offsets, offset2bag, mode,
                                                padding_idx);
}

}  // namespace at::native
