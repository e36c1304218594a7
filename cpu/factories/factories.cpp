// Factories on the CPU.

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/empty_native.h>
#include <ATen/ops/empty_strided_native.h>

namespace at::native {

Tensor empty_cpu(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format) {
  return at::detail::empty_cpu(size, dtype, layout, device, pin_memory, memory_format);
}

Tensor empty_strided_cpu(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                         std::optional<Layout> layout, std::optional<Device> device,
                         std::optional<bool> pin_memory) {
  return at::detail::empty_strided_cpu(size, stride, dtype, layout, device, pin_memory);
}

}  // namespace at::native
