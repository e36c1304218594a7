// logit and its gradient.
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/logarithmic.h>
#include <ATen/native/elementwise/stubs.h>

#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto logit = [](O x, O low, O high)
                           C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::logit<O>(x, low, high); };
template <class O>
constexpr auto logit_backward = [](O grad, O x, O low, O high, O outside) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::logit_backward<O>(grad, x, low, high, outside);
};

void logit_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const O low = eps ? static_cast<O>(*eps) : -std::numeric_limits<O>::infinity();
    const O high = eps ? O(1) - low : std::numeric_limits<O>::infinity();
    cpu_kernel_computed<scalar_t>(iter, logit<O>, low, high);
  });
}

void logit_backward_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const O low = static_cast<O>(eps.value_or(0.0));
    const O outside = eps ? O(0) : std::numeric_limits<O>::quiet_NaN();
    cpu_kernel_computed<scalar_t>(iter, logit_backward<O>, low, O(1) - low, outside);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(logit_stub, &logit_kernel)
REGISTER_DISPATCH(logit_backward_stub, &logit_backward_kernel)

}  // namespace at::native
