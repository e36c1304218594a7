// logcumsumexp.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cpu/scan/scan_lines.h>
#include <ATen/native/scan/stubs.h>
#include <c10/util/complex.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

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
    scan_lines(Lines(self, dim), self.const_data_ptr<scalar_t>(), result.mutable_data_ptr<scalar_t>(),
               Acc(-std::numeric_limits<Real>::infinity()), [](Acc a, Acc b) { return log_add_exp(a, b); });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(logcumsumexp_stub, &logcumsumexp_impl)

}  // namespace at::native
