// A kernel registered at run time, and how functions, lambdas and boxed functions become one.
#pragma once
#include <ATen/core/boxing/Boxing.h>
#include <ATen/core/boxing/Signature.h>
#include <ATen/core/dispatch/OperatorHandle.h>
#include <c10/util/Exception.h>

#include <string>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {

// Unboxed, boxed, or a fallthrough. Owns the state of a functor. Move-only.
class C10_API KernelFunction {
 public:
  using BoxedFn = void (*)(void* state, const OperatorHandle& op, DispatchKeySet ks, Stack* stack);

  KernelFunction() = default;
  KernelFunction(KernelFunction&& rhs) noexcept { swap(rhs); }
  KernelFunction& operator=(KernelFunction&& rhs) noexcept {
    swap(rhs);
    return *this;
  }
  ~KernelFunction() {
    if (destroy) destroy(state);
  }

  bool isFallthrough() const { return is_fallthrough; }
  bool isValid() const { return is_fallthrough || unboxed || boxed; }

  static KernelFunction makeFallthrough() {
    KernelFunction k;
    k.is_fallthrough = true;
    return k;
  }
  // `fn` takes (const OperatorHandle&, DispatchKeySet, Stack*) or the same without the key set.
  template <auto fn>
  static KernelFunction makeFromBoxedFunction();
  // Any callable of those forms.
  template <class Functor>
  static KernelFunction makeFromBoxedFunctor(Functor functor);
  // A function known at compile time, a function pointer, or a callable with one operator(). A leading
  // DispatchKeySet parameter receives the call's key set.
  template <auto fn>
  static KernelFunction makeFromUnboxedFunction();
  template <class Functor>
  static KernelFunction makeFromUnboxedFunctor(Functor functor);

  AnyKernel unboxed = nullptr;
  const Signature* signature = nullptr;  // of `unboxed`
  BoxedFn boxed = nullptr;
  void* state = nullptr;
  void (*destroy)(void*) = nullptr;
  bool is_fallthrough = false;

 private:
  void swap(KernelFunction& rhs) noexcept {
    std::swap(unboxed, rhs.unboxed);
    std::swap(signature, rhs.signature);
    std::swap(boxed, rhs.boxed);
    std::swap(state, rhs.state);
    std::swap(destroy, rhs.destroy);
    std::swap(is_fallthrough, rhs.is_fallthrough);
  }
};

// A kernel in the registry.
struct Kernel {
  KernelFunction function;
  DispatchKey key = DispatchKey::Undefined;
  const OperatorEntry* op = nullptr;  // nullptr for a backend fallback
  bool is_linked = false;             // registered by a library of kernels rather than by a user
  std::string where;
};

namespace detail {

// While it lives, no kernel that was registered at run time is freed, and `kernel` is the one that the
// operator's table has for the key set.
class C10_API KernelUse {
 public:
  KernelUse(const OperatorEntry& op, DispatchKeySet ks);
  KernelUse(const KernelUse&) = delete;
  KernelUse& operator=(const KernelUse&) = delete;
  ~KernelUse();

