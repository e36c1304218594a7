// The arguments of embedding_bag, checked, and the tensors it returns.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace at::native {

enum class EmbeddingBagMode : int64_t { Sum = 0, Mean = 1, Max = 2 };

struct EmbeddingBag {
  Tensor weight, indices, offsets;  // indices and offsets contiguous, of one dtype
  Tensor per_sample_weights;        // may be undefined
  EmbeddingBagMode mode;
  int64_t bags, padding_idx;  // the latter negative for none
  bool include_last_offset;
};

TORCH_API EmbeddingBag check_embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                           int64_t mode, const std::optional<Tensor>& per_sample_weights,
                                           bool include_last_offset, int64_t padding_idx);

// The forward results that the backward pass needs: the bag of each index (empty where not needed), the
// number of indices of each bag that aren't padding, and the index that each maximum came from.
struct EmbeddingBagResults {
  Tensor output, offset2bag, bag_size, max_indices;
};

/// Uninitialised; all but the output of type Long.
EmbeddingBagResults allocate_embedding_bag(const EmbeddingBag& arguments, bool requires_grad);

/// The operators by the device's kernels.
TORCH_API std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag_by_stub(const EmbeddingBag& arguments,
                                                                           bool requires_grad);
TORCH_API Tensor embedding_bag_dense_backward_by_stub(const Tensor& grad_out, const Tensor& indices,
                                                      const Tensor& offset2bag, const Tensor& bag_size,
                                                      const Tensor& maximum_indices, int64_t num_weights,
                                                      bool scale_grad_by_freq, int64_t mode,
                                                      const std::optional<Tensor>& per_sample_weights,
                                                      int64_t padding_idx);
TORCH_API Tensor embedding_bag_weights_backward_by_stub(const Tensor& grad_out, const Tensor& weight,
                                                        const Tensor& indices, const Tensor& offsets,
                                                        const Tensor& offset2bag, int64_t mode,
                                                        int64_t padding_idx);

/// For the backward pass: gradient [bags, columns], indices and the bag of each.
void check_embedding_bag_gradient(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag);
/// The same for the gradient of per_sample_weights.
void check_embedding_bag_weights_gradient(const Tensor& grad, const Tensor& weight, const Tensor& indices,
                                          int64_t mode);

/// One-dimensional, of type Long or Int.
void check_bag_indices(const char* name, const Tensor& t);
/// On the CPU, where the kernels don't: each of `indices`, which are of type Long, is a row of a weight of
/// `num_weights`; the offsets begin with 0, don't decrease and are at most n.
void check_bag_rows(const Tensor& indices, int64_t num_weights);
void check_bag_offsets(const Tensor& offsets, int64_t n);

struct BagGradients;
/// The factor of each index, of that dtype, for `num_weights` rows.
TORCH_API Tensor bag_factors(const BagGradients& gradients, int64_t num_weights, ScalarType dtype);

}  // namespace at::native
