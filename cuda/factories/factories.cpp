// Factories on CUDA.
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/empty_native.h>
#include <ATen/ops/empty_strided_native.h>

namespace at::native {

namespace {

void check_factory(std::optional<Layout> layout, std::optional<bool> pin_memory) {
  TORCH_CHECK(layout.value_or(Layout::Strided) == Layout::Strided,
              "only strided tensors are supported on CUDA");
  TORCH_CHECK(!pin_memory.value_or(false), "Only dense CPU tensors can be pinned");
}

}  // namespace

Tensor empty_cuda(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format) {
  check_factory(layout, pin_memory);
  return at::detail::empty_device(size, c10::dtype_or_default(dtype), device.value_or(Device(kCUDA)),
                                  memory_format);
}

Tensor empty_strided_cuda(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                          std::optional<Layout> layout, std::optional<Device> device,
                          std::optional<bool> pin_memory) {
  check_factory(layout, pin_memory);
  return at::detail::empty_strided_device(size, stride, c10::dtype_or_default(dtype),
                                          device.value_or(Device(kCUDA)));
}

}  // namespace at::native
