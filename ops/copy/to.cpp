// Copies and conversions: clone, contiguous, to, _to_copy; and a tensor's only value: item, is_nonzero.

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/impl/DeviceInterface.h>

#include <ATen/ops/_local_scalar_dense.h>
#include <ATen/ops/_to_copy.h>
#include <ATen/ops/_to_copy_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/clone_native.h>
#include <ATen/ops/contiguous_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/is_nonzero_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/item_native.h>
#include <ATen/ops/to_native.h>

namespace at::native {

Tensor clone(const Tensor& self, std::optional<MemoryFormat> memory_format_opt) {
  const MemoryFormat memory_format = memory_format_opt.value_or(MemoryFormat::Preserve);
  Tensor result;
  if (memory_format == MemoryFormat::Preserve && self.is_non_overlapping_and_dense()) {
    result = at::empty_strided(self.sizes(), self.strides(), self.options());
  } else {
    result = at::empty_like(self, self.options(), memory_format);
  }
  result.copy_(self);
  return result;
}

Tensor contiguous(const Tensor& self, MemoryFormat memory_format) {
  if (self.is_contiguous(memory_format)) return self;
  TORCH_CHECK(memory_format != MemoryFormat::Preserve,
              "preserve memory format is unsupported by the contiguous operator");
  return self.clone(memory_format);
}

// -------------------- to

namespace {

Tensor to_impl(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
               std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking, bool copy,
               std::optional<MemoryFormat> memory_format_opt) {
  if (device) device = c10::resolve_device(*device);
  const MemoryFormat memory_format = memory_format_opt.value_or(MemoryFormat::Preserve);
  const bool is_alias =
      (!dtype || *dtype == self.scalar_type()) && (!layout || *layout == self.layout()) &&
      (!device || *device == self.device()) && !copy &&
      (memory_format == MemoryFormat::Preserve || self.suggest_memory_format() == memory_format);
  if (is_alias) return self;
  return at::_to_copy(self, dtype, layout, device, pin_memory, non_blocking, memory_format_opt);
}

}  // namespace

Tensor _to_copy(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
                std::optional<MemoryFormat> memory_format_opt) {
  TORCH_CHECK(!layout || *layout == self.layout(),
              "to(options) doesn't support converting to a different layout, but got self.layout being ",
              self.layout(), " and options.layout set as ", layout.value_or(kStrided));
  const Device target = device ? c10::resolve_device(*device) : self.device();
  // A non-blocking copy to the host needs page-locked memory, which the device can write directly.
  const bool pinned = target.is_cpu() && (pin_memory.value_or(false) || (non_blocking && self.is_cuda()));
  const TensorOptions options = TensorOptions()
                                    .dtype(dtype ? *dtype : self.scalar_type())
                                    .layout(kStrided)
                                    .device(target)
                                    .pinned_memory(pinned);
  const MemoryFormat memory_format = memory_format_opt.value_or(MemoryFormat::Preserve);
  Tensor result;
  if (memory_format != MemoryFormat::Preserve) {
    result = at::empty(self.sizes(), options, memory_format);
  } else if (self.is_non_overlapping_and_dense()) {
    result = at::empty_strided(self.sizes(), self.strides(), options);
  } else {
    result = at::empty_strided(self.sizes(), infer_dense_strides(self.sizes(), self.strides()), options);
  }
  result.copy_(self, non_blocking);
  return result;
}

Tensor to(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
          std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return to_impl(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format);
}

Tensor to(const Tensor& self, Device device, ScalarType dtype, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return to_impl(self, dtype, std::nullopt, device, std::nullopt, non_blocking, copy, memory_format);
}

Tensor to(const Tensor& self, ScalarType dtype, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return to_impl(self, dtype, std::nullopt, std::nullopt, std::nullopt, non_blocking, copy, memory_format);
}

Tensor to(const Tensor& self, const Tensor& other, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return to_impl(self, other.scalar_type(), other.layout(), other.device(), std::nullopt, non_blocking, copy,
                 memory_format);
}

// -------------------- item

Scalar item(const Tensor& self) {
  TORCH_CHECK(self.numel() == 1, "a Tensor with ", self.numel(), " elements cannot be converted to Scalar");
  return at::_local_scalar_dense(self);
}

bool is_nonzero(const Tensor& self) {
  TORCH_CHECK(self.numel() != 0, "Boolean value of Tensor with no values is ambiguous");
  TORCH_CHECK(self.numel() == 1, "Boolean value of Tensor with more than one value is ambiguous");
  const Scalar value = self.item();
  if (value.isComplex()) return value.toComplexDouble() != c10::complex<double>(0, 0);
  return value.isFloatingPoint() ? value.toDouble() != 0 : value.toLong() != 0;
}

}  // namespace at::native
