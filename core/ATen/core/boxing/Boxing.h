// Conversions of calls between C++ types and stacks of IValues, one per distinct operator signature:
// `&c10::boxing<Ret(Args...)>`. Used where at::Tensor is complete. Conversions of single values are out of
// line, one per type, to keep each signature's code small.
#pragma once
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/boxing/CppTypes.h>
#include <ATen/core/boxing/Signature.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <ATen/core/ivalue.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/SmallVector.h>

#include <tuple>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {
namespace detail {

// The last `n` elements. Throws c10::Error when there are fewer.
C10_API IValue* boxed_arguments(const OperatorEntry& op, Stack* stack, size_t n);
// Replaces the last `num_arguments` elements.
C10_API void replace_arguments(Stack* stack, size_t num_arguments, IValue* results, size_t num_results);
C10_API void push_argument(Stack& stack, IValue&& value);
// Runs the boxed kernel in the operator's table for `ks`. Throws c10::Error unless it leaves `num_results`.
C10_API void run_boxed_kernel(const OperatorEntry& op, DispatchKeySet ks, Stack* stack, size_t num_results);

// An argument popped from the stack: owns what the C++ type only refers to, for the duration of the call.
template <class T>
class Unboxed {
 public:
  explicit Unboxed(IValue& v) : value_(IValueCast<T>::from(v)) {}
  T get() { return std::move(value_); }

 private:
  T value_;
};

template <class T>
class Unboxed<const T&> {
 public:
  explicit Unboxed(IValue& v) : value_(IValueCast<T>::from(v)) {}
  const T& get() { return value_; }

 private:
  T value_;
};

// Tensors stay where they are. at::Tensor adds nothing to TensorBase, so the one in the IValue is read as
// one.
template <class T>
  requires std::is_base_of_v<at::TensorBase, T>
class Unboxed<T&> {
 public:
  explicit Unboxed(IValue& v) : value_(static_cast<T&>(v.toTensorBase())) {}
  T& get() { return value_; }

 private:
  T& value_;
};
template <class T>
  requires std::is_base_of_v<at::TensorBase, T>
class Unboxed<const T&> {
 public:
  explicit Unboxed(IValue& v) : value_(static_cast<const T&>(v.toTensorBase())) {}
  const T& get() { return value_; }

 private:
  const T& value_;
};

// None is an undefined tensor for `Tensor?`, and no value elsewhere.
template <class T>
class Unboxed<ArrayRef<T>> {
 public:
  explicit Unboxed(IValue& v) { fill(v.toListRef()); }
  ArrayRef<T> get() { return {values_.data(), values_.size()}; }

 private:
  C10_NOINLINE void fill(ArrayRef<IValue> list) {
    values_.reserve(list.size());
    for (const IValue& e : list) values_.push_back(e.to<T>());
  }
  SmallVector<T, 4> values_;
};

template <class Optional, class T>
class UnboxedOptionalArray {
 public:
  explicit UnboxedOptionalArray(IValue& v) {
    if (!v.isNone()) values_.emplace(v);
  }
  Optional get() { return values_.has_value() ? Optional(values_->get()) : Optional(); }

 private:
  std::optional<Unboxed<ArrayRef<T>>> values_;
};
template <class T>
class Unboxed<std::optional<ArrayRef<T>>> : public UnboxedOptionalArray<std::optional<ArrayRef<T>>, T> {
 public:
  using UnboxedOptionalArray<std::optional<ArrayRef<T>>, T>::UnboxedOptionalArray;
};
template <class T>
class Unboxed<OptionalArrayRef<T>> : public UnboxedOptionalArray<OptionalArrayRef<T>, T> {
 public:
  using UnboxedOptionalArray<OptionalArrayRef<T>, T>::UnboxedOptionalArray;
};

template <>
class Unboxed<const IListRef<at::Tensor>&> {
 public:
  explicit Unboxed(IValue& v) : value_(v.toListRef()) {}
  const IListRef<at::Tensor>& get() { return value_; }

