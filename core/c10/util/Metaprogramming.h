// Traits of callables, and lists of types.
#pragma once

#include <c10/macros/Macros.h>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace c10::inline C10_ABI {
namespace guts {

namespace typelist {
template <class... Items>
struct typelist final {
  static constexpr size_t size = sizeof...(Items);
};
template <class List>
struct size;
template <class... Types>
struct size<typelist<Types...>> : std::integral_constant<size_t, sizeof...(Types)> {};
template <class List>
struct to_tuple;
template <class... Types>
struct to_tuple<typelist<Types...>> {
  using type = std::tuple<Types...>;
};
template <class List>
using to_tuple_t = typename to_tuple<List>::type;
}  // namespace typelist

/// return_type, parameter_types and number_of_parameters of a function type.
template <class Func>
struct function_traits;
template <class Result, class... Args>
struct function_traits<Result(Args...)> {
  using func_type = Result(Args...);
  using return_type = Result;
  using parameter_types = typelist::typelist<Args...>;
  static constexpr size_t number_of_parameters = sizeof...(Args);
};

template <class Member>
struct strip_class;
template <class Class, class Result, class... Args>
struct strip_class<Result (Class::*)(Args...)> {
  using type = Result(Args...);
};
template <class Class, class Result, class... Args>
struct strip_class<Result (Class::*)(Args...) const> {
  using type = Result(Args...);
};

/// The same of functors, lambdas, functions and function pointers.
template <class Functor>
struct infer_function_traits : function_traits<typename strip_class<decltype(&Functor::operator())>::type> {};
template <class Result, class... Args>
struct infer_function_traits<Result (*)(Args...)> : function_traits<Result(Args...)> {};
template <class Result, class... Args>
struct infer_function_traits<Result(Args...)> : function_traits<Result(Args...)> {};
template <class T>
using infer_function_traits_t = infer_function_traits<std::remove_cvref_t<T>>;

}  // namespace guts
}  // namespace c10::inline C10_ABI
