// Arithmetic, comparison and bitwise operators of tensors: a + b, 2 * a, a += 1, a < b.
// They are templates on at::Tensor, so that a library without one of the operators behind them lacks only
// that one.
#pragma once

#include <c10/core/Scalar.h>
#include <c10/macros/Macros.h>

#include <type_traits>

namespace at::inline C10_ABI {

class Tensor;

namespace detail {
template <class T>
concept IsTensor = std::is_same_v<T, Tensor>;
}  // namespace detail

// `turned` computes `scalar OP tensor` of the tensor y and the scalar x.
#define ATEN_BINARY_OPERATOR(op, name, turned)        \
  template <detail::IsTensor T>                       \
  inline T operator op(const T& x, const T& y) {      \
    return x.name(y);                                 \
  }                                                   \
  template <detail::IsTensor T>                       \
  inline T operator op(const T& x, const Scalar& y) { \
    return x.name(y);                                 \
  }                                                   \
  template <detail::IsTensor T>                       \
  inline T operator op(const Scalar& x, const T& y) { \
    return turned;                                    \
  }

ATEN_BINARY_OPERATOR(+, add, y.add(x))
ATEN_BINARY_OPERATOR(-, sub, y.neg().add(x))
ATEN_BINARY_OPERATOR(*, mul, y.mul(x))
ATEN_BINARY_OPERATOR(/, div, y.reciprocal().mul(x))
ATEN_BINARY_OPERATOR(==, eq, y.eq(x))
ATEN_BINARY_OPERATOR(!=, ne, y.ne(x))
ATEN_BINARY_OPERATOR(<, lt, y.gt(x))
ATEN_BINARY_OPERATOR(<=, le, y.ge(x))
ATEN_BINARY_OPERATOR(>, gt, y.lt(x))
ATEN_BINARY_OPERATOR(>=, ge, y.le(x))
ATEN_BINARY_OPERATOR(&, bitwise_and, y.bitwise_and(x))
ATEN_BINARY_OPERATOR(|, bitwise_or, y.bitwise_or(x))
ATEN_BINARY_OPERATOR(^, bitwise_xor, y.bitwise_xor(x))
#undef ATEN_BINARY_OPERATOR

#define ATEN_COMPOUND_OPERATOR(op, name)         \
  template <detail::IsTensor T>                  \
  inline T& operator op(T& x, const T& y) {      \
    return x.name(y);                            \
  }                                              \
  template <detail::IsTensor T>                  \
  inline T& operator op(T& x, const Scalar& y) { \
    return x.name(y);                            \
  }                                              \
  template <detail::IsTensor T>                  \
  inline T operator op(T&& x, const T& y) {      \
    return x.name(y);                            \
  }                                              \
  template <detail::IsTensor T>                  \
  inline T operator op(T&& x, const Scalar& y) { \
    return x.name(y);                            \
  }

ATEN_COMPOUND_OPERATOR(+=, add_)
ATEN_COMPOUND_OPERATOR(-=, sub_)
ATEN_COMPOUND_OPERATOR(*=, mul_)
ATEN_COMPOUND_OPERATOR(/=, div_)
ATEN_COMPOUND_OPERATOR(&=, bitwise_and_)
ATEN_COMPOUND_OPERATOR(|=, bitwise_or_)
ATEN_COMPOUND_OPERATOR(^=, bitwise_xor_)
#undef ATEN_COMPOUND_OPERATOR

template <detail::IsTensor T>
inline T operator-(const T& x) {
  return x.neg();
}
template <detail::IsTensor T>
inline T operator~(const T& x) {
  return x.bitwise_not();
}

}  // namespace at::inline C10_ABI