 private:
  IListRef<at::Tensor> value_;
};

// The IValue of a C++ argument or result.
template <class T>
IValue to_ivalue(const T& value) {
  return IValue(value);
}
template <class T>
IValue to_ivalue(const OptionalArrayRef<T>& value) {
  return value.has_value() ? IValue(ArrayRef<T>(*value)) : IValue();
}
// A template, as at::Tensor is complete only where this is used.
template <class T>
  requires std::is_same_v<T, IListRef<at::Tensor>>
IValue to_ivalue(const T& tensors) {
  std::vector<IValue> list;
  for (const auto& tensor : tensors) list.emplace_back(tensor);
  return IValue(make_intrusive<ListImpl>(std::move(list)));
}

// How results of type Ret are pushed and popped. `off` gets the arguments: operators that return a reference
// return the argument they have written to.
template <class Ret>
struct Results {
  static constexpr size_t count = 1;
  static void on(Stack* stack, size_t num_arguments, Ret&& result) {
    IValue value = to_ivalue(result);
    replace_arguments(stack, num_arguments, &value, 1);
  }
  template <class... Args>
  static Ret off(Stack& stack, Args&...) {
    return IValueCast<Ret>::from(stack.back());
  }
};

template <>
struct Results<void> {
  static constexpr size_t count = 0;
};

// The I-th last of the arguments that are mutable tensors; const ones if there are no others.
template <size_t FromLast, class T, class... Args>
T& written_argument(Args&... args) {
  T* found[sizeof...(Args) + 1] = {};
  size_t n = 0;
  constexpr bool any_mutable = (std::is_same_v<Args, std::remove_const_t<T>> || ...);
  (
      [&] {
        if constexpr (std::is_same_v<Args, std::remove_const_t<T>> ||
                      (!any_mutable && std::is_same_v<Args, T>)) {
          found[n++] = const_cast<T*>(&args);
        }
      }(),
      ...);
  return *found[n - 1 - FromLast];
}

// One reference: in-place operators return their first argument, out= operators their last tensor.
template <class T>
struct Results<T&> {
  static constexpr size_t count = 1;
  static void on(Stack* stack, size_t num_arguments, T& result) {
    IValue value(result);
    replace_arguments(stack, num_arguments, &value, 1);
  }
  template <class First, class... Rest>
  static T& off(Stack&, First& first, Rest&... rest) {
    if constexpr (std::is_same_v<First, T> && !(std::is_same_v<Rest, at::Tensor> || ...)) {
      return first;
    } else {
      return written_argument<0, T>(first, rest...);
    }
  }
};

template <class... T>
struct Results<std::tuple<T...>> {
  static constexpr size_t count = sizeof...(T);
  static void on(Stack* stack, size_t num_arguments, std::tuple<T...>&& results) {
    std::apply(
        [&](auto&... result) {
          IValue values[] = {to_ivalue(result)...};
          replace_arguments(stack, num_arguments, values, sizeof...(T));
        },
        results);
  }
  template <class... Args>
  static std::tuple<T...> off(Stack& stack, Args&... args) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return std::tuple<T...>(one<T, I>(stack, args...)...);
    }(std::index_sequence_for<T...>());
  }

 private:
  template <class R, size_t I, class... Args>
  static R one(Stack& stack, Args&... args) {
    if constexpr (std::is_reference_v<R>) {
      return written_argument<sizeof...(T) - 1 - I, std::remove_reference_t<R>>(args...);
    } else {
      return IValueCast<R>::from(stack[stack.size() - sizeof...(T) + I]);
    }
  }
};

// Zero if autograd certainly has nothing to do for the argument.
template <class T>
C10_ALWAYS_INLINE uintptr_t tracking_bits_of(const T& arg) {
  if constexpr (std::is_base_of_v<at::TensorBase, T>) {
    return arg.unsafeGetTensorImpl()->tracking_bits();
  } else if constexpr (is_optional<T>) {
    return arg.has_value() ? tracking_bits_of(*arg) : 0;
  } else if constexpr (is_array_ref<T>) {
    uintptr_t bits = 0;
    if constexpr (std::is_base_of_v<at::TensorBase, std::remove_cv_t<typename T::value_type>>) {
      for (const auto& tensor : arg) bits |= tracking_bits_of(tensor);
    }
    return bits;
  } else if constexpr (requires { arg.dispatch_key_set(); }) {
    return arg.dispatch_key_set().empty() ? 0 : 1;  // lists: decided once they are unpacked
  }
  return 0;
}

template <class F>
struct Boxing;

template <class Ret, class... Args>
struct Boxing<Ret(Args...)> {
  static void call_boxed(AnyKernel kernel, const OperatorEntry& op, DispatchKeySet ks, Stack* stack) {
    call(kernel, op, ks, stack, std::index_sequence_for<Args...>());
  }

  static Ret from_boxed(const OperatorEntry& op, DispatchKeySet ks, Args... args) {
    Stack stack;
    stack.reserve(sizeof...(Args));
    (push_argument(stack, to_ivalue(args)), ...);
    run_boxed_kernel(op, ks, &stack, Results<Ret>::count);
    if constexpr (!std::is_void_v<Ret>) return Results<Ret>::off(stack, args...);
  }

  static Ret from_boxed_if_tracked(const OperatorEntry& op, DispatchKeySet ks, Args... args) {
    if ((tracking_bits_of(args) | ... | uintptr_t{0}) != 0) [[unlikely]] {
      return from_boxed(op, ks, static_cast<Args&&>(args)...);
    }
    return op.redispatch<Ret(Args...)>(ks & after_autograd_keyset, static_cast<Args&&>(args)...);
  }

 private:
  using KernelFn = Ret (*)(const OperatorEntry&, DispatchKeySet, Args...);

  template <size_t... I>
  static void call(AnyKernel kernel, const OperatorEntry& op, DispatchKeySet ks, Stack* stack,
                   std::index_sequence<I...>) {
    [[maybe_unused]] IValue* args = boxed_arguments(op, stack, sizeof...(Args));
    const auto fn = reinterpret_cast<KernelFn>(kernel);
    if constexpr (std::is_void_v<Ret>) {
      fn(op, ks, Unboxed<Args>(args[I]).get()...);
      replace_arguments(stack, sizeof...(Args), nullptr, 0);
    } else {
      Results<Ret>::on(stack, sizeof...(Args), fn(op, ks, Unboxed<Args>(args[I]).get()...));
    }
  }
};

}  // namespace detail

template <class F>
inline const Signature boxing = {
    &detail::Boxing<F>::call_boxed,
    reinterpret_cast<AnyKernel>(&detail::Boxing<F>::from_boxed),
    reinterpret_cast<AnyKernel>(&detail::Boxing<F>::from_boxed_if_tracked),
    detail::SignatureTypes<F>::codes,
    detail::SignatureTypes<F>::num_results,
    detail::SignatureTypes<F>::num_arguments,
};

}  // namespace c10::inline C10_ABI
