// Blocks mapped from the system, and the bounded cache of freed ones. Internal to core.
#pragma once

#include <c10/macros/Macros.h>

#include <cstddef>

namespace c10::inline C10_ABI {
namespace impl {

// From this size on malloc would map and unmap pages for each block, and every page would fault again.
constexpr size_t kLargeBlockMin = size_t{128} << 10;

struct LargeBlock {
  void* base;     // page-aligned; 2 MiB-aligned from 2 MiB on
  size_t nbytes;  // mapped bytes
};

/// A block for `nbytes` usable bytes; base is null if the system has none. With `zeroed`, a reused block is
/// cleared, which is much cheaper than faulting new pages in; new ones are zero.
LargeBlock large_block_allocate(size_t nbytes, bool zeroed);
void large_block_free(LargeBlock block) noexcept;
void large_block_empty_cache() noexcept;
size_t large_block_cached_bytes() noexcept;

}  // namespace impl
}  // namespace c10::inline C10_ABI
