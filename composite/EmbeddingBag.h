// The arguments of embedding_bag, checked, and the tensors it returns: the same on every device.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace at::native {

enum class EmbeddingBagMode : int64_t { sum = 0, mean = 1, max = 2 };

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

// What the backward pass is told besides the output: the bag of each index (no elements where it is not
// needed), the number of indices of each bag that count, and the index that each maximum is of.
struct EmbeddingBagResults {
  Tensor output, offset2bag, bag_size, max_indices;
};

/// Zeros but for the output's and offset2bag's elements, which are not set.
TORCH_API EmbeddingBagResults allocate_embedding_bag(const EmbeddingBag& arguments, bool requires_grad);

/// Of the backward pass: gradient (bags x columns), indices and the bag of each.
TORCH_API void check_embedding_bag_gradient(const Tensor& grad, const Tensor& indices,
                                            const Tensor& offset2bag);
/// The same of the gradient of per_sample_weights.
TORCH_API void check_embedding_bag_weights_gradient(const Tensor& grad, const Tensor& weight,
                                                    const Tensor& indices, int64_t mode);

/// The bag of each index, from where bags begin.
TORCH_API Tensor bags_of_indices(const Tensor& indices, const Tensor& offsets);

}  // namespace at::native
