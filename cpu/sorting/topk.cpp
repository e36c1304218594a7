// topk on the CPU, by the kernel in simd/.
#include <ATen/core/Tensor.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/ops/topk_native.h>

namespace at::native {

TORCH_IMPL_FUNC(topk_out_cpu)
(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted, const Tensor& values,
 const Tensor& indices) {
  topk_of_lines(self, k, dim, largest, sorted, values, indices);
}

}  // namespace at::native
