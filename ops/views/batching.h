// What formulas of schemas/batching.yaml call for views.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace at::native::batching {

inline std::vector<int64_t> dims_of_size_one(const Tensor& t) {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (t.size(d) == 1) dims.push_back(d);
  }
  return dims;
}

}  // namespace at::native::batching
