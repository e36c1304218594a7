// The stubs of histograms and bincount, for the CPU.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>
#include <c10/util/ArrayRef.h>

namespace at::native {

// How an element's bin is found.
enum class BinSearch {
  Scaled,   // by its distance from the first edge
  Nearby,   // the same, then by the edges around this place
  Anywhere  // by all edges
};

// Adds to hist, which is contiguous and 0, the number or weights of the points in self [n, dims], contiguous
// like `weight` [n], which may be undefined. All tensors have one floating dtype; edges has one vector for
// each dimension.
using histogram_fn = void (*)(const TensorBase& hist, const TensorBase& self, const TensorBase& weight,
                              ArrayRef<TensorBase> edges, BinSearch search);
DECLARE_DISPATCH(histogram_fn, histogram_stub)

// How often each of 0, 1 ... hist.numel() - 1 occurs in self, a contiguous int64 vector; or the sum of the
// weights at its places, which have hist's dtype, float or double. Without weights hist is int64.
using bincount_fn = void (*)(const TensorBase& hist, const TensorBase& self, const TensorBase& weight);
DECLARE_DISPATCH(bincount_fn, bincount_stub)

}  // namespace at::native
