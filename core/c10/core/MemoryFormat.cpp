// Strides of the memory formats.
#include <c10/core/MemoryFormat.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/safe_numerics.h>
#include <c10/util/strides.h>

#include <limits>

namespace c10::inline C10_ABI {

namespace {

// Strides for sizes with the dimensions of `order` from fastest to slowest.
DimVector strides_in_order(IntArrayRef sizes, ArrayRef<size_t> order) {
  DimVector strides(sizes.size());
  int64_t stride = 1;
  for (size_t d : order) {
    strides[d] = stride;
    stride = wrapping_mul(stride, sizes[d]);
  }
  return strides;
}

// Whether strides grow along `order` (channels first), so that the layout is distinguishable from contiguous.
bool strides_like(IntArrayRef sizes, IntArrayRef strides, ArrayRef<size_t> order) {
  if (strides[1] == 0) return false;
  int64_t least = 0;
  for (size_t d : order) {
    if (sizes[d] == 0 || strides[d] < least) return false;
    // [N, 1, 1, 1] and the like: a channel stride equal to the batch stride is ambiguous; treated as
    // contiguous.
    if (d == 0 && least == strides[1]) return false;
    least = strides[d];
    if (sizes[d] > 1 && mul_overflows(least, sizes[d], &least)) least = std::numeric_limits<int64_t>::max();
  }
  return true;
}

constexpr size_t kOrder2d[] = {1, 3, 2, 0}, kOrder2dNoBatch[] = {0, 2, 1};
constexpr size_t kOrder3d[] = {1, 4, 3, 2, 0}, kOrder3dNoBatch[] = {0, 3, 2, 1};

}  // namespace

DimVector get_channels_last_strides_2d(IntArrayRef sizes) {
  TORCH_CHECK(sizes.size() == 3 || sizes.size() == 4, "ChannelsLast2d doesn't support size ", sizes.size());
  return sizes.size() == 4 ? strides_in_order(sizes, kOrder2d) : strides_in_order(sizes, kOrder2dNoBatch);
}

DimVector get_channels_last_strides_3d(IntArrayRef sizes) {
  TORCH_CHECK(sizes.size() == 4 || sizes.size() == 5, "ChannelsLast3d doesn't support size ", sizes.size());
  return sizes.size() == 5 ? strides_in_order(sizes, kOrder3d) : strides_in_order(sizes, kOrder3dNoBatch);
}

DimVector strides_in_format(IntArrayRef sizes, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Contiguous:
      return contiguous_strides(sizes);
    case MemoryFormat::ChannelsLast:
      TORCH_CHECK(sizes.size() == 4, "required rank 4 tensor to use channels_last format");
      return get_channels_last_strides_2d(sizes);
    case MemoryFormat::ChannelsLast3d:
      TORCH_CHECK(sizes.size() == 5, "required rank 5 tensor to use channels_last_3d format");
      return get_channels_last_strides_3d(sizes);
    default:
      TORCH_CHECK(false, "unsupported memory format ", format);
  }
}

bool is_channels_last_strides_2d(IntArrayRef sizes, IntArrayRef strides) {
  return sizes.size() == 4 && strides_like(sizes, strides, kOrder2d);
}

bool is_channels_last_strides_3d(IntArrayRef sizes, IntArrayRef strides) {
  return sizes.size() == 5 && strides_like(sizes, strides, kOrder3d);
}

namespace detail {

int64_t maybe_wrap_dim_slow(int64_t dim, int64_t dim_post_expr, bool wrap_scalar) {
  TORCH_CHECK_INDEX(dim_post_expr >= 0, "Rank cannot be negative but got ", dim_post_expr);
  if (dim_post_expr == 0) {
    TORCH_CHECK_INDEX(wrap_scalar, "Dimension specified as ", dim, " but tensor has no dimensions");
    return maybe_wrap_dim(dim, /*dim_post_expr=*/1, /*wrap_scalar=*/false);
  }
  TORCH_CHECK_INDEX(false, "Dimension out of range (expected to be in range of [", -dim_post_expr, ", ",
                    dim_post_expr - 1, "], but got ", dim, ")");
  return 0;
}

}  // namespace detail
}  // namespace c10::inline C10_ABI
