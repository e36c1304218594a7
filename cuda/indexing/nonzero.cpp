// The CUDA kernels of nonzero and masked_select, by ATen's names; nonzero.cu has the work.
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/nonzero.h>

#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>

namespace at::native {

Tensor nonzero_cuda(const Tensor& self) { return nonzero_by_stub(self); }

Tensor& nonzero_out_cuda(const Tensor& self, Tensor& result) { return nonzero_by_stub(self, result); }

Tensor masked_select_cuda(const Tensor& self, const Tensor& mask) {
  return masked_select_by_stub(self, mask);
}

Tensor& masked_select_out_cuda(const Tensor& self, const Tensor& mask, Tensor& result) {
  return masked_select_by_stub(self, mask, result);
}

}  // namespace at::native
