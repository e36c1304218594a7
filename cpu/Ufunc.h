// The loop of an elementwise operator whose functor comes from composite/functors: picks the dtype, runs
// cpu_kernel. Included by generated files that are compiled once per CPU capability.
#pragma once
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/functors/types.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <class T>
struct ufunc_type {
  using type = T;
};

// Scalar arguments of a functor on T come in the type that T computes in.
template <class T>
using ufunc_scalar_t = ufunc::opmath<T>;

namespace ufunc_detail {

template <class T, size_t>
using repeat = T;

template <class T, class F, size_t... I>
void run(TensorIteratorBase& iter, const F& f, std::index_sequence<I...>) {
  using Result = decltype(f(repeat<T, I>()...));
  if constexpr (!std::is_same_v<Result, T>) {
    // A predicate or abs of complex, asked to write into a tensor of the inputs' dtype.
    if (iter.dtype(0) != c10::CppTypeToScalarType<Result>::value) {
      cpu_kernel(iter, [f](repeat<T, I>... args) -> T { return static_cast<T>(f(args...)); });
      return;
    }
  }
  cpu_kernel(iter, f);
}

}  // namespace ufunc_detail

// `make(ufunc_type<T>{})` gives the function of `arity` values of T. False where the dtype is not among
// `Types`.
template <size_t arity, class... Types, class Make>
bool ufunc_loop(TensorIteratorBase& iter, const Make& make) {
  const c10::ScalarType dtype = iter.input_dtype(0);
  return (
      ... ||
      (dtype == c10::CppTypeToScalarType<Types>::value &&
       (ufunc_detail::run<Types>(iter, make(ufunc_type<Types>{}), std::make_index_sequence<arity>{}), true)));
}

[[noreturn]] C10_COLD inline void ufunc_no_dtype(TensorIteratorBase& iter) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "not implemented for dtype ", c10::toString(iter.input_dtype(0)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
