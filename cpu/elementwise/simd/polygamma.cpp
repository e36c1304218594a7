// polygamma of order 1 and higher.
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/gamma.h>
#include <ATen/native/elementwise/stubs.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto trigamma = [](O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::trigamma<O>(x); };

void polygamma_kernel(TensorIteratorBase& iter, int64_t n) {
  const double factorial = std::lgamma(static_cast<double>(n) + 1.0);
  AT_DISPATCH_FLOATING("polygamma", [&] {
    if (n == 1) {
      cpu_kernel_computed<scalar_t>(iter, trigamma<opmath_type<scalar_t>>);
    } else {
      cpu_kernel(iter, [n, factorial](scalar_t x) { return ufunc::polygamma<scalar_t>(x, n, factorial); });
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(polygamma_stub, &polygamma_kernel)

}  // namespace at::native
