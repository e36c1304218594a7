// What no number is above or below: the identities of minimum and maximum. ATen's names.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <limits>

namespace at::native {

template <typename scalar_t>
constexpr C10_HOST_DEVICE scalar_t upper_bound() {
  using limits = std::numeric_limits<scalar_t>;
  return limits::has_infinity ? limits::infinity() : limits::max();
}
template <typename scalar_t>
constexpr C10_HOST_DEVICE scalar_t lower_bound() {
  using limits = std::numeric_limits<scalar_t>;
  return limits::has_infinity ? -limits::infinity() : limits::lowest();
}

}  // namespace at::native
