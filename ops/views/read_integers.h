// The integers of a vector that an operator takes as sizes or positions.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/item.h>
#include <ATen/ops/select.h>

#include <cstdint>
#include <vector>

namespace at::native {

inline std::vector<int64_t> read_integers(const Tensor& vector) {
  std::vector<int64_t> read;
  for (int64_t i = 0; i < vector.numel(); ++i) read.push_back(vector.select(0, i).item().toLong());
  return read;
}

}  // namespace at::native
