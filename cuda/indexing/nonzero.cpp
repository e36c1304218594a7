// nonzero on CUDA, by the kernels of nonzero.cu, and masked_select, by index_select.
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/nonzero.h>
#include <ATen/native/indexing/stubs.h>

#include <ATen/ops/index_select.h>
#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>
#include <ATen/ops/view.h>

namespace at::native {

namespace {

void select_nonzero_cuda(const NonzeroElements& found, const TensorBase& self, const TensorBase& /*mask*/,
                         const TensorBase& result) {
  Tensor out(result);
  at::index_select_outf(Tensor(self).view({self.numel()}), 0, Tensor(found.where), out);
}

}  // namespace

REGISTER_CUDA_DISPATCH(select_nonzero_stub, &select_nonzero_cuda)

Tensor nonzero_cuda(const Tensor& self) { return nonzero_by_stub(self); }

Tensor& nonzero_out_cuda(const Tensor& self, Tensor& result) { return nonzero_by_stub(self, result); }

Tensor masked_select_cuda(const Tensor& self, const Tensor& mask) {
  return masked_select_by_stub(self, mask);
}

Tensor& masked_select_out_cuda(const Tensor& self, const Tensor& mask, Tensor& result) {
  return masked_select_by_stub(self, mask, result);
}

}  // namespace at::native
