// Resizing of out= arguments, as in all kernels that take them.

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/resize.h>

namespace at::native {

bool resize_output(const Tensor& output, IntArrayRef shape) {
  if (!resize_output_check(output, shape)) return false;
  const AutoDispatchBelowADInplaceOrView part_of_a_write;
  output.resize_(shape);
  return true;
}

Tensor& write_result(const char* name, Tensor& out, const Tensor& result) {
  TORCH_CHECK(c10::canCast(result.scalar_type(), out.scalar_type()), name, ": result type ",
              result.scalar_type(), " can't be cast to the desired output type ", out.scalar_type());
  resize_output(out, result.sizes());
  return out.copy_(result);
}

}  // namespace at::native
