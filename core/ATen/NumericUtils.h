// Predicates (_isnan, _isinf) for every element type, on host and device.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <type_traits>

namespace at::inline C10_ABI {

/// Whether the value, or a part of it, is NaN. Never for integers.
template <class T>
C10_HOST_DEVICE constexpr bool _isnan(T value) {
  if constexpr (c10::is_complex<T>::value) {
    return _isnan(value.real()) || _isnan(value.imag());
  } else if constexpr (std::is_integral_v<T>) {
    return false;
  } else if constexpr (std::is_floating_point_v<T>) {
    return value != value;
  } else {
    const float wide = value;
    return wide != wide;
  }
}

/// Whether the value, or a part of it, is infinite. Never for integers.
template <class T>
C10_HOST_DEVICE constexpr bool _isinf(T value) {
  if constexpr (c10::is_complex<T>::value) {
    return _isinf(value.real()) || _isinf(value.imag());
  } else if constexpr (std::is_integral_v<T>) {
    return false;
  } else if constexpr (std::is_floating_point_v<T>) {
    return value == value && value - value != T(0);
  } else {
    return _isinf(static_cast<float>(value));
  }
}

template <class T>
C10_HOST_DEVICE constexpr bool _isfinite(T value) {
  return !_isnan(value) && !_isinf(value);
}

}  // namespace at::inline C10_ABI