  const Kernel* kernel;
};

C10_API C10_COLD void add_operator_context(Error& error, const OperatorEntry& op);

// How the dispatcher passes what a kernel takes as T.
template <class T>
struct PassedAs {
  using type = T;
};
template <class T>
struct PassedAs<const T&> : PassedAs<T> {};
template <class T>
struct PassedByReference {
  using type = const T&;
};
template <>
struct PassedAs<at::Tensor> : PassedByReference<at::Tensor> {};
template <>
struct PassedAs<Scalar> : PassedByReference<Scalar> {};
template <class T>
struct PassedAs<List<T>> : PassedByReference<List<T>> {};
template <class T>
struct PassedAs<IListRef<T>> : PassedByReference<IListRef<T>> {};
template <>
struct PassedAs<std::optional<at::Tensor>> : PassedByReference<std::optional<at::Tensor>> {};
template <>
struct PassedAs<std::optional<Scalar>> : PassedByReference<std::optional<Scalar>> {};
template <>
struct PassedAs<std::string> {
  using type = std::string_view;
};
template <>
struct PassedAs<std::optional<std::string>> {
  using type = std::optional<std::string_view>;
};
template <class T>
struct PassedAs<std::vector<T>> {
  using type = ArrayRef<T>;
};
template <class T>
struct PassedAs<std::optional<std::vector<T>>> {
  using type = std::optional<ArrayRef<T>>;
};

template <class T>
struct KernelArgument {
  template <class P>
  static decltype(auto) from(P&& passed) {
    return static_cast<T>(static_cast<P&&>(passed));
  }
};
template <class T>
struct KernelArgument<const T&> {
  template <class P>
  static decltype(auto) from(P&& passed) {
    if constexpr (std::is_same_v<std::remove_cvref_t<P>, T>) {
      return static_cast<const T&>(passed);
    } else {
      return KernelArgument<T>::from(passed);
    }
  }
};
template <class T>
struct KernelArgument<std::vector<T>> {
  static std::vector<T> from(ArrayRef<T> passed) { return std::vector<T>(passed.begin(), passed.end()); }
};
template <class T>
struct KernelArgument<std::optional<std::vector<T>>> {
  static std::optional<std::vector<T>> from(const std::optional<ArrayRef<T>>& passed) {
    if (!passed.has_value()) return std::nullopt;
    return KernelArgument<std::vector<T>>::from(*passed);
  }
};
template <>
struct KernelArgument<std::optional<std::string>> {
  static std::optional<std::string> from(const std::optional<std::string_view>& passed) {
    if (!passed.has_value()) return std::nullopt;
    return std::string(*passed);
  }
};

template <class T>
constexpr void check_kernel_type() {
  constexpr uint8_t code = type_code<T>;
  static_assert((code & ~optional_flag) != code_of(CppType::Other),
                "this type is none that an operator's schema can have; integers are int64_t, floating point "
                "numbers double");
}

// A kernel of type Ret(Args...), called with the dispatcher's calling convention.
template <class F>
struct KernelAdapter;

template <class Ret, class... Args>
struct KernelAdapter<Ret(Args...)> {
  using Passed = Ret(typename PassedAs<Args>::type...);

  template <class Fn>
  static C10_ALWAYS_INLINE Ret run(const OperatorEntry& op, const Fn& fn,
                                   typename PassedAs<Args>::type... args) {
    try {
      return fn(KernelArgument<Args>::from(static_cast<typename PassedAs<Args>::type&&>(args))...);
    } catch (Error& error) {
      add_operator_context(error, op);
      throw;
    }
  }

  // A function known at compile time.
  template <auto fn, bool with_keys>
  static Ret direct(const OperatorEntry& op, DispatchKeySet ks, typename PassedAs<Args>::type... args) {
    const auto call = [&](auto&&... a) -> Ret {
      if constexpr (with_keys) {
        return fn(ks, static_cast<decltype(a)&&>(a)...);
      } else {
        return fn(static_cast<decltype(a)&&>(a)...);
      }
    };
    return run(op, call, static_cast<typename PassedAs<Args>::type&&>(args)...);
  }

  // A functor whose state is in the kernel in the table. If another kernel replaced it meanwhile, that one is
  // called.
  template <class Functor, bool with_keys>
  static Ret stateful(const OperatorEntry& op, DispatchKeySet ks, typename PassedAs<Args>::type... args) {
    const KernelUse use(op, ks);
    constexpr auto self = &stateful<Functor, with_keys>;
    if (!use.kernel || use.kernel->function.unboxed != reinterpret_cast<AnyKernel>(self)) [[unlikely]] {
      return op.redispatch<Passed>(ks, static_cast<typename PassedAs<Args>::type&&>(args)...);
    }
    auto& functor = *static_cast<Functor*>(use.kernel->function.state);
    const auto call = [&](auto&&... a) -> Ret {
      if constexpr (with_keys) {
        return functor(ks, static_cast<decltype(a)&&>(a)...);
      } else {
        return functor(static_cast<decltype(a)&&>(a)...);
      }
    };
    return run(op, call, static_cast<typename PassedAs<Args>::type&&>(args)...);
  }

