// Shared by layer_norm and rms_norm where they are composed of other operators.
#pragma once

#include <ATen/OpMathType.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/to.h>

namespace at::native {

/// The last dimensions of `input`, as many as normalized_shape has.
inline DimVector normalized_dims(const Tensor& input, IntArrayRef normalized_shape) {
  DimVector dims;
  for (int64_t d = input.dim() - static_cast<int64_t>(normalized_shape.size()); d < input.dim(); ++d) {
    dims.push_back(d);
  }
  return dims;
}

/// As in the kernels: in the compute type, and contiguous whatever the strides are.
inline Tensor widened(const Tensor& t) { return t.to(toOpMathType(t.scalar_type())).contiguous(); }

}  // namespace at::native
