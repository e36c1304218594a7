// How batch and group normalisation see a tensor.
#pragma once

#include <cstdint>

namespace at::native {

/// Contiguous numbers as samples x rows x channels x inner. Each channel of each sample has statistics of its
/// own: arrays of them hold samples x channels.
struct ChannelShape {
  int64_t samples, rows, channels, inner;

  constexpr int64_t statistics() const { return samples * channels; }
  constexpr int64_t numbers_in_channel() const { return rows * inner; }
};

}  // namespace at::native
