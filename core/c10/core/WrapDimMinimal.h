// Wrapping of negative dimensions.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace c10::inline C10_ABI {

namespace detail {
// Throws IndexError unless dim is in range; called when the inline check failed.
C10_API C10_COLD int64_t maybe_wrap_dim_slow(int64_t dim, int64_t dim_post_expr, bool wrap_scalar);
}  // namespace detail

/// `dim` in [-n, n) wrapped to [0, n). A 0-dim tensor counts as n = 1 if wrap_scalar. IndexError when out of
/// range.
inline int64_t maybe_wrap_dim(int64_t dim, int64_t dim_post_expr, bool wrap_scalar = true) {
  if (C10_LIKELY(dim >= -dim_post_expr && dim < dim_post_expr)) {
    return dim < 0 ? dim + dim_post_expr : dim;
  }
  return detail::maybe_wrap_dim_slow(dim, dim_post_expr, wrap_scalar);
}

}  // namespace c10::inline C10_ABI
