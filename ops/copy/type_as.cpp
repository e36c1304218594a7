// Casts and copies under other names: type_as, chalf, the _cast_ operators, lift, pin_memory.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/_cast_Byte_native.h>
#include <ATen/ops/_cast_Char_native.h>
#include <ATen/ops/_cast_Double_native.h>
#include <ATen/ops/_cast_Float_native.h>
#include <ATen/ops/_cast_Half_native.h>
#include <ATen/ops/_cast_Int_native.h>
#include <ATen/ops/_cast_Long_native.h>
#include <ATen/ops/_cast_Short_native.h>
#include <ATen/ops/_lazy_clone_native.h>
#include <ATen/ops/_pin_memory.h>
#include <ATen/ops/_pin_memory_native.h>
#include <ATen/ops/_to_copy.h>
#include <ATen/ops/chalf_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/is_pinned_native.h>
#include <ATen/ops/lift_fresh_native.h>
#include <ATen/ops/lift_native.h>
#include <ATen/ops/pin_memory_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/type_as_native.h>

namespace at::native {

Tensor type_as(const Tensor& self, const Tensor& other) { return self.to(other.options()); }

Tensor chalf(const Tensor& self, std::optional<MemoryFormat> memory_format) {
  return self.to(kComplexHalf, /*non_blocking=*/false, /*copy=*/false, memory_format);
}

#define CAST(name) \
  Tensor _cast_##name(const Tensor& self, bool non_blocking) { return self.to(k##name, non_blocking); }
CAST(Byte)
CAST(Char)
CAST(Double)
CAST(Float)
CAST(Int)
CAST(Long)
CAST(Short)
CAST(Half)
#undef CAST

// The copy isn't delayed: nothing here copies on write.
Tensor _lazy_clone(const Tensor& self) { return self.clone(); }

// For tracers, which replace them; to others a tensor is what it was.
Tensor lift(const Tensor& self) { return at::detail::make_alias(self); }
Tensor lift_fresh(const Tensor& self) { return at::detail::make_alias(self); }

// -------------------- Page-locked memory, which is for all devices

bool is_pinned(const Tensor& self, std::optional<Device> /*device*/) {
  return static_cast<const TensorBase&>(self).is_pinned();
}

Tensor pin_memory(const Tensor& self, std::optional<Device> device) {
  return static_cast<const TensorBase&>(self).is_pinned() ? self : at::_pin_memory(self, device);
}

Tensor _pin_memory(const Tensor& self, std::optional<Device> /*device*/) {
  TORCH_CHECK(self.is_cpu(), "only tensors on the CPU can be pinned, not one on ", self.device());
  return at::_to_copy(self, self.options().pinned_memory(true));
}

}  // namespace at::native
