// The type that elementwise math of a dtype is done in: float for the two half precisions and the parts of
// complex ones, otherwise the dtype itself.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

namespace at::inline C10_ABI {

template <typename T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<c10::Half> {
  using type = float;
};
template <>
struct OpMathType<c10::BFloat16> {
  using type = float;
};
template <>
struct OpMathType<c10::complex<c10::Half>> {
  using type = c10::complex<float>;
};
template <typename T>
using opmath_type = typename OpMathType<T>::type;

constexpr c10::ScalarType toOpMathType(c10::ScalarType dtype) {
  if (dtype == c10::ScalarType::ComplexHalf) return c10::ScalarType::ComplexFloat;
  return dtype == c10::ScalarType::Half || dtype == c10::ScalarType::BFloat16 ? c10::ScalarType::Float
                                                                              : dtype;
}

}  // namespace at::inline C10_ABI
