// resize_ on the CPU.

#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/resize_native.h>

namespace at::native {

const Tensor& resize_(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> memory_format) {
  resize_impl_cpu_(self.unsafeGetTensorImpl(), size, strides_to_resize_to(self, size, memory_format));
  return self;
}

}  // namespace at::native
