// angle, of real and complex elements.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/arc.h>
#include <ATen/native/elementwise/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto real_angle = [](O x) { return ufunc::real_angle<O>(x); };

void angle_kernel(TensorIteratorBase& iter) {
  if (isComplexType(iter.common_dtype())) {
    AT_DISPATCH_V2(iter.common_dtype(), "angle_cpu", AT_WRAP([&] {
                     cpu_kernel(iter, [](scalar_t x) { return math::atan2(x.imag(), x.real()); });
                   }),
                   AT_EXPAND(AT_COMPLEX_TYPES));
    return;
  }
  AT_DISPATCH_FLOATING("angle_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, real_angle<opmath_type<scalar_t>>); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(angle_stub, &angle_kernel)

}  // namespace at::native
