// Results of operators that compute first and then fill out= arguments, and what they need to know.
#include <ATen/native/linalg/results.h>

#include <ATen/native/Resize.h>
#include <c10/core/GradMode.h>
#include <torch/autograd/forward.h>

#include <ATen/ops/mT.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/transpose.h>

namespace at::native {

void check_same_dtype(const char* name, const Tensor& out, const Tensor& result) {
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), name, " expected out tensor dtype ",
              result.scalar_type(), " but got: ", out.scalar_type());
}

Tensor& write_same_dtype(const char* name, Tensor& out, const Tensor& result) {
  check_same_dtype(name, out, result);
  return write_result(name, out, result);
}

Tensor& write_columns(const char* name, Tensor& out, const Tensor& result) {
  if (out.numel() == 0 && result.numel() != 0) {
    out.resize_(result.mT().sizes());
    out.transpose_(-2, -1);
  }
  return write_result(name, out, result);
}

bool may_need_derivative(const Tensor& self) {
  return (c10::GradMode::is_enabled() && self.requires_grad()) || torch::autograd::tangent(self).defined();
}

}  // namespace at::native
