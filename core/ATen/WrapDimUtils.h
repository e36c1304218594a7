// Wrapping of negative dimensions: -1 is the last one. IndexError where one is out of range.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/ArrayRef.h>

#include <vector>

namespace at::inline C10_ABI {

using c10::maybe_wrap_dim;

inline int64_t maybe_wrap_dim(int64_t dim, c10::TensorImpl* tensor) {
  return maybe_wrap_dim(dim, tensor->dim());
}

// Wraps each of dims[0..ndims) for a tensor of `dim_post_expr` dimensions. With wrap_scalars a 0-dim tensor
// takes 0 and -1.
TORCH_API void maybe_wrap_dims_n(int64_t* dims, int64_t ndims, int64_t dim_post_expr,
                                 bool wrap_scalars = true);

template <typename Container>
inline void maybe_wrap_dims(Container& dims, int64_t dim_post_expr, bool wrap_scalars = true) {
  maybe_wrap_dims_n(dims.data(), static_cast<int64_t>(dims.size()), dim_post_expr, wrap_scalars);
}

inline void wrap_all_dims(std::vector<int64_t>& dims_to_wrap, int64_t tensor_total_dims) {
  maybe_wrap_dims(dims_to_wrap, tensor_total_dims);
}

// cat skips empty one-dimensional tensors when it decides what `dim` refers to.
template <typename Tensors>
inline int64_t legacy_cat_wrap_dim(int64_t dim, const Tensors& tensors) {
  for (const TensorBase& tensor : tensors) {
    if (tensor.dim() != 1 || tensor.sizes()[0] != 0) {
      return maybe_wrap_dim(dim, tensor.dim());
    }
  }
  return dim;
}

}  // namespace at::inline C10_ABI
