// Functions of device code that the C library doesn't have.
#pragma once

#include <cuda_runtime.h>

#pragma GCC visibility push(default)
namespace emulator {

double erfinv(double x);
double erfcx(double x);

}  // namespace emulator
#pragma GCC visibility pop

inline double erfinv(double x) { return ::emulator::erfinv(x); }
inline float erfinv(float x) { return static_cast<float>(::emulator::erfinv(x)); }
inline double erfcx(double x) { return ::emulator::erfcx(x); }
inline float erfcx(float x) { return static_cast<float>(::emulator::erfcx(x)); }
inline double normcdf(double x) { return 0.5 * ::erfc(-x * M_SQRT1_2); }
inline float normcdf(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
inline float rsqrt(float x) { return 1.0f / ::sqrtf(x); }

inline void sincospi(double x, double* sine, double* cosine) {
  *sine = ::sin(M_PI * x);
  *cosine = ::cos(M_PI * x);
}
inline void sincospi(float x, float* sine, float* cosine) {
  *sine = static_cast<float>(::sin(M_PI * static_cast<double>(x)));
  *cosine = static_cast<float>(::cos(M_PI * static_cast<double>(x)));
}

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>((uint64_t{a} * b) >> 32); }

template <class A, class B>
  requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
constexpr auto min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
  requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
constexpr auto max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
