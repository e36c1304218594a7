// trace: the sum of a matrix's diagonal.
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/diagonal.h>
#include <ATen/ops/diagonal_backward.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/trace_backward_native.h>
#include <ATen/ops/trace_native.h>

#include <algorithm>

namespace at::native {

Tensor trace(const Tensor& self) {
  TORCH_CHECK(self.dim() == 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
  TORCH_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, "\"trace\" not implemented for 'Bool'");
  return self.diagonal().sum();
}

Tensor trace_backward_symint(const Tensor& grad, c10::SymIntArrayRef sizes) {
  TORCH_CHECK(sizes.size() == 2, "expected matrix input");
  const int64_t rows = sizes[0].expect_int(), columns = sizes[1].expect_int();
  return at::diagonal_backward(grad.expand({std::min(rows, columns)}), {rows, columns}, 0, 0, 1);
}

}  // namespace at::native
