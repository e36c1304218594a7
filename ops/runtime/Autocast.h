// Autocast: regions of a thread in which operators cast their inputs to a dtype that suits them, by the
// kernels of a device's Autocast key. Which operators do is said in schemas/autocast.yaml.
#pragma once
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>

namespace at::inline C10_ABI::autocast {

/// Whether there are kernels for tensors of these devices.
C10_API bool is_autocast_available(c10::DeviceType device_type);

// The state of the thread. Throws c10::Error for devices for which autocast is not available.
C10_API bool is_autocast_enabled(c10::DeviceType device_type);
C10_API void set_autocast_enabled(c10::DeviceType device_type, bool enabled);
/// The lower precision; bfloat16 on the CPU, float16 on CUDA devices, unless it was set.
C10_API c10::ScalarType get_autocast_dtype(c10::DeviceType device_type);
C10_API void set_autocast_dtype(c10::DeviceType device_type, c10::ScalarType dtype);

/// Counts the regions that the thread is in; returns their number.
C10_API int increment_nesting();
C10_API int decrement_nesting();

// Casts of parameters to the lower precision are kept until the outermost region ends.
C10_API bool is_autocast_cache_enabled();
C10_API void set_autocast_cache_enabled(bool enabled);
C10_API void clear_cache();

}  // namespace at::inline C10_ABI::autocast
