// Running products, extrema and log-sums: along a line, or along neighbouring lines side by side.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/NumericUtils.h>
#include <ATen/Parallel.h>
#include <ATen/native/Scans.h>
#include <c10/util/complex.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 16384;  // elements
constexpr int64_t block = 256;            // lines side by side

// Calls body(first element, number of neighbouring lines that begin there).
template <class Body>
void for_each_block(const Lines& lines, const Body& body) {
  const int64_t blocks = (lines.inner + block - 1) / block;
  const int64_t grain = std::max<int64_t>(1, work_per_task / (lines.n * std::min(lines.inner, block)));
  at::parallel_for(0, lines.outer * blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % blocks * block;
      body(i / blocks * lines.n * lines.inner + first, std::min(block, lines.inner - first));
    }
  });
}

template <class Acc, class T, class Combine>
void scan(const Lines& lines, const T* in, T* out, Acc start, const Combine& combine) {
  for_each_block(lines, [&](int64_t first, int64_t width) {
    if (width == 1) {
      Acc carry = start;
      for (int64_t i = 0, at = first; i < lines.n; ++i, at += lines.inner) {
        carry = combine(carry, static_cast<Acc>(in[at]));
        out[at] = static_cast<T>(carry);
      }
      return;
    }
    Acc carry[block];
    std::fill_n(carry, width, start);
    for (int64_t i = 0, at = first; i < lines.n; ++i, at += lines.inner) {
#pragma GCC ivdep
      for (int64_t c = 0; c < width; ++c) {
        carry[c] = combine(carry[c], static_cast<Acc>(in[at + c]));
        out[at + c] = static_cast<T>(carry[c]);
      }
    }
  });
}

void cumprod_impl(const TensorBase& result, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), "cumprod", [&] {
    using Acc = at::acc_type<scalar_t, false>;
    scan(Lines(self, dim), self.const_data_ptr<scalar_t>(), result.mutable_data_ptr<scalar_t>(), Acc(1),
         [](Acc a, Acc b) { return a * b; });
  });
}

// log(exp(a) + exp(b))
template <class A>
A log_add_exp(A a, A b) {
  if (a != a || b != b) return std::numeric_limits<A>::quiet_NaN();
  const A high = std::max(a, b), low = std::min(a, b);
  if (high == low && std::isinf(high)) return high;
  return high + std::log1p(std::exp(low - high));
}

template <class A>
c10::complex<A> log_add_exp(c10::complex<A> a, c10::complex<A> b) {
  if (b.real() > a.real()) std::swap(a, b);
  if (std::isinf(b.real()) && b.real() < 0) return a;
  const std::complex<A> high(a.real(), a.imag()), low(b.real(), b.imag());
  const std::complex<A> sum = high + std::log(std::complex<A>(1) + std::exp(low - high));
  return {sum.real(), sum.imag()};
}

void logcumsumexp_impl(const TensorBase& result, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "logcumsumexp", [&] {
    using Acc = at::acc_type<scalar_t, false>;
    using Real = typename c10::scalar_value_type<Acc>::type;
    scan(Lines(self, dim), self.const_data_ptr<scalar_t>(), result.mutable_data_ptr<scalar_t>(),
         Acc(-std::numeric_limits<Real>::infinity()), [](Acc a, Acc b) { return log_add_exp(a, b); });
  });
}

// A NaN is kept until the next one, a number until one that is not behind it.
template <bool largest, class T>
C10_ALWAYS_INLINE void take(T value, int64_t place, T& best, int64_t& at) {
  const bool ahead = largest ? value >= best : value <= best;
  if (at::_isnan(value) || (!at::_isnan(best) && ahead)) {
    best = value;
    at = place;
  }
}

template <bool largest, class T>
void scan_extrema(const Lines& lines, const T* in, T* values, int64_t* indices) {
  for_each_block(lines, [&](int64_t first, int64_t width) {
    for (int64_t c = first; c < first + width; ++c) {
      T best = in[c];
      int64_t at = 0;
      for (int64_t i = 0, place = c; i < lines.n; ++i, place += lines.inner) {
        take<largest>(in[place], i, best, at);
        values[place] = best;
        indices[place] = at;
      }
    }
  });
}

void cumulative_extremum_impl(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                              int64_t dim, bool largest) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), largest ? "cummax" : "cummin", [&] {
    const Lines lines(self, dim);
    const auto* in = self.const_data_ptr<scalar_t>();
    auto* out = values.mutable_data_ptr<scalar_t>();
    auto* places = indices.mutable_data_ptr<int64_t>();
    largest ? scan_extrema<true>(lines, in, out, places) : scan_extrema<false>(lines, in, out, places);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(cumprod_stub, &cumprod_impl)
REGISTER_DISPATCH(logcumsumexp_stub, &logcumsumexp_impl)
REGISTER_DISPATCH(cumulative_extremum_stub, &cumulative_extremum_impl)

}  // namespace at::native
