// div with rounding_mode trunc or floor.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/functors/division.h>
#include <ATen/native/elementwise/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto div_trunc_of = [](O a, O b) { return ufunc::div_trunc<O>(a, b); };
template <class O>
constexpr auto div_floor_of = [](O a, O b) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::div_floor<O>(a, b); };

void div_trunc_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "div_trunc_cpu",
                 AT_WRAP([&] { cpu_kernel_computed<scalar_t>(iter, div_trunc_of<opmath_type<scalar_t>>); }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

void div_floor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "div_floor_cpu",
                 AT_WRAP([&] { cpu_kernel_computed<scalar_t>(iter, div_floor_of<opmath_type<scalar_t>>); }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(div_trunc_stub, &div_trunc_kernel)
REGISTER_DISPATCH(div_floor_stub, &div_floor_kernel)

}  // namespace at::native
