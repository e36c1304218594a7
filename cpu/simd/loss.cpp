// Elementwise parts of losses.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/Loss.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/functors/combine.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void mse_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "mse_cpu", AT_WRAP([&] {
                   cpu_kernel(iter, [](scalar_t x, scalar_t target) {
                     return ufunc::squared_difference<scalar_t>(x, target);
                   });
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void mse_backward_kernel(TensorIteratorBase& iter, const Scalar& factor) {
  AT_DISPATCH_V2(iter.common_dtype(), "mse_backward_cpu_out", AT_WRAP([&] {
                   const auto number = factor.to<opmath_type<scalar_t>>();
                   cpu_kernel(iter, [number](scalar_t x, scalar_t target, scalar_t grad) {
                     return ufunc::squared_difference_backward<scalar_t>(x, target, grad, number);
                   });
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(mse_stub, &mse_kernel)
REGISTER_DISPATCH(mse_backward_stub, &mse_backward_kernel)

}  // namespace at::native
