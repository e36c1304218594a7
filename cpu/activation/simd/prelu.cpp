// prelu, and the gradients of its argument and its weight.
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/relu.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto prelu = [](O x, O weight) { return ufunc::prelu<O>(x, weight); };
template <class O>
constexpr auto prelu_backward =
    [](O x, O weight, O grad) { return ufunc::prelu_backward<O>(grad, x, weight); };
template <class O>
constexpr auto prelu_weight_backward = [](O x, O grad) { return ufunc::prelu_weight_backward<O>(grad, x); };

void prelu_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, prelu<opmath_type<scalar_t>>); });
}

void prelu_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_backward_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, prelu_backward<opmath_type<scalar_t>>); });
}

void prelu_weight_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, prelu_weight_backward<opmath_type<scalar_t>>);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(prelu_stub, &prelu_kernel)
REGISTER_DISPATCH(prelu_backward_stub, &prelu_backward_kernel)
REGISTER_DISPATCH(prelu_weight_backward_stub, &prelu_weight_backward_kernel)

}  // namespace at::native
