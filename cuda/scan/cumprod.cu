// cumprod on CUDA, for contiguous tensors.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/scan/stubs.h>
#include <c10/util/complex.h>
#include <ATen/native/cuda/scan/dense_scan.cuh>

namespace at::native {
namespace cumprod_cuda {

struct Product {
  template <class A>
  __device__ A operator()(A earlier, A later) const {
    return earlier * later;
  }
};

void cumprod_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  const Lines lines(self, dim);
  AT_DISPATCH_V2(self.scalar_type(), "cumprod_cuda", AT_WRAP([&] {
                   using Op = scan_cuda::Running<scalar_t, Product>;
                   scan_cuda::scan_dense(lines, Op(lines, self, result, typename Op::State(1)));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

}  // namespace cumprod_cuda

REGISTER_CUDA_DISPATCH(cumprod_stub, &cumprod_cuda::cumprod_kernel)

}  // namespace at::native
