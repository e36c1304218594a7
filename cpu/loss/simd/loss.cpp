// Elementwise parts of losses.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/loss/functors.h>
#include <ATen/native/loss/stubs.h>

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

template <class O>
ufunc::SmoothLoss<O> as_type(const SmoothLossShape& shape) {
  return {static_cast<O>(shape.limit), static_cast<O>(shape.below), static_cast<O>(shape.above)};
}

void smooth_loss_kernel(TensorIteratorBase& iter, const SmoothLossShape& shape) {
  AT_DISPATCH_V2(iter.common_dtype(), "smooth_l1_cpu", AT_WRAP([&] {
                   const auto loss = as_type<opmath_type<scalar_t>>(shape);
                   cpu_kernel(iter, [loss](scalar_t x, scalar_t target) {
                     return ufunc::smooth_loss<scalar_t>(x, target, loss);
                   });
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void smooth_loss_backward_kernel(TensorIteratorBase& iter, const SmoothLossShape& shape) {
  AT_DISPATCH_V2(iter.common_dtype(), "smooth_l1_backward_cpu_out", AT_WRAP([&] {
                   const auto loss = as_type<opmath_type<scalar_t>>(shape);
                   cpu_kernel(iter, [loss](scalar_t x, scalar_t target, scalar_t grad) {
                     return ufunc::smooth_loss_backward<scalar_t>(x, target, grad, loss);
                   });
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void binary_cross_entropy_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "binary_cross_entropy", AT_WRAP([&] {
                   cpu_kernel(iter, [](scalar_t x, scalar_t target) {
                     return ufunc::binary_cross_entropy<scalar_t>(x, target);
                   });
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void binary_cross_entropy_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "binary_cross_entropy_backward", AT_WRAP([&] {
                   cpu_kernel(iter, [](scalar_t x, scalar_t target, scalar_t grad) {
                     return ufunc::binary_cross_entropy_backward<scalar_t>(x, target, grad);
                   });
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(mse_stub, &mse_kernel)
REGISTER_DISPATCH(mse_backward_stub, &mse_backward_kernel)
REGISTER_DISPATCH(smooth_loss_stub, &smooth_loss_kernel)
REGISTER_DISPATCH(smooth_loss_backward_stub, &smooth_loss_backward_kernel)
REGISTER_DISPATCH(binary_cross_entropy_stub, &binary_cross_entropy_kernel)
REGISTER_DISPATCH(binary_cross_entropy_backward_stub, &binary_cross_entropy_backward_kernel)

}  // namespace at::native
