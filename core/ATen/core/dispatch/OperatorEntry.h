// An operator: its name, schema and kernels, and the call that picks a kernel by the arguments' dispatch
// keys.
#pragma once
#include <ATen/core/TensorBase.h>
#include <ATen/core/boxing/Signature.h>
#include <ATen/core/dispatch/DispatchTable.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ArrayRef.h>

#include <atomic>
#include <optional>
#include <type_traits>

namespace c10::inline C10_ABI {

class FunctionSchema;
struct OperatorRegistrations;

// A kernel linked into the library; `key` is a runtime or an alias key.
struct StaticKernel {
  DispatchKey key;
  AnyKernel fn;
};

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_array_ref = false;
template <class T>
inline constexpr bool is_array_ref<ArrayRef<T>> = true;

// The dispatch keys of an argument; none unless it holds tensors or a generator.
template <class T>
C10_ALWAYS_INLINE DispatchKeySet dispatch_keys_of(const T& arg) {
  static_assert(sizeof(T) > 0, "include the full definition of the argument's type");
  if constexpr (std::is_base_of_v<at::TensorBase, T>) {
    return arg.key_set();
  } else if constexpr (is_optional<T>) {
    return arg.has_value() ? dispatch_keys_of(*arg) : DispatchKeySet();
  } else if constexpr (is_array_ref<T>) {
    DispatchKeySet keys;
    if constexpr (std::is_base_of_v<at::TensorBase, std::remove_cv_t<typename T::value_type>>) {
      for (const auto& tensor : arg) keys |= tensor.key_set();
    }
    return keys;
  } else if constexpr (requires { arg.dispatch_key_set(); }) {
    return arg.dispatch_key_set();  // c10::List, at::ITensorListRef
  } else if constexpr (requires { arg.defined() && arg.key_set().empty(); }) {
    return arg.defined() ? arg.key_set() : DispatchKeySet();  // at::Generator
  }
  return {};
}

template <class F>
struct OperatorCall;

}  // namespace detail

class OperatorEntry {
 public:
  // A kernel, and the key set to call it with.
  struct Target {
    AnyKernel fn;
    DispatchKeySet ks;
  };

  // `schema` is PyTorch's run-time spelling ("add.Tensor(Tensor self, ...) -> Tensor"); all pointers must
  // outlive the entry. `tags` has bit 1 << n for tag number n.
  constexpr OperatorEntry(const char* qualified_name, const char* overload_name, const char* schema_text,
                          const Signature* signature, const StaticKernel* kernels, uint32_t num_kernels,
                          uint64_t tags = 0)
      : qualified_name(qualified_name),
        overload_name(overload_name),
        schema_text(schema_text),
        kernels(kernels),
        num_kernels(num_kernels),
        signature_(signature),
        tags_(tags) {}
  OperatorEntry(const OperatorEntry&) = delete;
  OperatorEntry& operator=(const OperatorEntry&) = delete;

  // Calls the kernel that the arguments' keys and the thread's state select. F is the operator's signature,
  // Ret(Args...). Throws c10::NotImplementedError where there is none.
  template <class F, class... A>
  C10_ALWAYS_INLINE decltype(auto) call(A&&... args) const {
    return detail::OperatorCall<F>::call(*this, static_cast<A&&>(args)...);
  }

  // Calls the kernel for exactly `ks`, whatever the arguments and the thread's state.
  template <class F, class... A>
  C10_ALWAYS_INLINE decltype(auto) redispatch(DispatchKeySet ks, A&&... args) const {
    return detail::OperatorCall<F>::redispatch(*this, ks, static_cast<A&&>(args)...);
  }

  // The same with arguments and results on the stack.
  C10_API void call_boxed(Stack* stack) const;
  C10_API void redispatch_boxed(DispatchKeySet ks, Stack* stack) const;

  // The operator's schema, parsed on first use. Throws c10::Error when none was given or it is malformed.
  C10_API const FunctionSchema& schema() const;
  bool has_schema() const { return schema_text || schema_.load(std::memory_order_acquire); }

  C10_ALWAYS_INLINE const DispatchTable* table() const { return table_.load(std::memory_order_acquire); }
  // The table, resolved now if necessary.
  C10_API const DispatchTable& resolved_table() const;

  // The slow path of lookup: resolves the table on the first call, skips keys that fall through for this
  // backend only, throws where there is no kernel.
  C10_API C10_COLD Target resolve(DispatchKeySet unmasked) const;

  uint64_t tags() const { return tags_.load(std::memory_order_relaxed); }
  const Signature* signature() const { return signature_.load(std::memory_order_acquire); }

  const char* const qualified_name;  // "aten::add"
  const char* const overload_name;   // "Tensor"; may be empty
  const char* const schema_text;     // nullptr where the operator was defined at run time

 private:
  friend class OperatorRegistry;

  const StaticKernel* const kernels;
  const uint32_t num_kernels;

  static const C10_API DispatchTable unresolved_table;

  // Everything below changes under the dispatcher's lock; readers go through the atomics.
  mutable std::atomic<const DispatchTable*> table_{&unresolved_table};
  mutable std::atomic<const Signature*> signature_;
  mutable std::atomic<const FunctionSchema*> schema_{nullptr};
  mutable std::atomic<OperatorRegistrations*> registrations_{nullptr};
  mutable std::atomic<uint64_t> tags_;
};

namespace detail {

template <class Ret, class... Args>
struct OperatorCall<Ret(Args...)> {
  using KernelFn = Ret (*)(const OperatorEntry&, DispatchKeySet, Args...);

  static C10_ALWAYS_INLINE Ret call(const OperatorEntry& op, Args... args) {
    const DispatchTable* table = op.table();
    const auto& tls = impl::raw_local_dispatch_key_set;
    const DispatchKeySet keys =
        ((dispatch_keys_of(args) | ... | DispatchKeySet()) | tls.included()) & tls.allowed();
    return call_in(op, table, keys, static_cast<Args&&>(args)...);
  }

  static C10_ALWAYS_INLINE Ret redispatch(const OperatorEntry& op, DispatchKeySet keys, Args... args) {
    return call_in(op, op.table(), keys, static_cast<Args&&>(args)...);
  }

 private:
  static C10_ALWAYS_INLINE Ret call_in(const OperatorEntry& op, const DispatchTable* table,
                                       DispatchKeySet keys, Args... args) {
    const DispatchKeySet ks = keys & table->mask;
    const AnyKernel fn = table->slots[ks.getDispatchTableIndexForDispatchKeySet()];
    if (fn == nullptr) [[unlikely]] {
      return call_resolved(op, keys, static_cast<Args&&>(args)...);
    }
    return reinterpret_cast<KernelFn>(fn)(op, ks, static_cast<Args&&>(args)...);
  }

  // Out of line, so that the fast path ends in a jump and saves no register.
  static C10_COLD C10_NOINLINE Ret call_resolved(const OperatorEntry& op, DispatchKeySet keys, Args... args) {
    const OperatorEntry::Target target = op.resolve(keys);
    return reinterpret_cast<KernelFn>(target.fn)(op, target.ks, static_cast<Args&&>(args)...);
  }
};

}  // namespace detail

}  // namespace c10::inline C10_ABI
