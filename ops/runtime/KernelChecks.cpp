// Error messages of the checks in generated kernels, and the backend of a factory's options.
#include <ATen/native/KernelChecks.h>

#include <c10/core/DispatchKey.h>
#include <c10/core/impl/DeviceInterface.h>

namespace at::inline C10_ABI::impl {

void throw_undefined(const c10::OperatorEntry& op, const char* argument, int position) {
  TORCH_CHECK(
      false, op.qualified_name, "(): argument '", argument, "' (position ", position,
      "): expected a tensor, got an undefined one (None); only arguments of type Tensor? may be left out");
}

void throw_other_device(const c10::OperatorEntry& op, const char* argument, c10::Device got,
                        c10::Device expected) {
  TORCH_CHECK(false, op.qualified_name, "(): argument '", argument, "' is on ", got.str(),
              ", other arguments on ", expected.str(), "; expected all tensors on one device");
}

void throw_missing_kernel(const char* kernel) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "the kernel ", kernel,
                              " is declared, but this library was built without it");
}

void name_operator(c10::Error& error, const c10::OperatorEntry& op) { error.add_context(op.qualified_name); }

c10::DispatchKey any_backend_of_options(std::optional<c10::ScalarType> dtype,
                                        std::optional<c10::Layout> layout,
                                        std::optional<c10::Device> device) {
  // A device's kernels come with its library, which is loaded here, before a kernel is looked up.
  if (device.has_value() && device->is_cuda()) c10::device_interface(device->type());
  return c10::computeDispatchKey(dtype, layout, device);
}

}  // namespace at::inline C10_ABI::impl
