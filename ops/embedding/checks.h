// The argument checks of embedding's gradient, which all its kernels share.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/util/Exception.h>

namespace at::native {

inline void check_embedding_gradient(const TensorBase& grad, const TensorBase& indices, int64_t num_weights) {
  TORCH_CHECK(
      indices.scalar_type() == ScalarType::Long || indices.scalar_type() == ScalarType::Int,
      "Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; "
      "but got ",
      indices.toString(), " instead (while checking arguments for embedding_backward)");
  TORCH_CHECK(grad.device() == indices.device(),
              "embedding_backward: expected the gradient and the indices on one device, got ", grad.device(),
              " and ", indices.device());
  TORCH_CHECK(num_weights >= 0, "embedding_backward: num_weights must not be negative, got ", num_weights);
  TORCH_CHECK(grad.dim() > 0 && grad.sizes().slice(0, grad.dim() - 1) == indices.sizes(),
              "embedding_backward: expected a gradient of shape ", indices.sizes(),
              " and one more dimension, got ", grad.sizes());
}

inline void check_embedding_renorm(const TensorBase& self, const TensorBase& indices) {
  TORCH_CHECK(self.dim() == 2, "embedding_renorm_: expected 'self' to be a 2-dimensional tensor, but got ",
              self.dim(), " dimensions");
  TORCH_CHECK(isFloatingType(self.scalar_type()), "embedding_renorm_: expected 'self' to be floating point, ",
              "but got ", self.scalar_type());
  TORCH_CHECK(indices.scalar_type() == ScalarType::Long || indices.scalar_type() == ScalarType::Int,
              "embedding_renorm_: expected 'indices' to have one of the scalar types Long, Int, but got ",
              indices.scalar_type());
}

}  // namespace at::native
