// arange on the CPU, and its size on any device.

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/ContiguousKernels.h>
#include <ATen/native/factories/arange.h>

#include <ATen/ops/arange_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>

namespace at::native {

DEFINE_DISPATCH(arange_stub);

Tensor& arange_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& result) {
  const int64_t size = resize_to_arange(start, end, step, result);
  if (result.is_meta() || size == 0) return result;

  const Tensor dense = result.is_contiguous() ? result : at::empty(result.sizes(), result.options());
  char* out = static_cast<char*>(dense.mutable_data_ptr());
  const auto itemsize = static_cast<int64_t>(dense.itemsize());
  at::parallel_for(0, size, at::internal::GRAIN_SIZE, [&](int64_t first, int64_t last) {
    arange_stub(kCPU, out + first * itemsize, dense.scalar_type(), first, last - first, start, step);
  });
  if (!dense.is_same(result)) result.copy_(dense);
  return result;
}

}  // namespace at::native
