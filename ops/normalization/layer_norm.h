// The argument checks of layer normalisation, shared by all its kernels.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/util/Exception.h>

#include <cstdint>

namespace at::native {

struct LayerNormShape {
  int64_t rows = 1, columns = 1;  // of the input as a matrix, each row of which is normalised
  DimVector statistics;           // the shape of mean and rstd: the normalised dimensions are 1
};

/// Checks that normalized_shape is the end of input's shape, and that weight and bias (where defined) have
/// it.
inline LayerNormShape check_layer_norm_shape(const TensorBase& input, IntArrayRef normalized_shape,
                                             const TensorBase& weight, const TensorBase& bias) {
  const int64_t normalized = static_cast<int64_t>(normalized_shape.size());
  TORCH_CHECK(normalized >= 1,
              "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one ",
              "element, but got normalized_shape = ", normalized_shape);
  TORCH_CHECK(!weight.defined() || weight.sizes() == normalized_shape,
              "Expected weight to be of same shape as normalized_shape, but got weight of shape ",
              weight.sizes(), " and normalized_shape = ", normalized_shape);
  TORCH_CHECK(!bias.defined() || bias.sizes() == normalized_shape,
              "Expected bias to be of same shape as normalized_shape, but got bias of shape ", bias.sizes(),
              " and normalized_shape = ", normalized_shape);
  const IntArrayRef sizes = input.sizes();
  const int64_t leading = input.dim() - normalized;
  TORCH_CHECK(leading >= 0 && sizes.slice(leading) == normalized_shape,
              "Given normalized_shape=", normalized_shape, ", expected input with shape [*, ",
              normalized_shape, "], but got input of size ", sizes);
  LayerNormShape shape;
  for (int64_t d = 0; d < input.dim(); ++d) {
    (d < leading ? shape.rows : shape.columns) *= sizes[d];
    shape.statistics.push_back(d < leading ? sizes[d] : 1);
  }
  return shape;
}

/// The further arguments of the backward pass: a gradient of input's shape, and one mean and rstd for each
/// row.
inline void check_layer_norm_gradient(const TensorBase& grad_out, const TensorBase& input,
                                      const TensorBase& mean, const TensorBase& rstd,
                                      const LayerNormShape& shape) {
  TORCH_CHECK(grad_out.sizes() == input.sizes(), "Expected grad_out to be of the input's shape ",
              input.sizes(), ", but got ", grad_out.sizes());
  TORCH_CHECK(grad_out.scalar_type() == input.scalar_type(), "Expected grad_out to have the input's dtype ",
              input.scalar_type(), ", but got ", grad_out.scalar_type());
  TORCH_CHECK(mean.numel() == shape.rows && rstd.numel() == shape.rows, "Expected mean and rstd to have ",
              shape.rows, " elements, but got ", mean.numel(), " and ", rstd.numel());
}

}  // namespace at::native
