// Restoring the reduced dimensions of a result.
#pragma once

#include <ATen/WrapDimUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/view.h>

#include <algorithm>

namespace torch::inline C10_ABI::autograd::generated::details {

inline bool reduces_all(at::OptionalIntArrayRef dims) { return !dims.has_value() || dims->empty(); }

/// A reduced tensor reshaped to broadcast to the `ndim`-dimensional one it was computed from.
inline at::Tensor restore_reduced_dims(const at::Tensor& t, at::OptionalIntArrayRef dims, bool keepdim,
                                       int64_t ndim) {
  if (keepdim || ndim == 0 || reduces_all(dims)) return t;
  at::DimVector reduced(dims->begin(), dims->end());
  at::maybe_wrap_dims(reduced, ndim);
  at::DimVector sizes(t.sizes().begin(), t.sizes().end());
  std::sort(reduced.begin(), reduced.end());
  for (const int64_t dim : reduced) sizes.insert(sizes.begin() + dim, 1);
  return t.view(sizes);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
