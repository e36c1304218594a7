// hardtanh and relu6, which are clamps, and the gradient.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/clamp.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/hardtanh_backward_native.h>
#include <ATen/ops/hardtanh_native.h>
#include <ATen/ops/relu6_native.h>

namespace at::native {

DEFINE_DISPATCH(hardtanh_backward_stub);

namespace {

void check_hardtanh(const Tensor& self, const Scalar& min_val) {
  TORCH_CHECK(self.scalar_type() != kBool, "Bool inputs not supported for hardtanh");
  TORCH_CHECK(self.scalar_type() != kByte || min_val.toDouble() >= 0,
              "cannot do hardtanh on an unsigned type with negative limits");
}

// Bounds of an integer tensor are converted to integers: the result keeps its dtype.
Scalar bound(const Tensor& self, const Scalar& value) {
  return isIntegralType(self.scalar_type(), /*includeBool=*/false) ? Scalar(value.toLong()) : value;
}

}  // namespace

Tensor hardtanh(const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  check_hardtanh(self, min_val);
  return at::clamp(self, bound(self, min_val), bound(self, max_val));
}

Tensor& hardtanh_out(const Tensor& self, const Scalar& min_val, const Scalar& max_val, Tensor& result) {
  check_hardtanh(self, min_val);
  return at::clamp_outf(self, bound(self, min_val), bound(self, max_val), result);
}

Tensor& hardtanh_(Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  check_hardtanh(self, min_val);
  return self.clamp_(bound(self, min_val), bound(self, max_val));
}

Tensor& hardtanh_backward_out(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                              const Scalar& max_val, Tensor& grad_input) {
  auto iter = TensorIterator::borrowing_binary_op(grad_input, grad_output, self);
  if (iter.device_type() != kMeta) hardtanh_backward_stub(iter.device_type(), iter, min_val, max_val);
  return grad_input;
}

Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                         const Scalar& max_val) {
  const Tensor undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, grad_output, self);
  if (iter.device_type() != kMeta) hardtanh_backward_stub(iter.device_type(), iter, min_val, max_val);
  return iter.output();
}

Tensor relu6(const Tensor& self) { return at::hardtanh(self, 0, 6); }
Tensor& relu6_(Tensor& self) { return at::hardtanh_(self, 0, 6); }

}  // namespace at::native
