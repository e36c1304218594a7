// The gradients of elu and mish, and hardswish with its gradient.
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/logistic.h>
#include <ATen/native/activation/functors/relu.h>
#include <ATen/native/activation/functors/threshold.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto elu_backward =
    [](O grad, O x, O alpha, O scale, O input_scale, bool is_result) C10_ALWAYS_INLINE_ATTRIBUTE {
      return ufunc::elu_backward<O>(grad, x, alpha, scale, input_scale, is_result);
    };
template <class O>
constexpr auto hardswish = [](O x) { return ufunc::hardswish<O>(x); };
template <class O>
constexpr auto hardswish_backward = [](O grad, O x) { return ufunc::hardswish_backward<O>(grad, x); };
template <class O>
constexpr auto mish_backward = [](O grad, O x)
                                   C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::mish_backward<O>(grad, x); };

void elu_backward_kernel(TensorIteratorBase& iter, const EluScales& by) {
  AT_DISPATCH_FLOATING("elu_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    cpu_kernel_computed<scalar_t>(iter, elu_backward<O>, by.alpha.to<O>(), by.scale.to<O>(),
                                  by.input_scale.to<O>(), by.is_result);
  });
}

void hardswish_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("hardswish_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, hardswish<opmath_type<scalar_t>>); });
}

void hardswish_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("hardswish_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, hardswish_backward<opmath_type<scalar_t>>);
  });
}

void mish_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("mish_backward_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, mish_backward<opmath_type<scalar_t>>); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(elu_backward_stub, &elu_backward_kernel)
REGISTER_DISPATCH(hardswish_stub, &hardswish_kernel)
REGISTER_DISPATCH(hardswish_backward_stub, &hardswish_backward_kernel)
REGISTER_DISPATCH(mish_backward_stub, &mish_backward_kernel)

}  // namespace at::native
