// Factories on the Meta device: tensors with a geometry and no memory.

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/empty_native.h>
#include <ATen/ops/empty_strided_native.h>

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

}  // namespace at::native
