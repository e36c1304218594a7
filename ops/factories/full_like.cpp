// Factories that take another tensor's properties: *_like, and new_*.

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/strides.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/empty_like_native.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like_native.h>
#include <ATen/ops/new_empty_native.h>
#include <ATen/ops/new_empty_strided_native.h>
#include <ATen/ops/new_full_native.h>
#include <ATen/ops/new_ones_native.h>
#include <ATen/ops/new_zeros_native.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like_native.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like_native.h>

namespace at::native {

namespace {

// self's options, overridden by those given.
TensorOptions options_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                           std::optional<Device> device, std::optional<bool> pin_memory) {
  return TensorOptions()
      .dtype(dtype ? *dtype : self.scalar_type())
      .layout(layout ? *layout : self.layout())
      .device(device ? *device : self.device())
      .pinned_memory(pin_memory);
}

}  // namespace

Tensor empty_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format_opt) {
  const TensorOptions options = options_like(self, dtype, layout, device, pin_memory);
  TORCH_CHECK(options.layout() == kStrided,
              "empty_like(): argument 'layout': only strided tensors are supported, got ", options.layout());
  const MemoryFormat memory_format = memory_format_opt.value_or(MemoryFormat::Preserve);
  if (memory_format != MemoryFormat::Preserve) {
    return at::empty(self.sizes(), options, memory_format);
  }
  if (self.is_non_overlapping_and_dense()) {
    return at::empty_strided(self.sizes(), self.strides(), options);
  }
  return at::empty_strided(self.sizes(), infer_dense_strides(self.sizes(), self.strides()), options);
}

Tensor zeros_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format) {
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  if (format == MemoryFormat::Contiguous ||
      (format == MemoryFormat::Preserve &&
       self.strides() == IntArrayRef(c10::contiguous_strides(self.sizes())))) {
    return at::zeros(self.sizes(), options_like(self, dtype, layout, device, pin_memory));
  }
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format).zero_();
}

Tensor ones_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format).fill_(1);
}

Tensor full_like(const Tensor& self, const Scalar& fill_value, std::optional<ScalarType> dtype,
                 std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format).fill_(fill_value);
}

// -------------------- new_*: another size, the same options

Tensor new_empty_symint(const Tensor& self, c10::SymIntArrayRef size, std::optional<ScalarType> dtype,
                        std::optional<Layout> layout, std::optional<Device> device,
                        std::optional<bool> pin_memory) {
  return at::empty(C10_AS_INTARRAYREF_SLOW(size), options_like(self, dtype, layout, device, pin_memory));
}

Tensor new_empty_strided_symint(const Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty_strided(C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
                           options_like(self, dtype, layout, device, pin_memory));
}

Tensor new_full(const Tensor& self, IntArrayRef size, const Scalar& fill_value,
                std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory) {
  return at::full(size, fill_value, options_like(self, dtype, layout, device, pin_memory));
}

Tensor new_zeros(const Tensor& self, IntArrayRef size, std::optional<ScalarType> dtype,
                 std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::zeros(size, options_like(self, dtype, layout, device, pin_memory));
}

Tensor new_ones(const Tensor& self, IntArrayRef size, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::ones(size, options_like(self, dtype, layout, device, pin_memory));
}

}  // namespace at::native
