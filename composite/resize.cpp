// Resizing of out= arguments, as all kernels that take them do it.

#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/resize.h>

namespace at::native {

bool resize_output(const Tensor& output, IntArrayRef shape) {
  if (!resize_output_check(output, shape)) return false;
  output.resize_(shape);
  return true;
}

}  // namespace at::native
