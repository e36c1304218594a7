// The arguments of aten.fft's functions.
#pragma once

#include <ATen/core/DimVector.h>
#include <c10/core/SymInt.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/string_view.h>

#include <cstdint>
#include <optional>

namespace at::inline C10_ABI {
class Tensor;
}

namespace at::native {

/// The schemas' `normalization` value for a norm's name: "backward" (None), "forward" or "ortho".
int64_t fft_normalization(std::optional<c10::string_view> norm, bool forward);

/// self in a dtype that can be transformed: integers become the default floating dtype.
Tensor promote_fft_input(const Tensor& self, bool to_complex);

/// x truncated or zero-padded to these sizes in these dimensions.
Tensor resize_fft_input(const Tensor& x, IntArrayRef dims, IntArrayRef sizes);

struct FftShape {
  DimVector dims, sizes;
};

/// The dimensions to transform: the given ones or all, or the last ones if only sizes are given; size -1 is
/// self's.
FftShape fft_shape(const Tensor& self, OptionalSymIntArrayRef sizes, OptionalIntArrayRef dims);

/// The transform of real values along one dimension. A backward one has yet to be conjugated.
Tensor transform_real(const char* name, const Tensor& self, const std::optional<c10::SymInt>& n, int64_t dim,
                      std::optional<c10::string_view> norm, bool forward, bool onesided);

/// The number of points to transform: n, or else `otherwise`.
int64_t fft_points(const std::optional<c10::SymInt>& n, int64_t otherwise);

/// Writes a result to an out argument, whose dtype must be of the same category.
Tensor& write_fft_result(const char* name, const Tensor& value, Tensor& out);

}  // namespace at::native
