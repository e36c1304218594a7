// The options of factory functions: dtype, device, layout and the like, each optional.
#pragma once

#include <c10/core/DefaultDtype.h>
#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/macros/Macros.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {

inline ScalarType dtype_or_default(std::optional<ScalarType> dtype) {
  return dtype.has_value() ? *dtype : get_default_dtype_as_scalartype();
}
inline caffe2::TypeMeta dtype_or_default(std::optional<caffe2::TypeMeta> dtype) {
  return dtype.has_value() ? *dtype : get_default_dtype();
}
inline Layout layout_or_default(std::optional<Layout> layout) { return layout.value_or(kStrided); }
inline Device device_or_default(std::optional<Device> device) { return device.value_or(Device(kCPU)); }
inline bool pinned_memory_or_default(std::optional<bool> pinned_memory) {
  return pinned_memory.value_or(false);
}

/// The backend key for such tensors; NotImplementedError for layouts and devices without one.
C10_API DispatchKey computeDispatchKey(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                       std::optional<Device> device);
/// The device type of a backend or autograd key.
C10_API DeviceType dispatchKeyToDeviceType(DispatchKey dispatch_key);
/// The layout of the tensors of a key.
C10_API Layout dispatchKeyToLayout(DispatchKey dispatch_key);

class TensorOptions {
 public:
  TensorOptions() = default;
  /*implicit*/ TensorOptions(Layout value) : layout_(value) {}
  /*implicit*/ TensorOptions(caffe2::TypeMeta value) : dtype_(value.toScalarType()) {}
  /*implicit*/ TensorOptions(ScalarType value) : dtype_(value) {}
  /*implicit*/ TensorOptions(MemoryFormat value) : memory_format_(value) {}
  template <class T>
    requires(std::is_convertible_v<T&&, Device> && !std::is_same_v<std::decay_t<T>, TensorOptions>)
  /*implicit*/ TensorOptions(T&& value) : device_(Device(std::forward<T>(value))) {}

  [[nodiscard]] TensorOptions device(std::optional<Device> value) const {
    TensorOptions result = *this;
    result.device_ = value;
    return result;
  }
  [[nodiscard]] TensorOptions device(DeviceType type, DeviceIndex index = -1) const {
    return device(std::optional<Device>(Device(type, index)));
  }
  [[nodiscard]] TensorOptions dtype(std::optional<caffe2::TypeMeta> value) const {
    return dtype(optTypeMetaToScalarType(value));
  }
  [[nodiscard]] TensorOptions dtype(std::optional<ScalarType> value) const {
    TensorOptions result = *this;
    result.dtype_ = value;
    return result;
  }
  [[nodiscard]] TensorOptions dtype(ScalarType value) const {
    return dtype(std::optional<ScalarType>(value));
  }
  [[nodiscard]] TensorOptions dtype(caffe2::TypeMeta value) const { return dtype(value.toScalarType()); }
  template <class T>
  [[nodiscard]] TensorOptions dtype() const {
    return dtype(CppTypeToScalarType<T>::value);
  }
  [[nodiscard]] TensorOptions layout(std::optional<Layout> value) const {
    TensorOptions result = *this;
    result.layout_ = value;
    return result;
  }
  [[nodiscard]] TensorOptions requires_grad(std::optional<bool> value) const {
    TensorOptions result = *this;
    result.requires_grad_ = value;
    return result;
  }
  [[nodiscard]] TensorOptions pinned_memory(std::optional<bool> value) const {
    TensorOptions result = *this;
    result.pinned_memory_ = value;
    return result;
  }
  [[nodiscard]] TensorOptions memory_format(std::optional<MemoryFormat> value) const {
    TensorOptions result = *this;
    result.memory_format_ = value;
    return result;
  }

