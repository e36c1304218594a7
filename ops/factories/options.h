// The options of factories, as schemas spell them.
#pragma once

#include <c10/core/TensorOptions.h>

#include <optional>

namespace at::native {

inline TensorOptions make_options(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                  std::optional<Device> device, std::optional<bool> pin_memory) {
  return TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory);
}

}  // namespace at::native
