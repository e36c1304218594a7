// Caches freed device memory: cudaMalloc synchronizes the device, a cached block doesn't. Blocks belong to
// the stream they were allocated for, so that reuse is ordered after earlier work; memory that another stream
// uses is announced by record_stream() and is reused when that work is done.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/impl/CachingDeviceAllocator.h>
#include <c10/cuda/CUDAStream.h>

namespace c10::inline C10_ABI::cuda::CUDACachingAllocator {

using CachingDeviceAllocator::DeviceStats;

C10_API Allocator* get();
C10_API void empty_cache();
C10_API DeviceStats stats(DeviceIndex index);
C10_API void reset_peak_stats(DeviceIndex index);
C10_API void reset_accumulated_stats(DeviceIndex index);
/// `stream` uses the block: it isn't reused before the stream's present work is done.
C10_API void record_stream(const DataPtr& block, const CUDAStream& stream);

}  // namespace c10::inline C10_ABI::cuda::CUDACachingAllocator
