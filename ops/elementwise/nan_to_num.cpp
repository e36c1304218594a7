// nan_to_num.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/elementwise/stubs.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/nan_to_num_native.h>
#include <ATen/ops/view_as_real.h>

namespace at::native {

DEFINE_DISPATCH(nan_to_num_stub);

Tensor& nan_to_num_out(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                       std::optional<double> neginf, Tensor& result) {
  TORCH_CHECK(self.scalar_type() == result.scalar_type(), "nan_to_num: dtype of out: ", result.scalar_type(),
              " should be same as input: ", self.scalar_type());
  if (isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    at::native::resize_output(result, self.sizes());
    return result.copy_(self);
  }
  if (self.is_complex()) {
    at::native::resize_output(result, self.sizes());
    Tensor parts = at::view_as_real(result);
    at::nan_to_num_outf(at::view_as_real(self), nan, posinf, neginf, parts);
    return result;
  }
  auto iter = TensorIterator::unary_op(result, self);
  if (iter.device_type() != kMeta) {
    nan_to_num_stub(iter.device_type(), iter, Replacements{nan, posinf, neginf});
  }
  return result;
}

Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  Tensor result = at::empty_like(self);
  return at::nan_to_num_outf(self, nan, posinf, neginf, result);
}

Tensor& nan_to_num_(Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                    std::optional<double> neginf) {
  return at::nan_to_num_outf(self, nan, posinf, neginf, self);
}

}  // namespace at::native
