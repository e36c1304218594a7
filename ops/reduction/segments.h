// Reductions of segments, and their stubs.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <optional>

namespace at::native {

enum class SegmentReduction { Sum, Mean, Max, Min, Prod };

// data is [outer, n, inner], output and its gradient [outer, segments, inner]; row i of offsets, int64, has
// segments + 1 places from 0 to n. All are contiguous.
struct Segments {
  const TensorBase& data;
  const TensorBase& offsets;
  SegmentReduction reduction;
  std::optional<double> initial;
};

using segment_reduce_fn = void (*)(const TensorBase& output, const Segments& segments);
DECLARE_DISPATCH(segment_reduce_fn, segment_reduce_stub)

using segment_reduce_backward_fn = void (*)(const TensorBase& grad_data, const TensorBase& grad,
                                            const TensorBase& output, const Segments& segments);
DECLARE_DISPATCH(segment_reduce_backward_fn, segment_reduce_backward_stub)

}  // namespace at::native
