// Caches page-locked host memory: cudaHostAlloc and cudaFreeHost synchronize the device, a cached block
// doesn't. A block is handed out again only when the streams that used it have passed the point where it was
// freed.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>

namespace c10::inline C10_ABI::cuda::CachingHostAllocator {

C10_API Allocator* get();
/// `stream` uses the block, as by a copy that is under way. Returns whether the memory is a block of this
/// cache.
C10_API bool record_stream(const DataPtr& memory, const CUDAStream& stream);

}  // namespace c10::inline C10_ABI::cuda::CachingHostAllocator
