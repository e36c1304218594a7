// The CUDA loop of an elementwise operator with a functor from ops/elementwise/functors.
#pragma once

#include <ATen/native/math/types.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/ListLoops.cuh>

#include <type_traits>
#include <utility>

namespace at::native {

template <class T>
struct ufunc_type {
  using type = T;
};

// The type of scalar arguments of a functor on T: T's compute type.
template <class T>
using ufunc_scalar_t = ufunc::opmath<T>;

namespace ufunc_detail {

template <class T, size_t>
using repeat = T;

template <bool has_list, class T, class F, size_t... I>
void run(TensorIteratorBase& iter, const F& f, std::index_sequence<I...>) {
  using Result = std::decay_t<decltype(f(repeat<T, I>()...))>;
  if constexpr (has_list) {
    gpu_list_elementwise<Result, repeat<T, I>...>(iter, f);
  } else {
    gpu_elementwise<Result, repeat<T, I>...>(iter, f);
  }
}

}  // namespace ufunc_detail

/// `make(ufunc_type<T>{})` returns the functor of `arity` values of T. False where the dtype is not among
/// `Types`. `has_list`: there is a `_foreach_` operator, too.
template <size_t arity, bool has_list, class... Types, class Make>
bool ufunc_loop(TensorIteratorBase& iter, const Make& make) {
  const c10::ScalarType dtype = ufunc::computed_dtype(iter.common_dtype(), /*ignores_sign=*/false);
  return (... || (dtype == c10::CppTypeToScalarType<Types>::value &&
                  (ufunc_detail::run<has_list, Types>(iter, make(ufunc_type<Types>{}),
                                                      std::make_index_sequence<arity>{}),
                   true)));
}

[[noreturn]] C10_COLD inline void ufunc_no_dtype(TensorIteratorBase& iter) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "not implemented for dtype ", c10::toString(iter.common_dtype()),
                              " on CUDA");
}

}  // namespace at::native
