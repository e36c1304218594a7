// The registry of operators: found by name, and given schemas, kernels and fallbacks at run time.
#pragma once
#include <ATen/core/boxing/Boxing.h>
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <ATen/core/dispatch/OperatorHandle.h>
#include <ATen/core/function_schema.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace c10::inline C10_ABI {

// A kernel of a library that is loaded after the operators' own.
struct KernelRow {
  const OperatorEntry* op;
  DispatchKey key;
  AnyKernel fn;
};

// Undoes a registration when it is destroyed.
class C10_API RegistrationHandleRAII {
 public:
  enum class Kind : uint8_t { None, Library, Definition, Implementation, Fallback };

  RegistrationHandleRAII() = default;
  RegistrationHandleRAII(Kind kind, void* what) : kind_(kind), what_(what) {}
  RegistrationHandleRAII(RegistrationHandleRAII&& rhs) noexcept
      : kind_(std::exchange(rhs.kind_, Kind::None)), what_(rhs.what_) {}
  RegistrationHandleRAII& operator=(RegistrationHandleRAII&& rhs) noexcept {
    std::swap(kind_, rhs.kind_);
    std::swap(what_, rhs.what_);
    return *this;
  }
  ~RegistrationHandleRAII() { reset(); }
  void reset();

 private:
  Kind kind_ = Kind::None;
  void* what_ = nullptr;
};

// All functions are thread-safe. Registration throws c10::Error, naming both places, for what is registered
// already, and for a kernel whose C++ types are not those of the schema.
class C10_API Dispatcher {
 public:
  static Dispatcher& singleton();

  // The operator, if it has a schema.
  std::optional<OperatorHandle> findSchema(const OperatorName& name) const;
  // The operator, if it has a schema or kernels.
  std::optional<OperatorHandle> findOp(const OperatorName& name) const;
  // Throws c10::Error that names the overloads that exist.
  OperatorHandle findSchemaOrThrow(std::string_view name, std::string_view overload_name) const;
  // In the order of registration.
  std::vector<OperatorName> getAllOpNames() const;
  // Overloads of "aten::add".
  std::vector<OperatorHandle> findOverloads(std::string_view name) const;

  // `where` is shown in errors: "registered at file.cpp:12".
  RegistrationHandleRAII registerLibrary(std::string ns, std::string where);
  RegistrationHandleRAII registerDef(FunctionSchema schema, std::string where, uint64_t tags = 0);
  // `key`: a runtime or alias key; Undefined means CompositeImplicitAutograd. A kernel that was linked in is
  // hidden for as long as the registration lives; one registered at run time only with `allow_override`.
  RegistrationHandleRAII registerImpl(OperatorName name, DispatchKey key, KernelFunction kernel,
                                      std::string where, bool allow_override = false);
  // The kernel of all operators that have none of their own for `key`, which must be a runtime key. It is
  // boxed, or a fallthrough.
  // The library's own fallback for a key, which a registered one replaces.
  void setDefaultFallback(DispatchKey key, KernelFunction kernel);
  RegistrationHandleRAII registerFallback(DispatchKey key, KernelFunction kernel, std::string where);

  void callBoxed(const OperatorHandle& op, Stack* stack) const { op.callBoxed(stack); }
  void redispatchBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const {
    op.redispatchBoxed(ks, stack);
  }

 private:
  Dispatcher() = default;
};

// Called by each library when it is loaded, with arrays that live as long as the process.
C10_API void register_operators(OperatorEntry* const* ops, size_t n, const char* where);
C10_API void register_kernels(const KernelRow* rows, size_t n, const char* where);

template <class F>
TypedOperatorHandle<F> OperatorHandle::typed() const {
  check_signature(boxing<F>);
  return TypedOperatorHandle<F>(*op_);
}

}  // namespace c10::inline C10_ABI
