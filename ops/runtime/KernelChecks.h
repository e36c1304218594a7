// The checks that every generated kernel makes before it calls the native function.
#pragma once
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/TensorBase.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/TensorOptions.h>

#include <optional>

namespace at::inline C10_ABI::impl {

[[noreturn]] TORCH_API void throw_undefined(const c10::OperatorEntry& op, const char* argument, int position);
[[noreturn]] TORCH_API void throw_other_device(const c10::OperatorEntry& op, const char* argument,
                                               c10::Device got, c10::Device expected);

// Throws for a kernel that was declared but not defined, in a library generated with --missing-kernels stub.
// Several operators may share it, so its callers name theirs.
[[noreturn]] TORCH_API void throw_missing_kernel(const char* kernel);

// Prepends the operator's name to the message, unless a kernel has done so.
TORCH_API void name_operator(c10::Error& error, const c10::OperatorEntry& op);

inline void check_defined(const c10::OperatorEntry& op, const TensorBase& t, const char* argument,
                          int position) {
  if (C10_UNLIKELY(!t.defined())) {
    throw_undefined(op, argument, position);
  }
}
template <class List>
  requires(!std::is_base_of_v<TensorBase, List>)
inline void check_defined(const c10::OperatorEntry& op, const List& list, const char* argument,
                          int position) {
  for (const auto& t : list) {
    check_defined(op, t, argument, position);
  }
}

// A kernel of the Meta key writes to Meta tensors only: others would be left unchanged.
inline void check_written_on_meta(const c10::OperatorEntry& op, const TensorBase& t, const char* argument) {
  if (C10_UNLIKELY(!t.key_set().has_backend(c10::BackendComponent::MetaBit))) {
    throw_other_device(op, argument, t.device(), c10::Device(c10::kMeta));
  }
}
template <class List>
  requires(!std::is_base_of_v<TensorBase, List>)
void check_written_on_meta(const c10::OperatorEntry& op, const List& list, const char* argument) {
  for (const auto& t : list) check_written_on_meta(op, t, argument);
}

// All tensors of one call must be on one device; 0-dim CPU tensors may be excepted.
class SameDevice {
 public:
  explicit SameDevice(const c10::OperatorEntry& op, bool allow_cpu_scalars = false)
      : op_(op), allow_cpu_scalars_(allow_cpu_scalars) {}
  SameDevice& operator()(const TensorBase& t, const char* argument) {
    if (t.defined() && !(allow_cpu_scalars_ && t.dim() == 0 && t.is_cpu())) {
      if (!common_) {
        common_ = t.device();
      } else if (C10_UNLIKELY(t.device() != *common_)) {
        throw_other_device(op_, argument, t.device(), *common_);
      }
    }
    return *this;
  }
  template <class T>
  SameDevice& operator()(const std::optional<T>& t, const char* argument) {
    return t ? (*this)(*t, argument) : *this;
  }
  template <class List>
    requires(!std::is_base_of_v<TensorBase, List>)
  SameDevice& operator()(const List& list, const char* argument) {
    for (const auto& t : list) {
      (*this)(t, argument);
    }
    return *this;
  }

 private:
  const c10::OperatorEntry& op_;
  const bool allow_cpu_scalars_;
  std::optional<c10::Device> common_;
};

// The device for the kernel's device guard: that of a tensor, of the first tensor of a list, or of the
// options.
inline std::optional<c10::Device> device_of(const TensorBase& t) {
  return t.defined() ? std::optional(t.device()) : std::nullopt;
}
inline std::optional<c10::Device> device_of(const std::optional<c10::Device>& device) { return device; }
template <class T>
  requires std::is_base_of_v<TensorBase, T>
std::optional<c10::Device> device_of(const std::optional<T>& t) {
  return t ? device_of(*t) : std::nullopt;
}
template <class List>
  requires(!std::is_base_of_v<TensorBase, List>)
std::optional<c10::Device> device_of(const List& list) {
  for (const auto& t : list) {
    return device_of(t);
  }
  return std::nullopt;
}

// Factories: the key of the backend that the options name, and the key set for redispatch from BackendSelect.
TORCH_API c10::DispatchKey any_backend_of_options(std::optional<c10::ScalarType> dtype,
                                                  std::optional<c10::Layout> layout,
                                                  std::optional<c10::Device> device);
inline c10::DispatchKeySet backend_of_options(std::optional<c10::ScalarType> dtype,
                                              std::optional<c10::Layout> layout,
                                              std::optional<c10::Device> device) {
  if (C10_LIKELY(c10::device_or_default(device).is_cpu() && c10::layout_or_default(layout) == c10::kStrided &&
                 (!dtype || c10::isSupportedType(*dtype)))) {
    return c10::DispatchKeySet(c10::DispatchKey::CPU);
  }
  return c10::DispatchKeySet(any_backend_of_options(dtype, layout, device));
}
inline c10::DispatchKeySet below_backend_select(c10::DispatchKeySet keys, c10::DispatchKeySet backend) {
  return (keys | backend) &
         c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, c10::DispatchKey::BackendSelect);
}

}  // namespace at::inline C10_ABI::impl
