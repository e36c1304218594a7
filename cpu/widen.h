// Rows of 16-bit floats as rows of float. For files of cpu/*/simd.
#pragma once

#include <ATen/native/cpu/vectors.h>
#include <ATen/native/math/types.h>

#include <cstdint>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class From, class To>
C10_ALWAYS_INLINE void convert(const From* from, To* to, int64_t n) {
  using Acc = std::conditional_t<sizeof(From) < sizeof(To), To, From>;
  map_row<Acc>(to, n, [](auto v) { return v; }, from);
}

// Elements of type T as Acc, in `buffer` where these differ.
template <class T, class Acc = ufunc::opmath<T>>
C10_ALWAYS_INLINE const Acc* widened(const T* x, int64_t n, Acc* buffer) {
  if constexpr (std::is_same_v<T, Acc>) {
    return x;
  } else {
    convert(x, buffer, n);
    return buffer;
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
