// frexp.
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/frexp.h>
#include <ATen/native/elementwise/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void mantissa_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("frexp_cpu", [&] {
    using O = opmath_type<scalar_t>;
    cpu_kernel_computed<scalar_t>(iter, [](O x) { return ufunc::frexp_mantissa(x); });
  });
}

void exponent_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.dtype(1), "frexp_cpu", AT_WRAP([&] {
                   using O = opmath_type<scalar_t>;
                   cpu_kernel(iter, [](scalar_t x) { return ufunc::frexp_exponent(static_cast<O>(x)); });
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(frexp_mantissa_stub, &mantissa_kernel)
REGISTER_DISPATCH(frexp_exponent_stub, &exponent_kernel)

}  // namespace at::native
