// The dispatcher's state; private to this folder.
#pragma once
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <ATen/core/function_schema.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace c10::inline C10_ABI {

// Everything registered for one operator at run time. Guarded by the registry's lock.
struct OperatorRegistrations {
  std::vector<std::unique_ptr<Kernel>> kernels;  // later ones hide earlier ones of the same key
  std::string defined_where;                     // of a definition at run time
  std::vector<std::unique_ptr<const FunctionSchema>>
      schemas;  // every one so far: handles gave out references to them
  std::vector<std::unique_ptr<const DispatchTable>>
      tables;  // every table published so far: a call may still read it
};

struct OperatorNameView {
  std::string_view name;
  std::string_view overload_name;
};

struct OperatorHash {
  using is_transparent = void;
  size_t operator()(const OperatorNameView& n) const {
    return std::hash<std::string_view>()(n.name) * 31 + std::hash<std::string_view>()(n.overload_name);
  }
  size_t operator()(const OperatorEntry* op) const {
    return (*this)({op->qualified_name, op->overload_name});
  }
};

struct OperatorEqual {
  using is_transparent = void;
  bool operator()(const OperatorEntry* a, const OperatorEntry* b) const {
    return (*this)({a->qualified_name, a->overload_name}, b);
  }
  bool operator()(const OperatorNameView& n, const OperatorEntry* op) const {
    return n.name == op->qualified_name && n.overload_name == op->overload_name;
  }
  bool operator()(const OperatorEntry* op, const OperatorNameView& n) const { return (*this)(n, op); }
};

// One per library, made on first use and never destroyed: registrations are undone as late as at exit.
class OperatorRegistry {
 public:
  static OperatorRegistry& get();

  // All below: with `mutex` held.
  const OperatorEntry* find(OperatorNameView name) const;
  const OperatorEntry& find_or_create(const OperatorName& name);
  void add_operators(OperatorEntry* const* ops, size_t n, const char* where);
  Kernel* add_kernel(const OperatorEntry& op, Kernel kernel);
  // The same, replaced by what was registered at run time.
  void add_linked_kernel(const OperatorEntry& op, Kernel kernel);
  void remove_kernel(Kernel* kernel);
  void define(const OperatorEntry& op, FunctionSchema schema, std::string where, uint64_t tags);
  void undefine(const OperatorEntry& op);
  Kernel* fallback(DispatchKey key) const { return fallbacks[getDispatchTableIndexForDispatchKey(key)]; }
  // What serves a key as long as nothing else is registered for it.
  void set_default_fallback(DispatchKey key, KernelFunction function);
  // Owned by the registry; replaces the previous one, which must be a default.
  void set_fallback(DispatchKey key, Kernel* kernel);
  void remove_fallback(Kernel* kernel);
  bool has_kernel(const OperatorEntry& op, DispatchKey key) const;
  void set_signature(const OperatorEntry& op, const Signature* signature);
  const DispatchTable& resolve(const OperatorEntry& op);
  // Calls of `op` that begin after this see the current registrations.
  void invalidate(const OperatorEntry& op) { op.table_.store(&OperatorEntry::unresolved_table); }
  // Frees it once no thread is inside a kernel that was registered at run time.
  void retire(std::unique_ptr<Kernel> kernel) {
    retired.push_back(std::move(kernel));
    has_retired.store(true);
  }
  // The effective kernel for exactly `key`, if it was registered at run time.
  Kernel* runtime_kernel(const OperatorEntry& op, DispatchKey key) const;
  std::string where_defined(const OperatorEntry& op) const;
  std::string registered_keys(const OperatorEntry& op) const;
  // Throws unless the kernel's C++ types are those of the operator's schema and other kernels.
  void check_kernel_types(const OperatorEntry& op, const FunctionSchema* schema, const Kernel& kernel) const;
  std::string dump_state(const OperatorEntry& op) const;

  // To be called without the lock.
  void free_retired();

  struct Linked {
    OperatorEntry* const* ops;
    size_t n;
    const char* where;
  };

  mutable std::mutex mutex;
  std::unordered_set<const OperatorEntry*, OperatorHash, OperatorEqual> by_name;
  std::vector<const OperatorEntry*> in_order;
  std::vector<Linked> linked;
  std::map<std::string, std::string, std::less<>> libraries;  // namespace -> where TORCH_LIBRARY claims it
  Kernel* fallbacks[num_runtime_entries] = {};
  Kernel* default_fallbacks[num_runtime_entries] = {};
  std::vector<std::unique_ptr<Kernel>> retired;
  std::vector<const OperatorEntry*>
      replaced;  // entries made for kernels that came before the operator was linked

  // Threads within a kernel that was registered at run time.
  std::atomic<int64_t> kernels_in_use{0};
  std::atomic<bool> has_retired{false};

  static OperatorRegistrations& registrations(const OperatorEntry& op);
  static const FunctionSchema* schema_if_known(const OperatorEntry& op) { return op.schema_.load(); }
  static const StaticKernel* static_kernels(const OperatorEntry& op, uint32_t* n) {
    *n = op.num_kernels;
    return op.kernels;
  }

 private:
  OperatorRegistry();
  // Gives `op`, just linked, the kernels that were registered before it came.
  void replace_pending(const OperatorEntry& pending, const OperatorEntry& op);
};

// The dispatch keys of a boxed call: those of the stack's last `n` values, and the thread's.
DispatchKeySet boxed_call_keys(const Stack& stack, size_t n);

// Empty if a kernel of these C++ types can serve the schema, else what is wrong.
std::string signature_mismatch(const FunctionSchema& schema, const Signature& signature);
// Whether a call with one signature may run a kernel of the other.
bool same_calling_types(const Signature& a, const Signature& b);
// "at::Tensor (const at::Tensor &, int64_t)"
std::string signature_str(const Signature& signature);

}  // namespace c10::inline C10_ABI
