// The operators that Half and BFloat16 have in common.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>
#include <string>

namespace c10::inline C10_ABI {
void append_to(std::string& out, float value);
}

#define C10_SMALL_FLOAT_BINARY_(T, op, assign)                                                            \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr T operator op(const T& a, const T& b) {                     \
    return T(static_cast<float>(a) op static_cast<float>(b));                                             \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr T& operator assign(T& a, const T& b) { return a = a op b; } \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr float operator op(T a, float b) {                           \
    return static_cast<float>(a) op b;                                                                    \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr float operator op(float a, T b) {                           \
    return a op static_cast<float>(b);                                                                    \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr float& operator assign(float& a, const T& b) {              \
    return a = a op static_cast<float>(b);                                                                \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr double operator op(T a, double b) {                         \
    return static_cast<double>(static_cast<float>(a)) op b;                                               \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr double operator op(double a, T b) {                         \
    return a op static_cast<double>(static_cast<float>(b));                                               \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr T operator op(T a, int b) {                                 \
    return a op static_cast<T>(static_cast<float>(b));                                                    \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr T operator op(int a, T b) {                                 \
    return static_cast<T>(static_cast<float>(a)) op b;                                                    \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr T operator op(T a, int64_t b) {                             \
    return a op static_cast<T>(static_cast<float>(b));                                                    \
  }                                                                                                       \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr T operator op(int64_t a, T b) {                             \
    return static_cast<T>(static_cast<float>(a)) op b;                                                    \
  }

// Comparisons are float's own, through the implicit conversion.
#define C10_DEFINE_SMALL_FLOAT_OPERATORS(T)                             \
  C10_SMALL_FLOAT_BINARY_(T, +, +=)                                     \
  C10_SMALL_FLOAT_BINARY_(T, -, -=)                                     \
  C10_SMALL_FLOAT_BINARY_(T, *, *=)                                     \
  C10_SMALL_FLOAT_BINARY_(T, /, /=)                                     \
  C10_ALWAYS_INLINE C10_HOST_DEVICE constexpr T operator-(const T& a) { \
    return T(static_cast<uint16_t>(a.x ^ 0x8000u), T::from_bits());     \
  }                                                                     \
  inline void append_to(std::string& out, T value) { append_to(out, static_cast<float>(value)); }
