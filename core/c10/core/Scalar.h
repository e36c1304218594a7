// c10::Scalar: a float, integer, bool or complex argument of an operator, `at::add(a, b, /*alpha=*/2)`.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/core/SymInt.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/TypeCast.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace c10::inline C10_ABI {

class C10_API Scalar {
 public:
  Scalar() : tag_(Tag::Int) { v_.i = 0; }
  template <class T>
    requires(is_real_number<T>)
  /*implicit*/ Scalar(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      tag_ = Tag::Bool;
      v_.i = value;
    } else if constexpr (std::is_integral_v<T>) {
      tag_ = overflows<int64_t>(value) ? Tag::Unsigned : Tag::Int;
      v_.i = static_cast<int64_t>(value);
    } else {
      tag_ = Tag::Double;
      v_.d = static_cast<double>(value);
    }
  }
  template <class T>
  /*implicit*/ Scalar(complex<T> value) : tag_(Tag::Complex) {
    v_.z = {static_cast<double>(value.real()), static_cast<double>(value.imag())};
  }
  /*implicit*/ Scalar(SymInt value) : Scalar(value.as_int_unchecked()) {}

  bool isFloatingPoint() const { return tag_ == Tag::Double; }
  bool isComplex() const { return tag_ == Tag::Complex; }
  bool isBoolean() const { return tag_ == Tag::Bool; }
  bool isIntegral(bool includeBool) const {
    return tag_ == Tag::Int || tag_ == Tag::Unsigned || (includeBool && tag_ == Tag::Bool);
  }
  bool isSymbolic() const { return false; }

  /// Double, Long, Bool or ComplexDouble; UInt64 where no other integer type holds the value.
  ScalarType type() const {
    switch (tag_) {
      case Tag::Double:
        return ScalarType::Double;
      case Tag::Int:
        return ScalarType::Long;
      case Tag::Unsigned:
        return ScalarType::UInt64;
      case Tag::Bool:
        return ScalarType::Bool;
      default:
        return ScalarType::ComplexDouble;
    }
  }

  /// The value as T, which is the C++ type of a dtype; an error if it doesn't fit.
  template <class T>
  T to() const;

#define C10_SCALAR_ACCESSOR_(type, name) \
  type to##name() const { return to<type>(); }
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(C10_SCALAR_ACCESSOR_)
#undef C10_SCALAR_ACCESSOR_
  SymInt toSymInt() const { return SymInt(to<int64_t>()); }

  Scalar operator-() const;
  Scalar conj() const;
  Scalar log() const;

  /// Whether the value equals `number` exactly.
  template <class T>
    requires(!is_complex<T>::value)
  bool equal(T number) const {
    switch (tag_) {
      case Tag::Double:
        return v_.d == static_cast<double>(number);
      case Tag::Complex:
        return v_.z.re == static_cast<double>(number) && v_.z.im == 0.0;
      case Tag::Int:
        if constexpr (std::is_same_v<T, bool>) {
          return false;
        } else if constexpr (std::is_integral_v<T>) {
          return !overflows<int64_t>(number) && v_.i == static_cast<int64_t>(number);
        } else {
          return static_cast<double>(v_.i) == static_cast<double>(number);
        }
      case Tag::Unsigned:
        if constexpr (std::is_integral_v<T>) {
          return overflows<int64_t>(number) && v_.i == static_cast<int64_t>(number);
        } else {
          return static_cast<double>(static_cast<uint64_t>(v_.i)) == static_cast<double>(number);
        }
      default:
        return std::is_same_v<T, bool> && static_cast<bool>(v_.i) == static_cast<bool>(number);
    }
  }
  template <class T>
  bool equal(complex<T> number) const {
    if (tag_ == Tag::Complex) {
      return v_.z.re == static_cast<double>(number.real()) && v_.z.im == static_cast<double>(number.imag());
    }
    return number.imag() == T(0) && equal(number.real());
  }

  static Scalar fromBool(bool value) { return Scalar(value); }

 private:
  enum class Tag : uint8_t { Double, Int, Unsigned, Bool, Complex };  // unsigned, beyond int64_t
  struct Parts {
    double re, im;
  };

  union {
    double d;
    int64_t i;
    Parts z;
  } v_;
  Tag tag_;
};

C10_API void append_to(std::string& out, const Scalar& value);

/// The value as text: "1.5", "2", "True", "(1+2j)".
C10_API std::string toString(const Scalar& value);

}  // namespace c10::inline C10_ABI
