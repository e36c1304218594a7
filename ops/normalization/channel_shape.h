// The shape of a tensor for batch and group normalisation.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native {

/// A contiguous tensor as [samples, rows, channels, inner]. Each channel of each sample has its own
/// statistics, arrays of [samples, channels].
struct ChannelShape {
  int64_t samples, rows, channels, inner;

  constexpr int64_t statistics() const { return samples * channels; }
  constexpr int64_t elements_per_channel() const { return rows * inner; }
};

}  // namespace at::native
