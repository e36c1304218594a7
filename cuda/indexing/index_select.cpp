// index_select on CUDA, by the kernel of index.
#include <ATen/native/indexing/index_select.h>

#include <ATen/ops/index_select_native.h>

namespace at::native {

REGISTER_CUDA_DISPATCH(index_select_stub, &index_select_by_index)

Tensor& index_select_out_cuda(const Tensor& self, int64_t dim, const Tensor& index, Tensor& result) {
  return index_select_by_stub(self, dim, index, result);
}

Tensor index_select_cuda(const Tensor& self, int64_t dim, const Tensor& index) {
  return index_select_by_stub(self, dim, index);
}

}  // namespace at::native
