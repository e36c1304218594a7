// resize_ on the Meta device, where there is no memory.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/resize_native.h>

namespace at::native {

const Tensor& resize__symint(const Tensor& self, c10::SymIntArrayRef size,
                             std::optional<MemoryFormat> memory_format) {
  const IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  resize_impl_meta_(self.unsafeGetTensorImpl(), sizes, strides_to_resize_to(self, sizes, memory_format));
  return self;
}

}  // namespace at::native
