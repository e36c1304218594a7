// Memory formats: the order of a dense tensor's dimensions in memory, and the strides for it.
#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <string>
#include <vector>

namespace c10::inline C10_ABI {

enum class MemoryFormat : int8_t {
  Contiguous,      // last dimension fastest
  Preserve,        // as the input
  ChannelsLast,    // [N, H, W, C] in memory for sizes [N, C, H, W]
  ChannelsLast3d,  // [N, D, H, W, C] in memory for sizes [N, C, D, H, W]
  NumOptions
};

constexpr MemoryFormat get_contiguous_memory_format() { return MemoryFormat::Contiguous; }

constexpr const char* toString(MemoryFormat format) {
  constexpr const char* names[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  const auto index = static_cast<unsigned>(format);
  return index < static_cast<unsigned>(MemoryFormat::NumOptions) ? names[index] : "Unknown";
}
inline void append_to(std::string& out, MemoryFormat format) { out += toString(format); }

/// Channels-last strides of `sizes` (3 or 4 dimensions).
C10_API DimVector get_channels_last_strides_2d(IntArrayRef sizes);
/// Channels-last strides of `sizes` (4 or 5 dimensions).
C10_API DimVector get_channels_last_strides_3d(IntArrayRef sizes);
/// Dense strides in that format. Throws for sizes of another rank than the format's, and for Preserve.
C10_API DimVector strides_in_format(IntArrayRef sizes, MemoryFormat format);

/// Whether the strides order the dimensions as channels last. Ambiguous shapes ([N, 1, 1, 1] and the like)
/// count as contiguous.
C10_API bool is_channels_last_strides_2d(IntArrayRef sizes, IntArrayRef strides);
C10_API bool is_channels_last_strides_3d(IntArrayRef sizes, IntArrayRef strides);

}  // namespace c10::inline C10_ABI
