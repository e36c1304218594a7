// glu, the gradient of its second half, and glu_jvp.
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/logistic.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto glu = [](O first, O second)
                         C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::glu<O>(first, second); };
template <class O>
constexpr auto glu_jvp = [](O result, O second, O first_change, O second_change) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::glu_jvp<O>(result, second, first_change, second_change);
};
template <class O>
constexpr auto glu_gate_backward = [](O grad, O first, O second) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::glu_gate_backward<O>(grad, first, second);
};

void glu_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_cpu", [&] { cpu_kernel_computed<scalar_t>(iter, glu<opmath_type<scalar_t>>); });
}

void glu_gate_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, glu_gate_backward<opmath_type<scalar_t>>);
  });
}

void glu_jvp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_jvp_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, glu_jvp<opmath_type<scalar_t>>); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(glu_stub, &glu_kernel)
REGISTER_DISPATCH(glu_gate_backward_stub, &glu_gate_backward_kernel)
REGISTER_DISPATCH(glu_jvp_stub, &glu_jvp_kernel)

}  // namespace at::native
