// Device memory that is kept when freed: cudaMalloc waits for the device, a cached block doesn't. Blocks
// belong to the stream they were made for, so that reuse is ordered after the work before; memory that
// another stream works with is told by record_stream() and comes back when that work is done.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>

namespace c10::inline C10_ABI::cuda::CUDACachingAllocator {

/// Bytes and counts of one device.
struct DeviceStats {
  uint64_t allocated_bytes = 0;  // in use by tensors
  uint64_t peak_allocated_bytes = 0;
  uint64_t reserved_bytes = 0;  // taken from CUDA
  uint64_t peak_reserved_bytes = 0;
  uint64_t num_alloc_retries = 0;  // cudaMalloc failed and cached memory was given back
  uint64_t num_ooms = 0;
};

C10_API Allocator* get();
C10_API void empty_cache();
C10_API DeviceStats stats(DeviceIndex index);
C10_API void reset_peak_stats(DeviceIndex index);
/// `stream` works with the block: it isn't reused before what is on the stream now is done.
C10_API void record_stream(const DataPtr& block, const CUDAStream& stream);
/// Page-locked host memory.
C10_API Allocator* pinned();

}  // namespace c10::inline C10_ABI::cuda::CUDACachingAllocator
