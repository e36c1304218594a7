// Resampling along up to three axes: the rules for the input elements of each element of the result and their
// weights, and the stubs that sum them. A gradient is the same with the axes' roles exchanged.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace at::native {

enum class UpsampleMode : uint8_t { Nearest, NearestExact, Linear, Cubic, LinearAntialias, CubicAntialias };

constexpr int max_upsample_axes = 3;

struct UpsampleScale {
  bool align_corners = false;
  std::optional<double> factor;  // the scale from the output's size to the input's, where the caller gave it
};

/// How the elements of an axis are made of another's: see axis.h.
struct ResampleRule {
  UpsampleMode mode = UpsampleMode::Nearest;
  int64_t input = 1, output = 1;
  UpsampleScale scale;
  bool in_double = false;  // positions and weights, which have the precision of the dtype's compute type
};
ResampleRule make_resample_rule(UpsampleMode mode, int64_t input, int64_t output, const UpsampleScale& scale,
                                ScalarType dtype);

// Dense tensors [outer, d0, d1, d2, inner]: `outer` blocks of three axes (unused leading ones have size 1),
// whose elements are runs of `inner` channels. A gradient goes from the rules' output to their input.
struct ResamplePlan {
  int64_t outer = 1, inner = 1;
  ResampleRule axes[max_upsample_axes];
  bool is_gradient = false;
};

using resample_fn = void (*)(const TensorBase& output, const TensorBase& input, const ResamplePlan& plan);
// Floating dtypes.
DECLARE_DISPATCH(resample_fn, resample_stub)
// uint8: the last axis first, then the one before it, each sum rounded to a byte; weights are rounded to as
// many binary places as 16 bits hold.
DECLARE_DISPATCH(resample_fn, resample_bytes_stub)
// One tap for each element: elements of any dtype are copied.
DECLARE_DISPATCH(resample_fn, pick_stub)

// -------------------- The rules as tables, for the CPU

// Element i of the output is the sum over k < count[i] of weight[k * output + i] times element
// index[k * output + i] of the input. For count[i] <= k < taps the weight is 0 and the index `input`, one
// past the end.
struct ResampleAxis {
  int64_t input = 1, output = 1, taps = 1;
  std::vector<int32_t> index{0};
  std::vector<int32_t> count{1};
  std::vector<double> weight{1.0};
};

struct Resampling {
  int64_t outer = 1, inner = 1;
  ResampleAxis axes[max_upsample_axes];
};
/// Of a gradient with input and output exchanged.
TORCH_API Resampling tables_of(const ResamplePlan& plan);

/// The weights of an axis in fixed point, and the number of binary places.
struct FixedPointWeights {
  std::vector<int32_t> weight;
  int places = 0;
};
TORCH_API FixedPointWeights fixed_point_weights(const ResampleAxis& axis);

}  // namespace at::native
