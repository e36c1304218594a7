// round with decimals, and nextafter.
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/neighbor.h>
#include <ATen/native/elementwise/functors/rounding.h>
#include <ATen/native/elementwise/stubs.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto round_decimals =
    [](O x, O power, bool to_tens) { return ufunc::round_decimals<O>(x, power, to_tens); };

void round_decimals_kernel(TensorIteratorBase& iter, int64_t decimals) {
  AT_DISPATCH_FLOATING("round_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const auto power = static_cast<O>(std::pow(10.0, std::abs(static_cast<double>(decimals))));
    cpu_kernel_computed<scalar_t>(iter, round_decimals<O>, power, decimals < 0);
  });
}

void nextafter_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("nextafter_cpu", [&] {
    cpu_kernel(iter, [](scalar_t x, scalar_t to) { return ufunc::nextafter<scalar_t>(x, to); });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(round_decimals_stub, &round_decimals_kernel)
REGISTER_DISPATCH(nextafter_stub, &nextafter_kernel)

}  // namespace at::native
