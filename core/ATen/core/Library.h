// torch::Library: operators, kernels and fallbacks added by a program or an extension; <torch/library.h> has
// the macros.
#pragma once
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/dispatch/SignatureCheck.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch::inline C10_ABI {

// A kernel to be added to a library, with its key if that is not the library's.
class CppFunction final {
 public:
  CppFunction(CppFunction&&) = default;
  CppFunction& operator=(CppFunction&&) = default;
  explicit CppFunction(c10::KernelFunction kernel) : kernel_(std::move(kernel)) {}

  // A function, a function pointer or a lambda, unboxed or, by its parameters, boxed.
  template <class F>
    requires(c10::detail::is_boxed<std::decay_t<F>> ||
             requires { typename c10::detail::KernelType<std::decay_t<F>>::type; })
  CppFunction(F&& f) : kernel_(make(std::forward<F>(f))) {}

  static CppFunction makeFallthrough() { return CppFunction(c10::KernelFunction::makeFallthrough()); }
  template <auto fn>
  static CppFunction makeFromBoxedFunction() {
    return CppFunction(c10::KernelFunction::makeFromBoxedFunction<fn>());
  }
  template <class Functor>
  static CppFunction makeFromBoxedFunctor(Functor functor) {
    return CppFunction(c10::KernelFunction::makeFromBoxedFunctor(std::move(functor)));
  }
  template <auto fn>
  static CppFunction makeUnboxedOnly() {
    return CppFunction(c10::KernelFunction::makeFromUnboxedFunction<fn>());
  }

  // Sets where it was registered, for errors.
  CppFunction&& debug(std::string where) && {
    where_ = std::move(where);
    return std::move(*this);
  }

 private:
  friend class Library;
  template <class F>
  friend CppFunction dispatch(c10::DispatchKey key, F&& f);

  template <class F>
  static c10::KernelFunction make(F&& f) {
    using Functor = std::decay_t<F>;
    if constexpr (c10::detail::is_boxed<Functor>) {
      return c10::KernelFunction::makeFromBoxedFunctor<Functor>(std::forward<F>(f));
    } else {
      return c10::KernelFunction::makeFromUnboxedFunctor<Functor>(std::forward<F>(f));
    }
  }

  c10::KernelFunction kernel_;
  std::optional<c10::DispatchKey> key_;
  std::string where_;
};

// A function known at compile time, called without a pointer: what TORCH_FN(f) makes.
template <auto fn>
struct CompileTimeFunction {
  operator CppFunction() const { return CppFunction(c10::KernelFunction::makeFromUnboxedFunction<fn>()); }
};

// The kernel `f`, for `key` instead of the library's own key.
template <class F>
CppFunction dispatch(c10::DispatchKey key, F&& f) {
  CppFunction function(std::forward<F>(f));
  function.key_ = key;
  return function;
}
template <class F>
CppFunction dispatch(c10::DeviceType type, F&& f) {
  return dispatch(
      c10::toRuntimePerBackendFunctionalityKey(c10::DispatchKey::Dense, c10::toBackendComponent(type)),
      std::forward<F>(f));
}

// Marks a schema where a plain string would do as well.
inline c10::FunctionSchema schema(std::string_view text) { return jit::parseSchema(text); }

// Everything added through it is removed when it is destroyed. Errors are c10::Error and leave what was added
// before.
class C10_API Library final {
 public:
  enum Kind { DEF, IMPL, FRAGMENT };

  // `ns` may be "_" for IMPL: names then contain their namespace. `file` must outlive the library.
  Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> key, const char* file, uint32_t line);
  Library(Library&&) = default;
  Library& operator=(Library&&) = default;
  ~Library();

  // Defines an operator by its schema, "add.Tensor(Tensor self, Tensor other) -> Tensor"; the library's
  // namespace is added. Bit n of `tags` is tag number n.
  Library& def(std::string_view schema, uint64_t tags = 0);
  Library& def(c10::FunctionSchema&& schema, uint64_t tags = 0);
  // Defines it and gives it a kernel: for the library's key, else CompositeImplicitAutograd. From a name
  // alone the schema is made of the kernel's C++ types.
  template <class F>
    requires std::is_constructible_v<CppFunction, F>
  Library& def(std::string_view name_or_schema, F&& f, uint64_t tags = 0) {
    return define_with_kernel(name_or_schema, CppFunction(std::forward<F>(f)), tags);
  }

  // Gives an operator a kernel for the library's key or that of dispatch(key, f). The operator may be defined
  // by anyone, before or after.
  template <class F>
  Library& impl(std::string_view name, F&& f) {
    return add_kernel(name, CppFunction(std::forward<F>(f)));
  }
  template <class F>
  Library& impl(std::string_view name, c10::DispatchKey key, F&& f) {
    return add_kernel(name, dispatch(key, std::forward<F>(f)));
  }

  // The boxed kernel of all operators for the library's key; only in namespace "_".
  template <class F>
  Library& fallback(F&& f) {
    return add_fallback(CppFunction(std::forward<F>(f)));
  }

  // Removes everything it added.
  void reset();

 private:
  c10::OperatorName qualified(std::string_view name) const;
  std::string where() const;
  Library& define_with_kernel(std::string_view name_or_schema, CppFunction&& f, uint64_t tags);
  Library& add_kernel(std::string_view name, CppFunction&& f);
  Library& add_fallback(CppFunction&& f);

  Kind kind_;
  std::optional<std::string> ns_;
  std::optional<c10::DispatchKey> key_;
  const char* file_;
  uint32_t line_;
  std::vector<c10::RegistrationHandleRAII> registrations_;
};

namespace detail {

// What the macros define: a library that lives as long as the program or shared object.
class TorchLibraryInit final {
 public:
  TorchLibraryInit(Library::Kind kind, void (*init)(Library&), const char* ns,
                   std::optional<c10::DispatchKey> key, const char* file, uint32_t line)
      : library_(kind, ns, key, file, line) {
    init(library_);
  }

 private:
  Library library_;
};

}  // namespace detail
}  // namespace torch::inline C10_ABI
