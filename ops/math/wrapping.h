// Sums and products of accumulators, scalars or vectors: integers wrap around.
#pragma once

#include <c10/macros/Macros.h>

#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

// The type in which V, a scalar or a vector, is added and multiplied: integers wrap around as unsigned ones.
template <class V>
struct Wrapping {
  using type = V;
};
template <class V>
  requires std::is_integral_v<V>
struct Wrapping<V> {
  using type = std::make_unsigned_t<V>;
};
#ifndef __CUDACC__
template <class V>
  requires(!std::is_arithmetic_v<V> && requires(V v) { v[0]; })
struct Wrapping<V> {
  using Lane = std::remove_cvref_t<decltype(std::declval<V&>()[0])>;
  using type [[gnu::vector_size(sizeof(V))]] = typename Wrapping<Lane>::type;
};
#endif

template <class V>
C10_HOST_DEVICE C10_ALWAYS_INLINE V wrapping_sum(V a, V b) {
  using W = typename Wrapping<V>::type;
  return (V)((W)a + (W)b);
}
template <class V>
C10_HOST_DEVICE C10_ALWAYS_INLINE V wrapping_product(V a, V b) {
  using W = typename Wrapping<V>::type;
  return (V)((W)a * (W)b);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
