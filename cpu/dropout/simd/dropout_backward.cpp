// The gradient of dropout.
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/dropout/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void dropout_backward_kernel(TensorIteratorBase& iter, const Scalar& scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(0), "native_dropout_backward", [&] {
    using number_t = opmath_type<scalar_t>;
    const auto factor = scale.to<number_t>();
    // A product rather than a selection: NaN stays NaN where the mask is false.
    cpu_kernel(iter, [factor](scalar_t grad, bool kept) {
      return static_cast<scalar_t>(static_cast<number_t>(grad) * (static_cast<number_t>(kept) * factor));
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(dropout_backward_stub, &dropout_backward_kernel)

}  // namespace at::native
