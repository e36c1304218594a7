// Factories and resizing on the Meta device: tensors with a geometry and no memory.

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/empty_native.h>
#include <ATen/ops/empty_strided_native.h>
#include <ATen/ops/resize_native.h>

namespace at::native {

Tensor empty_meta_symint(c10::SymIntArrayRef size, std::optional<ScalarType> dtype,
                         std::optional<Layout> layout, std::optional<Device> device,
                         std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format) {
  return at::detail::empty_meta(C10_AS_INTARRAYREF_SLOW(size), dtype, layout, device, pin_memory,
                                memory_format);
}

Tensor empty_strided_meta_symint(c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                                 std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                 std::optional<Device> /*device*/, std::optional<bool> pin_memory) {
  TORCH_CHECK(!layout || *layout == kStrided, "empty_strided(): argument 'layout': a Meta tensor is strided");
  TORCH_CHECK(!pin_memory.value_or(false), "empty_strided(): Only dense CPU tensors can be pinned");
  return at::detail::empty_strided_meta(C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
                                        dtype ? *dtype : c10::get_default_dtype_as_scalartype());
}

const Tensor& resize__symint(const Tensor& self, c10::SymIntArrayRef size,
                             std::optional<MemoryFormat> memory_format) {
  const IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  resize_impl_meta_(self.unsafeGetTensorImpl(), sizes, strides_to_resize_to(self, sizes, memory_format));
  return self;
}

}  // namespace at::native
