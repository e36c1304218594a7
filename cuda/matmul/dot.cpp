// dot and vdot on CUDA: products, then their sum.
#include <ATen/core/Tensor.h>
#include <ATen/native/matmul/dot_checks.h>

#include <ATen/ops/conj_physical.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/vdot_native.h>

namespace at::native {

Tensor dot_cuda(const Tensor& self, const Tensor& tensor) {
  dot_check(self, tensor);
  // In float for 16-bit elements, so that products aren't rounded before they are summed.
  const ScalarType dtype = isReducedFloatingType(self.scalar_type()) ? kFloat : self.scalar_type();
  return at::mul(self.to(dtype), tensor.to(dtype)).sum(self.scalar_type());
}

Tensor vdot_cuda(const Tensor& self, const Tensor& other) {
  return dot_cuda(self.is_complex() ? at::conj_physical(self) : self, other);
}

}  // namespace at::native
