// arange on CUDA.
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/factories/arange.h>
#include <ATen/native/factories/arange_size.h>

#include <ATen/ops/arange_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/resize.h>

namespace at::native {

Tensor& arange_cuda_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& result) {
  const int64_t size = arange_size(start, end, step, result.scalar_type());
  if (result.numel() != size) {
    if (result.numel() > 0) {
      TORCH_WARN(
          "The number of elements in the out tensor of shape ", result.sizes(), " is ", result.numel(),
          " which does not match the computed number of elements ", size,
          ". Note that this may occur as a result of rounding error. The out tensor will be resized to a "
          "tensor of shape (",
          size, ",).");
    }
    result.resize_({size});
  }
  if (size == 0) return result;
  const Tensor dense = result.is_contiguous() ? result : at::empty(result.sizes(), result.options());
  arange_on_device(dense, start, step);
  if (!dense.is_same(result)) result.copy_(dense);
  return result;
}

}  // namespace at::native