  static constexpr void check_types() {
    if constexpr (!std::is_void_v<Ret>) static_assert(sizeof(SignatureTypes<Passed>::codes) > 0);
    (check_kernel_type<typename PassedAs<Args>::type>(), ...);
  }
};

// The function type of a callable, and whether it begins with a DispatchKeySet.
template <class F>
struct KernelType;
template <class Ret, class... Args>
struct KernelType<Ret(Args...)> {
  using type = Ret(Args...);
  static constexpr bool with_keys = false;
};
template <class Ret, class... Args>
struct KernelType<Ret(DispatchKeySet, Args...)> {
  using type = Ret(Args...);
  static constexpr bool with_keys = true;
};
template <class Ret, class... Args>
struct KernelType<Ret (*)(Args...)> : KernelType<Ret(Args...)> {};
template <class Ret, class... Args>
struct KernelType<Ret (*)(Args...) noexcept> : KernelType<Ret(Args...)> {};
template <class C, class Ret, class... Args>
struct KernelType<Ret (C::*)(Args...)> : KernelType<Ret(Args...)> {};
template <class C, class Ret, class... Args>
struct KernelType<Ret (C::*)(Args...) const> : KernelType<Ret(Args...)> {};
template <class Functor>
  requires requires { &Functor::operator(); }
struct KernelType<Functor> : KernelType<decltype(&Functor::operator())> {};

template <class Functor>
void destroy_functor(void* state) {
  delete static_cast<Functor*>(state);
}

// Whether Functor is called as a boxed kernel.
template <class Functor>
inline constexpr bool is_boxed_with_keys =
    std::is_invocable_v<Functor&, const OperatorHandle&, DispatchKeySet, Stack*>;
template <class Functor>
inline constexpr bool is_boxed =
    is_boxed_with_keys<Functor> || std::is_invocable_v<Functor&, const OperatorHandle&, Stack*>;

template <class Functor>
void call_boxed_functor(Functor& functor, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  if constexpr (is_boxed_with_keys<Functor>) {
    functor(op, ks, stack);
  } else {
    functor(op, stack);
  }
}

}  // namespace detail

template <auto fn>
KernelFunction KernelFunction::makeFromBoxedFunction() {
  KernelFunction k;
  k.boxed = [](void*, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
    detail::call_boxed_functor(*fn, op, ks, stack);
  };
  return k;
}

template <class Functor>
KernelFunction KernelFunction::makeFromBoxedFunctor(Functor functor) {
  KernelFunction k;
  k.boxed = [](void* state, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
    detail::call_boxed_functor(*static_cast<Functor*>(state), op, ks, stack);
  };
  k.state = new Functor(std::move(functor));
  k.destroy = &detail::destroy_functor<Functor>;
  return k;
}

template <auto fn>
KernelFunction KernelFunction::makeFromUnboxedFunction() {
  using Type = detail::KernelType<std::remove_cv_t<decltype(fn)>>;
  using Adapter = detail::KernelAdapter<typename Type::type>;
  Adapter::check_types();
  KernelFunction k;
  k.unboxed = reinterpret_cast<AnyKernel>(&Adapter::template direct<fn, Type::with_keys>);
  k.signature = &boxing<typename Adapter::Passed>;
  return k;
}

template <class Functor>
KernelFunction KernelFunction::makeFromUnboxedFunctor(Functor functor) {
  if constexpr (std::is_empty_v<Functor> && requires { makeFromUnboxedFunction<Functor{}>(); }) {
    return makeFromUnboxedFunction<Functor{}>();  // a lambda that captures nothing needs no state
  }
  using Type = detail::KernelType<Functor>;
  using Adapter = detail::KernelAdapter<typename Type::type>;
  Adapter::check_types();
  KernelFunction k;
  k.unboxed = reinterpret_cast<AnyKernel>(&Adapter::template stateful<Functor, Type::with_keys>);
  k.signature = &boxing<typename Adapter::Passed>;
  k.state = new Functor(std::move(functor));
  k.destroy = &detail::destroy_functor<Functor>;
  return k;
}

}  // namespace c10::inline C10_ABI
