// What the generated kernels of the Autocast keys are made of.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/native/Autocast.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <optional>
#include <tuple>
#include <vector>

namespace at::inline C10_ABI::autocast {

/// Whether a kernel for the device casts the tensor: it is there, of floating point, and not float64.
inline bool is_eligible(const Tensor& t, c10::DeviceType device) {
  return t.defined() && t.device().type() == device && c10::isFloatingType(t.scalar_type()) &&
         t.scalar_type() != c10::kDouble;
}

/// Returns `t`, cast if it is eligible. Casts of leaves that require gradients are kept.
C10_API Tensor cached_cast(c10::ScalarType to, const Tensor& t, c10::DeviceType device);

/// float32 if `current` or `t` is, else the lower precision; throws for other dtypes.
C10_API c10::ScalarType prioritize(c10::ScalarType current, const Tensor& t, c10::DeviceType device);

[[noreturn]] C10_API C10_COLD void throw_refused(const char* instead, const c10::OperatorEntry& op);

namespace detail {

/// Calls `f` with each tensor of an argument.
template <class F, class T>
void each_tensor(const F&, const T&) {}
template <class F>
void each_tensor(const F& f, const Tensor& t) {
  if (t.defined()) f(t);
}
template <class F, class T>
void each_tensor(const F& f, const std::optional<T>& arg) {
  if (arg.has_value()) each_tensor(f, *arg);
}
template <class F>
void each_tensor(const F& f, ITensorListRef list) {
  for (const Tensor& t : list) each_tensor(f, t);
}
template <class F>
void each_tensor(const F& f, TensorList list) {
  for (const Tensor& t : list) each_tensor(f, t);
}
/// Casts arguments; those that are no tensors are left as they are.
struct Caster {
  c10::DeviceType device;
  c10::ScalarType to;

  Tensor operator()(const Tensor& t) const { return cached_cast(to, t, device); }
  std::optional<Tensor> operator()(const std::optional<Tensor>& t) const {
    return t.has_value() ? std::optional<Tensor>(cached_cast(to, *t, device)) : std::nullopt;
  }
  std::vector<Tensor> operator()(const ITensorListRef& list) const { return cast_all(list); }
  std::vector<Tensor> operator()(const TensorList& list) const { return cast_all(list); }
  template <class T>
  const T& operator()(const T& other) const {
    return other;
  }

 private:
  template <class List>
  std::vector<Tensor> cast_all(const List& list) const {
    std::vector<Tensor> cast;
    cast.reserve(list.size());
    for (const Tensor& t : list) cast.push_back(cached_cast(to, t, device));
    return cast;
  }
};

inline std::optional<c10::ScalarType> float32_unless_set(const std::optional<c10::ScalarType>& dtype) {
  return dtype.has_value() ? dtype : c10::kFloat;
}
template <class T>
const T& float32_unless_set(const T& other) {
  return other;
}

}  // namespace detail

template <c10::DeviceType device, class F>
struct Call;

/// The kernels for an operator, one for each cast. The operator that they call, and all that it calls, is
/// called without the key. A region adds its key to every call, so that arguments of other devices are passed
/// on.
template <c10::DeviceType device, class Ret, class... Args>
struct Call<device, Ret(Args...)> {
  using Op = const c10::OperatorEntry&;
  using Keys = c10::DispatchKeySet;

  static Ret lower_precision(Op op, Keys keys, Args... args) {
    return cast_to(op, keys, [](const auto&...) { return get_autocast_dtype(device); }, args...);
  }

  static Ret float32(Op op, Keys keys, Args... args) {
    return cast_to(op, keys, [](const auto&...) { return c10::kFloat; }, args...);
  }

  static Ret promote(Op op, Keys keys, Args... args) {
    const auto widest = [](const auto&... tensors) {
      c10::ScalarType to = get_autocast_dtype(device);
      (detail::each_tensor([&](const Tensor& t) { to = prioritize(to, t, device); }, tensors), ...);
      return to;
    };
    return cast_to(op, keys, widest, args...);
  }

  static Ret float32_dtype(Op op, Keys keys, Args... args) {
    if (!reaches(args...)) return pass_on(op, keys, args...);
    const c10::impl::ExcludeDispatchKeyGuard below(key);
    if (!is_eligible(std::get<0>(std::tie(args...)), device)) return op.call<Ret(Args...)>(args...);
    return op.call<Ret(Args...)>(detail::float32_unless_set(args)...);
  }

  template <class Overload>
  static Ret float32_overload(Op op, Keys keys, Args... args) {
    const Tensor& first = std::get<0>(std::tie(args...));
    if (!reaches(args...)) return pass_on(op, keys, args...);
    const c10::impl::ExcludeDispatchKeyGuard below(key);
    return Overload::call(args..., is_eligible(first, device) ? c10::kFloat : first.scalar_type());
  }

  static Ret refused(const char* instead, Op op, Keys keys, Args... args) {
    if (!reaches(args...)) return pass_on(op, keys, args...);
    throw_refused(instead, op);
  }

 private:
  static constexpr c10::DispatchKey key =
      device == c10::DeviceType::CPU ? c10::DispatchKey::AutocastCPU : c10::DispatchKey::AutocastCUDA;

  static bool reaches(const Args&... args) {
    bool any = false;
    (detail::each_tensor([&](const Tensor& t) { any |= t.device().type() == device; }, args), ...);
    return any;
  }

  static Ret pass_on(Op op, Keys keys, Args... args) {
    return op.redispatch<Ret(Args...)>(keys & Keys(Keys::FULL_AFTER, key), args...);
  }

  template <class To>
  static Ret cast_to(Op op, Keys keys, const To& to, Args... args) {
    if (!reaches(args...)) return pass_on(op, keys, args...);
    const c10::impl::ExcludeDispatchKeyGuard below(key);
    const detail::Caster cast{device, to(args...)};
    return op.call<Ret(Args...)>(cast(args)...);
  }
};

}  // namespace at::inline C10_ABI::autocast
