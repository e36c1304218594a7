// log_sigmoid, its buffer and its gradient.
#include <ATen/OpMathType.h>
#include <ATen/native/activation/functors/softplus.h>
#include <ATen/native/activation/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto log_sigmoid_of = [](O x, O buffer)
                                    C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::log_sigmoid<O>(x, buffer); };
template <class O>
constexpr auto log_sigmoid_buffer_of =
    [](O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::log_sigmoid_buffer<O>(x); };
template <class O>
constexpr auto log_sigmoid_backward_of = [](O grad, O x, O buffer) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::log_sigmoid_backward<O>(grad, x, buffer);
};

void log_sigmoid_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, log_sigmoid_of<opmath_type<scalar_t>>); });
}

void log_sigmoid_buffer_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, log_sigmoid_buffer_of<opmath_type<scalar_t>>);
  });
}

void log_sigmoid_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("log_sigmoid_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, log_sigmoid_backward_of<opmath_type<scalar_t>>);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(log_sigmoid_stub, &log_sigmoid_kernel)
REGISTER_DISPATCH(log_sigmoid_buffer_stub, &log_sigmoid_buffer_kernel)
REGISTER_DISPATCH(log_sigmoid_backward_stub, &log_sigmoid_backward_kernel)

}  // namespace at::native
