// The kernels of native_functions.yaml, and a device with two indices that the guards can be seen with.
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/attributes_by_hand_native.h>
#include <ATen/ops/attributes_checked_native.h>
#include <ATen/ops/attributes_constant_native.h>
#include <ATen/ops/attributes_guarded_native.h>
#include <ATen/ops/attributes_required_native.h>
#include <ATen/ops/attributes_tagged_native.h>
#include <ATen/ops/attributes_writable_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <torch/library.h>

#include "ghost_device.h"

C10_REGISTER_DEVICE_INTERFACE(ghost::Interface)

namespace at::native {

int64_t current_ghost(const Tensor& /*self*/) { return ghost::current_index; }
int64_t ghost_of_two(const Tensor& /*self*/, const Tensor& other) { return other.device().index(); }

Tensor tagged(const Tensor& self) { return self.clone(); }
Tensor by_hand(const Tensor& self, int64_t /*times*/) { return self.clone(); }
Tensor registered_by_hand(const Tensor& self) { return self.clone(); }
int64_t required(const Tensor& /*self*/, int64_t first, int64_t second) { return 10 * first + second; }

void constant(const Tensor& self, const Tensor& written) { const_cast<Tensor&>(written).copy_(self); }
void writable(const Tensor& self, Tensor& written) { written.copy_(self); }

namespace {

Tensor empty_ghost(c10::SymIntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout>,
                   std::optional<Device> device, std::optional<bool>, std::optional<MemoryFormat> format) {
  return Tensor(at::detail::empty_device(c10::asIntArrayRefUnchecked(size), c10::dtype_or_default(dtype),
                                         *device, format));
}

}  // namespace
}  // namespace at::native

TORCH_LIBRARY_IMPL(attributes, CPU, m) { m.impl("registered_by_hand", &at::native::registered_by_hand); }
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) { m.impl("empty.memory_format", &at::native::empty_ghost); }
