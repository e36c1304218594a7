// resize_ on the CPU.

#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/resize_native.h>

namespace at::native {

const Tensor& resize_(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> memory_format) {
  TORCH_CHECK(!self.requires_grad(), "cannot resize variables that require grad");
  TORCH_CHECK(!memory_format || *memory_format != MemoryFormat::Preserve, "Unsupported memory format ",
              *memory_format);
  c10::TensorImpl* impl = self.unsafeGetTensorImpl();
  resize_impl_cpu_(impl, size, std::nullopt);
  if (memory_format) impl->empty_tensor_restride(*memory_format);
  return self;
}

}  // namespace at::native
