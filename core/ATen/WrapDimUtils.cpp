// Wrapping of lists of dimensions.
#include <ATen/WrapDimUtilsMulti.h>

namespace at::inline C10_ABI {

void maybe_wrap_dims_n(int64_t* dims, int64_t ndims, int64_t dim_post_expr, bool wrap_scalars) {
  if (dim_post_expr <= 0 && !wrap_scalars) {
    TORCH_CHECK_INDEX(ndims == 0, "Dimension specified as ", dims[0], " but tensor has no dimensions");
    return;
  }
  const int64_t range = dim_post_expr <= 0 ? 1 : dim_post_expr;
  for (int64_t i = 0; i < ndims; i++) {
    int64_t& dim = dims[i];
    TORCH_CHECK_INDEX(dim >= -range && dim < range, "Dimension out of range (expected to be in range of [",
                      -range, ", ", range - 1, "], but got ", dim, ")");
    dim += dim < 0 ? range : 0;
  }
}

std::bitset<dim_bitset_size> dim_list_to_bitset(OptionalIntArrayRef opt_dims, size_t ndims) {
  TORCH_CHECK(ndims <= dim_bitset_size, "only tensors with up to ", dim_bitset_size, " dims are supported");
  std::bitset<dim_bitset_size> seen;
  if (!opt_dims.has_value()) {
    for (size_t dim = 0; dim < ndims; dim++) {
      seen[dim] = true;
    }
    return seen;
  }
  for (int64_t given : *opt_dims) {
    const auto dim = static_cast<size_t>(maybe_wrap_dim(given, static_cast<int64_t>(ndims)));
    TORCH_CHECK(!seen[dim], "dim ", dim, " appears multiple times in the list of dims");
    seen[dim] = true;
  }
  return seen;
}

}  // namespace at::inline C10_ABI