  Device device() const { return device_or_default(device_); }
  bool has_device() const { return device_.has_value(); }
  std::optional<Device> device_opt() const { return device_; }
  DeviceIndex device_index() const { return device().index(); }
  caffe2::TypeMeta dtype() const { return scalarTypeToTypeMeta(dtype_or_default(dtype_)); }
  bool has_dtype() const { return dtype_.has_value(); }
  std::optional<caffe2::TypeMeta> dtype_opt() const {
    if (!dtype_.has_value()) return std::nullopt;
    return scalarTypeToTypeMeta(*dtype_);
  }
  std::optional<ScalarType> scalar_type_opt() const { return dtype_; }
  Layout layout() const { return layout_or_default(layout_); }
  bool has_layout() const { return layout_.has_value(); }
  std::optional<Layout> layout_opt() const { return layout_; }
  bool requires_grad() const { return requires_grad_.value_or(false); }
  bool has_requires_grad() const { return requires_grad_.has_value(); }
  std::optional<bool> requires_grad_opt() const { return requires_grad_; }
  bool pinned_memory() const { return pinned_memory_or_default(pinned_memory_); }
  bool has_pinned_memory() const { return pinned_memory_.has_value(); }
  std::optional<bool> pinned_memory_opt() const { return pinned_memory_; }
  bool has_memory_format() const { return memory_format_.has_value(); }
  std::optional<MemoryFormat> memory_format_opt() const { return memory_format_; }
  bool is_sparse() const { return layout() == Layout::Sparse; }

  /// These options, overridden by those that `options` has.
  [[nodiscard]] TensorOptions merge_in(const TensorOptions& options) const {
    TensorOptions merged = *this;
    if (options.device_) merged.device_ = options.device_;
    if (options.dtype_) merged.dtype_ = options.dtype_;
    if (options.layout_) merged.layout_ = options.layout_;
    if (options.requires_grad_) merged.requires_grad_ = options.requires_grad_;
    if (options.pinned_memory_) merged.pinned_memory_ = options.pinned_memory_;
    if (options.memory_format_) merged.memory_format_ = options.memory_format_;
    return merged;
  }
  [[nodiscard]] TensorOptions merge_memory_format(std::optional<MemoryFormat> value) const {
    return value.has_value() ? memory_format(value) : *this;
  }
  bool type_equal(const TensorOptions& other) const {
    return computeDispatchKey() == other.computeDispatchKey() && dtype() == other.dtype();
  }
  DispatchKey computeDispatchKey() const { return c10::computeDispatchKey(dtype_, layout_, device_); }

 private:
  std::optional<Device> device_;
  std::optional<ScalarType> dtype_;
  std::optional<Layout> layout_;
  std::optional<MemoryFormat> memory_format_;
  std::optional<bool> requires_grad_;
  std::optional<bool> pinned_memory_;
};
static_assert(sizeof(TensorOptions) <= 16, "options are passed by value");

C10_API void append_to(std::string& out, const TensorOptions& options);

inline TensorOptions dtype(caffe2::TypeMeta value) { return TensorOptions().dtype(value); }
inline TensorOptions dtype(ScalarType value) { return TensorOptions().dtype(value); }
template <class T>
TensorOptions dtype() {
  return TensorOptions().dtype<T>();
}
inline TensorOptions layout(Layout value) { return TensorOptions().layout(value); }
inline TensorOptions device(Device value) { return TensorOptions().device(value); }
inline TensorOptions requires_grad(bool value = true) { return TensorOptions().requires_grad(value); }
inline TensorOptions memory_format(MemoryFormat value) { return TensorOptions().memory_format(value); }

namespace impl {
/// The memory format of a call that takes one in its options or beside them. Throws c10::Error where both are
/// given.
inline std::optional<MemoryFormat> check_tensor_options_and_extract_memory_format(
    const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  TORCH_CHECK(!(options.has_memory_format() && memory_format.has_value()),
              "argument 'memory_format': given both in options and by itself");
  return memory_format.has_value() ? memory_format : options.memory_format_opt();
}
}  // namespace impl

}  // namespace c10::inline C10_ABI
