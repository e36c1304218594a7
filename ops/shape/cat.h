// How cat lays out dense tensors: rows, of which each input fills a part.
#pragma once

#include <ATen/core/TensorBase.h>

#include <algorithm>
#include <cstdint>

namespace at::native {

/// One input, as the part of each row of the result that it fills.
struct CatPart {
  const char* data;
  int64_t bytes;   // of one row
  int64_t offset;  // in a row of the result
};

/// Contiguous bytes for one index of `dim`: all dimensions that follow it in memory order.
inline int64_t cat_inner_bytes(const TensorBase& t, int64_t dim, MemoryFormat format) {
  int64_t elements = 1;
  if (format == MemoryFormat::Contiguous) {
    for (int64_t i = dim + 1; i < t.dim(); ++i) elements *= t.sizes()[i];
  } else if (dim != 1) {
    // Channels last: batch, then the spatial dimensions, then channels.
    elements = t.sizes()[1];
    for (int64_t i = std::max<int64_t>(dim, 1) + 1; i < t.dim(); ++i) elements *= t.sizes()[i];
  }
  return elements * static_cast<int64_t>(t.itemsize());
}

/// Calls f(part) for each input with elements; `inner` is the result's cat_inner_bytes().
template <class Tensors, class F>
void for_each_cat_part(const Tensors& tensors, int64_t dim, int64_t inner, const F& f) {
  int64_t offset = 0;
  for (const TensorBase& t : tensors) {
    const int64_t bytes = inner * t.sizes()[dim];
    if (bytes != 0) f(CatPart{static_cast<const char*>(t.const_data_ptr()), bytes, offset});
    offset += bytes;
  }
}

}  // namespace at::native
