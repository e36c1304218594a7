// arange on CUDA.
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/factories/arange.h>
#include <ATen/native/factories/arange.h>

#include <ATen/ops/arange_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>

namespace at::native {

Tensor& arange_cuda_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& result) {
  const int64_t size = resize_to_arange(start, end, step, result);
  if (size == 0) return result;
  const Tensor dense = result.is_contiguous() ? result : at::empty(result.sizes(), result.options());
  arange_on_device(dense, start, step);
  if (!dense.is_same(result)) result.copy_(dense);
  return result;
}

}  // namespace at::native
