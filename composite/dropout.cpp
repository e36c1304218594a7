// The gradient of native_dropout.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Dropout.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/mul.h>
#include <ATen/ops/native_dropout_backward_native.h>
#include <ATen/ops/to.h>

namespace at::native {

DEFINE_DISPATCH(dropout_backward_stub);

Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  const bool has_kernel = grad_output.is_floating_point() && mask.scalar_type() == kBool;
  if (!has_kernel) return at::mul(grad_output, at::mul(mask.to(grad_output.scalar_type()), scale));
  const Tensor undefined;
  TensorIteratorConfig config;
  config.check_all_same_dtype(false)
      .declare_static_dtype(grad_output.scalar_type())
      .add_output(undefined)
      .add_const_input(grad_output)
      .add_const_input(mask);
  auto iter = config.build();
  if (iter.device_type() != kMeta) dropout_backward_stub(iter.device_type(), iter, scale);
  return iter.output();
}

}  // namespace at::native
