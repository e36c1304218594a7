// Makes a CUDA device current.
#pragma once

#include <c10/cuda/CUDAStream.h>

namespace c10::inline C10_ABI::cuda {

/// Makes a device current until it is destroyed. CUDA takes a default stream for that of the current device,
/// and records an event only on streams of the device that was current when the event was made.
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex index) : before_(current_device()), index_(index) {
    if (index_ != before_) set_device(index_);
  }
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;
  ~CUDAGuard() {
    try {
      if (index_ != before_) set_device(before_);
    } catch (...) {  // can't be reported from here
    }
  }

 private:
  DeviceIndex before_, index_;
};

}  // namespace c10::inline C10_ABI::cuda
