// Parameters and statistics of channels as doubles, for kernels on the host.
#pragma once

#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/to.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace at::native {

using ChannelValues = std::vector<double>;

// The n elements of a tensor; `otherwise` where it is undefined.
inline ChannelValues channel_values(const Tensor& t, int64_t n, double otherwise) {
  if (!t.defined()) return ChannelValues(n, otherwise);
  const Tensor wide = t.to(kDouble).contiguous();
  const double* data = wide.const_data_ptr<double>();
  return ChannelValues(data, data + n);
}

inline Tensor tensor_of(const ChannelValues& values, IntArrayRef sizes, ScalarType dtype) {
  const Tensor t = at::empty(sizes, TensorOptions().dtype(kDouble));
  std::copy(values.begin(), values.end(), t.mutable_data_ptr<double>());
  return t.to(dtype);
}

}  // namespace at::native
