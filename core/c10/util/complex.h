// c10::complex<T>: real and imaginary part side by side, usable on host and device. Its math functions are in
// <c10/util/complex_math.h>.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Half.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace c10::inline C10_ABI {

template <class T>
struct alignas(sizeof(T) * 2) complex {
  using value_type = T;

  T real_ = T(0);
  T imag_ = T(0);

  constexpr complex() = default;
  C10_HOST_DEVICE constexpr complex(const T& re, const T& im = T()) : real_(re), imag_(im) {}
  template <class U>
    requires(!std::is_same_v<T, U> && sizeof(U) > sizeof(T))
  C10_HOST_DEVICE constexpr explicit complex(const complex<U>& other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  template <class U>
    requires(!std::is_same_v<T, U> && sizeof(U) <= sizeof(T))
  C10_HOST_DEVICE constexpr complex(const complex<U>& other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  // std::complex and similar types, without their header.
  template <class Other>
    requires(std::is_same_v<typename Other::value_type, T> && std::is_same_v<Other, std::decay_t<Other>> &&
             !std::is_same_v<Other, complex> && sizeof(Other) == 2 * sizeof(T) &&
             requires(const Other& o) {
               o.real();
               o.imag();
             })
  constexpr explicit complex(const Other& other) : real_(other.real()), imag_(other.imag()) {}
  template <class Other>
    requires(std::is_same_v<typename Other::value_type, T> && std::is_constructible_v<Other, T, T> &&
             !std::is_same_v<Other, complex>)
  constexpr explicit operator Other() const {
    return Other(real_, imag_);
  }

  C10_HOST_DEVICE constexpr T real() const { return real_; }
  C10_HOST_DEVICE constexpr void real(T value) { real_ = value; }
  C10_HOST_DEVICE constexpr T imag() const { return imag_; }
  C10_HOST_DEVICE constexpr void imag(T value) { imag_ = value; }
  C10_HOST_DEVICE constexpr explicit operator bool() const { return real_ != T(0) || imag_ != T(0); }

  C10_HOST_DEVICE constexpr complex& operator=(T re) {
    real_ = re;
    imag_ = T(0);
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator+=(T re) {
    real_ += re;
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator-=(T re) {
    real_ -= re;
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator*=(T re) {
    real_ *= re;
    imag_ *= re;
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator/=(T re) {
    real_ /= re;
    imag_ /= re;
    return *this;
  }
  template <class U>
  C10_HOST_DEVICE constexpr complex& operator=(const complex<U>& rhs) {
    real_ = static_cast<T>(rhs.real());
    imag_ = static_cast<T>(rhs.imag());
    return *this;
  }
  template <class U>
  C10_HOST_DEVICE constexpr complex& operator+=(const complex<U>& rhs) {
    real_ += rhs.real();
    imag_ += rhs.imag();
    return *this;
  }
  template <class U>
  C10_HOST_DEVICE constexpr complex& operator-=(const complex<U>& rhs) {
    real_ -= rhs.real();
    imag_ -= rhs.imag();
    return *this;
  }
  template <class U>
  C10_HOST_DEVICE constexpr complex& operator*=(const complex<U>& rhs) {
    const T a = real_, b = imag_, c = rhs.real(), d = rhs.imag();
    real_ = a * c - b * d;
    imag_ = a * d + b * c;
    return *this;
  }
  // Scaled by the larger part of the divisor, so that its square doesn't overflow.
  template <class U>
  C10_HOST_DEVICE constexpr complex& operator/=(const complex<U>& rhs) {
    const T a = real_, b = imag_, c = rhs.real(), d = rhs.imag();
    const T abs_c = c < T(0) ? -c : c, abs_d = d < T(0) ? -d : d;
    if (abs_c >= abs_d) {
      if (abs_c == T(0) && abs_d == T(0)) {
        real_ = a / abs_c;
        imag_ = b / abs_d;
        return *this;
      }
      const T ratio = d / c, scale = T(1) / (c + d * ratio);
      real_ = (a + b * ratio) * scale;
      imag_ = (b - a * ratio) * scale;
    } else {
      const T ratio = c / d, scale = T(1) / (c * ratio + d);
      real_ = (a * ratio + b) * scale;
      imag_ = (b * ratio - a) * scale;
    }
    return *this;
  }
};

// Storage of half-precision complex numbers; there is no arithmetic on them.
template <>
struct alignas(4) complex<Half> {
  using value_type = Half;
  Half real_;
  Half imag_;
  complex() = default;
  C10_HOST_DEVICE complex(const Half& re, const Half& im) : real_(re), imag_(im) {}
  C10_HOST_DEVICE complex(const complex<float>& value) : real_(value.real()), imag_(value.imag()) {}
  C10_HOST_DEVICE operator complex<float>() const { return {real_, imag_}; }
  C10_HOST_DEVICE constexpr Half real() const { return real_; }
  C10_HOST_DEVICE constexpr Half imag() const { return imag_; }
};

#define C10_COMPLEX_BINARY_(op, assign)                                                                     \
  template <class T>                                                                                        \
  C10_HOST_DEVICE constexpr complex<T> operator op(const complex<T>& a, const complex<T>& b) {              \
    complex<T> result = a;                                                                                  \
    return result assign b;                                                                                 \
  }                                                                                                         \
  template <class T>                                                                                        \
  C10_HOST_DEVICE constexpr complex<T> operator op(const complex<T>& a, const std::type_identity_t<T>& b) { \
    complex<T> result = a;                                                                                  \
    return result assign b;                                                                                 \
  }                                                                                                         \
  template <class T>                                                                                        \
  C10_HOST_DEVICE constexpr complex<T> operator op(const std::type_identity_t<T>& a, const complex<T>& b) { \
    complex<T> result(a);                                                                                   \
    return result assign b;                                                                                 \
  }
C10_COMPLEX_BINARY_(+, +=)
C10_COMPLEX_BINARY_(-, -=)
C10_COMPLEX_BINARY_(*, *=)
C10_COMPLEX_BINARY_(/, /=)
#undef C10_COMPLEX_BINARY_

template <class T>
C10_HOST_DEVICE constexpr complex<T> operator+(const complex<T>& value) {
  return value;
}
template <class T>
C10_HOST_DEVICE constexpr complex<T> operator-(const complex<T>& value) {
  return complex<T>(-value.real(), -value.imag());
}
template <class T>
C10_HOST_DEVICE constexpr bool operator==(const complex<T>& a, const complex<T>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class T>
C10_HOST_DEVICE constexpr bool operator==(const complex<T>& a, const std::type_identity_t<T>& b) {
  return a.real() == b && a.imag() == T(0);
}

template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<complex<T>> : std::true_type {};
template <class T>
struct scalar_value_type {
  using type = T;
};
template <class T>
struct scalar_value_type<complex<T>> {
  using type = T;
};

void append_to(std::string& out, double value);

template <class T>
void append_to(std::string& out, const complex<T>& value) {
  out += '(';
  append_to(out, static_cast<double>(value.real()));
  out += value.imag() < T(0) ? "" : "+";
  append_to(out, static_cast<double>(value.imag()));
  out += "j)";
}

}  // namespace c10::inline C10_ABI
