// resize_ on CUDA.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/resize_native.h>

namespace at::native {

const Tensor& resize_cuda_(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> memory_format) {
  // What grows gets memory from the storage's own allocator.
  resize_impl_cpu_(self.unsafeGetTensorImpl(), size, strides_to_resize_to(self, size, memory_format));
  return self;
}

}  // namespace at::native
