// What the nodes and kernels generated from derivatives.yaml use besides record.h.
#pragma once

#include <torch/autograd/record.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torch::inline C10_ABI::autograd::generated {

// -------------------- Redispatch

// The key set below these layers: the keys of a kernel in them, without those that fall through. Mostly only
// a backend remains.
class Below {
 public:
  C10_ALWAYS_INLINE explicit Below(c10::DispatchKeySet keys)
      : keys_(keys & c10::after_ADInplaceOrView_keyset) {}

  c10::DispatchKeySet keys() const { return keys_; }
  /// The backend's kernel; null where a key above it remains, or there is no kernel.
  C10_ALWAYS_INLINE c10::AnyKernel backend_kernel(const c10::OperatorEntry& op) const {
    constexpr uint64_t dense = c10::DispatchKeySet(c10::DispatchKey::Dense).raw_repr();
    constexpr auto first = c10::getDispatchTableIndexForDispatchKey(c10::DispatchKey::Dense);
    const uint64_t backends = keys_.raw_repr() ^ dense;
    if (C10_UNLIKELY(backends > c10::full_backend_mask)) return nullptr;
    return op.table()->slots[first + c10::detail::highest_bit(backends | 1)];
  }

 private:
  c10::DispatchKeySet keys_;
};

template <class F>
struct BelowCall;

/// Calls the kernel below these layers.
template <class Ret, class... Args>
struct BelowCall<Ret(Args...)> {
  static C10_ALWAYS_INLINE Ret call(const c10::OperatorEntry& op, c10::DispatchKeySet keys, Args... args) {
    const Below below(keys);
    const c10::AnyKernel fn = below.backend_kernel(op);
    using Fn = Ret (*)(const c10::OperatorEntry&, c10::DispatchKeySet, Args...);
    if (C10_UNLIKELY(fn == nullptr)) {
      return op.redispatch<Ret(Args...)>(below.keys(), static_cast<Args&&>(args)...);
    }
    return reinterpret_cast<Fn>(fn)(op, below.keys(), static_cast<Args&&>(args)...);
  }
};

template <class F>
struct ViewCall;

/// The same for an operator that makes a view of `base`. The library's own kernel (`own`) makes the view as
/// these layers need it and ends the ViewedEnd: the call is a tail call.
template <class... Args>
struct ViewCall<Tensor(Args...)> {
  using Fn = Tensor (*)(const c10::OperatorEntry&, c10::DispatchKeySet, Args...);

  template <Fn own>
  static C10_ALWAYS_INLINE Tensor call(const Tensor& base, const c10::OperatorEntry& op,
                                       c10::DispatchKeySet keys, Args... args) {
    const Below below(keys);
    if (C10_UNLIKELY(below.backend_kernel(op) != reinterpret_cast<c10::AnyKernel>(own))) {
      return call_other(base, op, below.keys(), static_cast<Args&&>(args)...);
    }
    at::detail::set_viewed(base);
    return own(op, below.keys(), static_cast<Args&&>(args)...);
  }

 private:
  static C10_NOINLINE C10_COLD Tensor call_other(const Tensor& base, const c10::OperatorEntry& op,
                                                 c10::DispatchKeySet keys, Args... args) {
    const at::detail::ViewedScope viewed(base);
    Tensor result = op.redispatch<Tensor(Args...)>(keys, static_cast<Args&&>(args)...);
    set_view(result, base);
    return result;
  }
};

// -------------------- Saved values

/// The sizes, dtype and device for zeros like a tensor.
using TypeAndSize = InputMetadata;
using SavedList = std::vector<SavedVariable>;

/// An owned array in place of an optional reference to one.
template <class T>
class OptionalArray {
 public:
  OptionalArray() = default;
  OptionalArray(const c10::OptionalArrayRef<T>& array) {
    if (array.has_value()) array_ = array.value().vec();
  }
  OptionalArray(const std::optional<c10::ArrayRef<T>>& array) {
    if (array.has_value()) array_ = array->vec();
  }
  bool has_value() const { return array_.has_value(); }
  c10::ArrayRef<T> operator*() const { return *array_; }
  operator c10::OptionalArrayRef<T>() const {
    return array_ ? c10::OptionalArrayRef<T>(c10::ArrayRef<T>(*array_)) : std::nullopt;
  }
  operator std::optional<c10::ArrayRef<T>>() const {
    return array_ ? std::optional<c10::ArrayRef<T>>(*array_) : std::nullopt;
  }

 private:
  std::optional<std::vector<T>> array_;
};

inline std::optional<std::string> owned(const std::optional<c10::string_view>& text) {
  return text ? std::optional<std::string>(std::string(*text)) : std::nullopt;
}

/// Of a list of tensors or of optional tensors.
template <class List>
SavedList save_list(const List& tensors, bool is_output) {
  SavedList saved;
  saved.reserve(tensors.size());
  for (const auto& t : tensors) {
    const std::optional<Tensor> value = t;
    saved.emplace_back(value, is_output);
  }
  return saved;
}
TORCH_API std::vector<Tensor> unpack_list(const SavedList& saved, Node* saved_for);
TORCH_API c10::List<std::optional<Tensor>> unpack_optional_list(const SavedList& saved, Node* saved_for);
TORCH_API void release_list(SavedList& saved);

// -------------------- Functions for formulas

inline c10::SymIntArrayRef strides_or_error(const Tensor& t, const char*) { return t.sym_strides(); }
inline bool isDifferentiableType(at::ScalarType t) { return c10::isFloatingType(t) || c10::isComplexType(t); }
/// The tensor, if the formula's condition asks for it to be saved.
inline std::optional<Tensor> wrap_opt_if(const Tensor& t, bool condition) {
  return condition ? std::optional<Tensor>(t) : std::nullopt;
}

// -------------------- Forward mode

/// `x_t` in formulas: zeros where the argument has no tangent, undefined where the argument is absent.
TORCH_API Tensor tangent_of(const Tensor& t);
inline Tensor tangent_of(const std::optional<Tensor>& t) { return t ? tangent_of(*t) : Tensor(); }
/// `x_p` in formulas.
inline Tensor primal_of(const Tensor& t) { return primal(t); }
inline Tensor primal_of(const std::optional<Tensor>& t) { return t ? primal(*t) : Tensor(); }

// -------------------- Gradients

inline bool any_defined(const variable_list& grads) {
  for (const Tensor& grad : grads) {
    if (grad.defined()) return true;
  }
  return false;
}
/// Stores the gradients of a list of tensors among a node's. Throws unless there is one for each.
TORCH_API void copy_range(variable_list& to, size_t first, size_t end, at::TensorList grads);

/// Throws when an argument requires grad for which there is no formula.
[[noreturn]] TORCH_API C10_COLD void throw_no_formula(const c10::OperatorEntry& op, const char* argument);
template <class T>
void check_no_requires_grad(const c10::OperatorEntry& op, const T& argument, const char* name) {
  if (compute_requires_grad(argument)) throw_no_formula(op, name);
}

}  // namespace torch::inline C10_ABI::autograd::generated
