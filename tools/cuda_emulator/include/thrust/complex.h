// thrust's complex functions by those of the standard library.
#pragma once

#include <complex>

namespace thrust {

template <class T>
using complex = std::complex<T>;

using std::abs, std::arg, std::pow, std::sqrt, std::exp, std::log, std::log10;
using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan;
using std::sinh, std::cosh, std::tanh, std::asinh, std::acosh, std::atanh;

}  // namespace thrust
