// gather on CUDA, by the kernel of index.
#include <ATen/native/indexing/index_select.h>
#include <ATen/native/indexing/stubs.h>

namespace at::native {

REGISTER_CUDA_DISPATCH(gather_stub, &gather_by_index)

}  // namespace at::native
