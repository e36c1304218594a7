// Resampling along up to three axes: which elements of the input make each element of the result, with which
// weights, and the kernels that add them up. A gradient is the same with the axes turned around.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace at::native {

enum class UpsampleMode : uint8_t { Nearest, NearestExact, Linear, Cubic, LinearAntialias, CubicAntialias };

constexpr int max_upsample_axes = 3;

// Element i of the output is the sum over k < count[i] of weight[k * output + i] times element
// index[k * output + i] of the input. For count[i] <= k < taps the weight is 0 and the index `input`, one
// past the end.
struct ResampleAxis {
  int64_t input = 1, output = 1, taps = 1;
  std::vector<int32_t> index{0};
  std::vector<int32_t> count{1};
  std::vector<double> weight{1.0};
};

struct UpsampleScale {
  bool align_corners = false;
  std::optional<double> factor;  // of the output's size to the input's, where the caller gave it
};

/// Positions and weights are computed in the precision that a tensor of that dtype is computed in.
TORCH_API ResampleAxis make_resample_axis(UpsampleMode mode, int64_t input, int64_t output,
                                          const UpsampleScale& scale, ScalarType dtype);
/// Input and output exchanged.
TORCH_API ResampleAxis transposed(const ResampleAxis& axis);

// Tensors without gaps: `outer` blocks of three axes, those not needed first (of size 1), whose elements are
// runs of `inner` channels.
struct Resampling {
  int64_t outer = 1, inner = 1;
  ResampleAxis axes[max_upsample_axes];
};

using resample_fn = void (*)(const TensorBase& output, const TensorBase& input, const Resampling& resampling);
// Floating dtypes.
DECLARE_DISPATCH(resample_fn, resample_stub)
// Bytes: the last axis first, then the one before it, each sum rounded to a byte; weights are rounded to as
// many binary places as 16 bits hold.
DECLARE_DISPATCH(resample_fn, resample_bytes_stub)
// One tap for each element: elements of any dtype are moved.
DECLARE_DISPATCH(resample_fn, pick_stub)

/// The weights of an axis as integers, and how many binary places they have.
struct FixedPointWeights {
  std::vector<int32_t> weight;
  int places = 0;
};
TORCH_API FixedPointWeights fixed_point_weights(const ResampleAxis& axis);

}  // namespace at::native
