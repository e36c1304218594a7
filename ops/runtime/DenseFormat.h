// The memory formats of dense tensors that kernels walk in memory order.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>

#include <optional>

namespace at::native {

/// The memory format in which t is contiguous, if any.
inline std::optional<MemoryFormat> dense_format(const TensorBase& t) {
  if (t.is_contiguous()) return MemoryFormat::Contiguous;
  if (t.dim() == 4 && t.is_contiguous(MemoryFormat::ChannelsLast)) return MemoryFormat::ChannelsLast;
  if (t.dim() == 5 && t.is_contiguous(MemoryFormat::ChannelsLast3d)) return MemoryFormat::ChannelsLast3d;
  return std::nullopt;
}

/// Per-dimension values, reordered as the dimensions lie in memory.
inline DimVector in_memory_order(IntArrayRef of_dims, MemoryFormat format) {
  DimVector ordered(of_dims.begin(), of_dims.end());
  if (format == MemoryFormat::Contiguous) return ordered;
  const int64_t channels = ordered[1];
  ordered.erase(ordered.begin() + 1);
  ordered.push_back(channels);
  return ordered;
}

}  // namespace at::native
