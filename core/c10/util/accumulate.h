// Sums and products of integer lists.
#pragma once

#include <c10/macros/Macros.h>

#include <cstddef>
#include <cstdint>

namespace c10::inline C10_ABI {

template <class Range>
int64_t sum_integers(const Range& range) {
  int64_t sum = 0;
  for (const auto& value : range) sum += static_cast<int64_t>(value);
  return sum;
}
template <class Range>
int64_t multiply_integers(const Range& range) {
  int64_t product = 1;
  for (const auto& value : range) product *= static_cast<int64_t>(value);
  return product;
}
template <class It>
int64_t multiply_integers(It begin, It end) {
  int64_t product = 1;
  for (; begin != end; ++begin) product *= static_cast<int64_t>(*begin);
  return product;
}
/// Product of dims[k..].
template <class Range>
int64_t numelements_from_dim(int64_t k, const Range& dims) {
  int64_t product = 1;
  for (int64_t i = k; i < static_cast<int64_t>(dims.size()); ++i) product *= dims[static_cast<size_t>(i)];
  return product;
}
template <class Range>
int64_t numelements_to_dim(int64_t k, const Range& dims) {
  int64_t product = 1;
  for (int64_t i = 0; i < k; ++i) product *= dims[static_cast<size_t>(i)];
  return product;
}

}  // namespace c10::inline C10_ABI
