// Conjugation.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/complex/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/functors/sign.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class O>
constexpr auto conj_of = [](O x) { return ufunc::conj<O>(x); };

void conj_physical_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "conj_physical_cpu",
                 AT_WRAP([&] { cpu_kernel_computed<scalar_t>(iter, conj_of<opmath_type<scalar_t>>); }),
                 AT_EXPAND(AT_COMPLEX_TYPES), kComplexHalf);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(conj_physical_stub, &conj_physical_kernel)

}  // namespace at::native
