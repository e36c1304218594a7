// Factories, resize_ and item on CUDA.
#include <ATen/Dispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/empty_native.h>
#include <ATen/ops/empty_strided_native.h>
#include <ATen/ops/resize_native.h>

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

// -------------------- resize_

const Tensor& resize_cuda_(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> memory_format) {
  // What grows gets memory from the storage's own allocator.
  resize_impl_cpu_(self.unsafeGetTensorImpl(), size, strides_to_resize_to(self, size, memory_format));
  return self;
}

// -------------------- item

Scalar _local_scalar_dense_cuda(const Tensor& self) {
  TORCH_CHECK(self.numel() > 0, "_local_scalar_dense: Empty tensor not supported");
  alignas(16) char value[16];
  const c10::cuda::CUDAStream stream = c10::cuda::getCurrentCUDAStream(self.device().index());
  C10_CUDA_CHECK(
      cudaMemcpyAsync(value, self.const_data_ptr(), self.itemsize(), cudaMemcpyDeviceToHost, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  return AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kHalf, kBFloat16, self.scalar_type(),
                                                "_local_scalar_dense_cuda",
                                                [&] { return Scalar(*reinterpret_cast<scalar_t*>(value)); });
}

}  // namespace at::native
