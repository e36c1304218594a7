// What formulas of schemas/batching.yaml call for indexing.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <c10/core/WrapDimMinimal.h>

#include <cstdint>

namespace at::native::batching {

/// An index along one dimension as an index of each element: of `like`'s shape, but for that dimension.
inline Tensor index_of_elements(const Tensor& index, const Tensor& like, int64_t dim, int64_t rank) {
  if (rank == 0) return index.view({});
  const auto place = static_cast<size_t>(c10::maybe_wrap_dim(dim, rank));
  DimVector placed(static_cast<size_t>(rank), 1), sizes(like.sizes());
  placed[place] = sizes[place] = index.numel();
  return index.view(placed).expand(sizes);
}

}  // namespace at::native::batching
