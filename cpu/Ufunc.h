// The CPU loop of an elementwise operator with a functor from ops/elementwise/functors: selects the dtype,
// runs the loop. Included by generated files that are compiled once per CPU capability.
#pragma once
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/math/types.h>
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

// The type of scalar arguments of a functor on T: T's compute type.
template <class T>
using ufunc_scalar_t = ufunc::opmath<T>;

namespace ufunc_detail {

template <class T, size_t>
using repeat = T;

// With the variants that its loop has, if any.
template <size_t arity, class O, class Make, class HasForm>
auto function_of(const Make& make, HasForm) {
  auto f = make(ufunc_type<O>{});
  if constexpr (!HasForm::value || !std::is_floating_point_v<O>) {
    return f;
  } else if constexpr (arity == 1) {
    auto on_register = make(ufunc_type<typename Register<O>::type>{});
    return WithRegisters<decltype(f), decltype(on_register)>{f, on_register};
  } else {
    return WithScalars<decltype(f)>{f};
  }
}

// The 16-bit floats share the loop of float, except for functors on their bits. Results of another dtype
// (those of a predicate written into a numeric tensor, say) are converted, too.
template <class T, class Make, class HasForm, size_t... I>
void run(TensorIteratorBase& iter, const Make& make, HasForm has_form, std::index_sequence<I...>) {
  using O = ufunc::opmath<T>;
  const c10::ScalarType stored = iter.input_dtype(0), result = iter.dtype(0);
  const bool as_stored = stored == c10::CppTypeToScalarType<O>::value;
  if constexpr (!std::is_same_v<T, O>) {
    using Own = std::remove_const_t<decltype(make(ufunc_type<T>{}))>;
    if constexpr (ufunc::is_of_bits<typename inner_loop::Signature<Own>::Result>) {
      if (result == c10::CppTypeToScalarType<T>::value) {
        cpu_kernel(iter, make(ufunc_type<T>{}));
        return;
      }
    }
  }
  const auto f = function_of<sizeof...(I), O>(make, has_form);
  using Inner = inner_loop::InnerLoop<std::remove_const_t<decltype(f)>>;
  using Result = typename Inner::R;
  const bool as_computed = result == c10::CppTypeToScalarType<Result>::value;
  if constexpr (std::is_same_v<T, O>) {
    if (as_computed && as_stored) {
      cpu_kernel(iter, f);
      return;
    }
  }
  const loops::Operand input = as_stored ? loops::operand<O> : loops::converted_input<O>(stored);
  const loops::Operand output =
      as_computed ? loops::operand<Result> : loops::converted_output<Result>(result);
  const loops::Operand operands[] = {output, ((void)I, input)...};
  loops::run(iter, Inner::of(f, operands), cpu_kernel_grain_size);
}

}  // namespace ufunc_detail

// `make(ufunc_type<T>{})` returns the function of `arity` values of T. False where the dtype is not among
// `Types`. `has_form`: std::true_type if a function of one value may have a form on registers, and one of two
// values a loop with a scalar.
template <size_t arity, class... Types, class Make, class HasForm = std::false_type>
bool ufunc_loop(TensorIteratorBase& iter, const Make& make, bool ignores_sign, HasForm has_form = {}) {
  const c10::ScalarType dtype = ufunc::computed_dtype(iter.input_dtype(0), ignores_sign);
  return (... || (dtype == c10::CppTypeToScalarType<Types>::value &&
                  (ufunc_detail::run<Types>(iter, make, has_form, std::make_index_sequence<arity>{}), true)));
}

[[noreturn]] C10_COLD inline void ufunc_no_dtype(TensorIteratorBase& iter) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "not implemented for dtype ", c10::toString(iter.input_dtype(0)));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
