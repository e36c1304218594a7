// dot and vdot on the CPU: products of a row and a column.
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/matmul/gemm.h>
#include <ATen/native/matmul/dot_checks.h>

#include <ATen/ops/dot_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/vdot_native.h>

namespace at::native {

namespace {

Tensor dot_product(const Tensor& self, const Tensor& tensor, bool conjugate) {
  dot_check(self, tensor);
  Tensor result = at::empty({}, self.options());
  const GemmMatrix row{self.const_data_ptr(), 0, 0, self.stride(0), conjugate && self.is_complex()};
  const GemmMatrix column{tensor.const_data_ptr(), 0, tensor.stride(0), 0};
  gemm_stub(kCPU, self.scalar_type(),
            GemmProblem{1, 1, 1, self.numel(), row, column, result.mutable_data_ptr(), 0, 1, 1, 1, 0});
  return result;
}

}  // namespace

Tensor dot(const Tensor& self, const Tensor& tensor) { return dot_product(self, tensor, false); }

Tensor vdot(const Tensor& self, const Tensor& other) { return dot_product(self, other, true); }

}  // namespace at::native
