// TensorOptions to dispatch keys and back.
#include <c10/core/TensorOptions.h>

namespace c10::inline C10_ABI {

DispatchKey computeDispatchKey(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                               std::optional<Device> device) {
  const Layout layout_ = layout_or_default(layout);
  const Device device_ = device_or_default(device);
  TORCH_CHECK_NOT_IMPLEMENTED(layout_ == Layout::Strided, "tensors of layout ", layout_, " aren't supported");
  TORCH_CHECK_NOT_IMPLEMENTED(!dtype.has_value() || isSupportedType(*dtype), "tensors of type ",
                              dtypeName(*dtype), " aren't supported");
  const BackendComponent backend = toBackendComponent(device_.type());
  TORCH_CHECK_NOT_IMPLEMENTED(backend != BackendComponent::InvalidBit,
                              "Unsupported device type for dense layout: ", device_.type());
  return toRuntimePerBackendFunctionalityKey(DispatchKey::Dense, backend);
}

DeviceType dispatchKeyToDeviceType(DispatchKey dispatch_key) {
  const BackendComponent backend = toBackendComponent(dispatch_key);
#define C10_DEVICE_CASE_(name, _)                                                                 \
  if (backend != BackendComponent::InvalidBit && toBackendComponent(DeviceType::name) == backend) \
    return DeviceType::name;
  C10_FORALL_BACKEND_DEVICE_TYPES(C10_DEVICE_CASE_, )
#undef C10_DEVICE_CASE_
  TORCH_CHECK(false, "DispatchKey ", toString(dispatch_key), " doesn't correspond to a device");
  return DeviceType::CPU;
}

Layout dispatchKeyToLayout(DispatchKey dispatch_key) {
  switch (toFunctionalityKey(dispatch_key)) {
    case DispatchKey::Sparse:
      return Layout::Sparse;
    case DispatchKey::MkldnnCPU:
      return Layout::Mkldnn;
    case DispatchKey::SparseCsr:
      TORCH_CHECK(false, "Cannot map DispatchKey ", toString(dispatch_key), " to a unique layout.");
      return Layout::SparseCsr;
    default:
      return Layout::Strided;
  }
}

void append_to(std::string& out, const TensorOptions& options) {
  const auto flag = [](std::optional<bool> value) {
    return !value.has_value() ? "None" : *value ? "true" : "false";
  };
  out += str("TensorOptions(dtype=", options.dtype(), ", device=", options.device(),
             ", layout=", options.layout(), ", requires_grad=", flag(options.requires_grad_opt()),
             ", pinned_memory=", flag(options.pinned_memory_opt()),
             ", memory_format=", options.memory_format_opt(), ")");
}

}  // namespace c10::inline C10_ABI
