// Handles to operators found by name. They stay valid when the operator is undefined: calls then throw.
#pragma once
#include <ATen/core/boxing/Signature.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <ATen/core/function_schema.h>

#include <string>

namespace c10::inline C10_ABI {

template <class F>
class TypedOperatorHandle;

class C10_API OperatorHandle {
 public:
  explicit OperatorHandle(const OperatorEntry& op) : op_(&op) {}

  OperatorName operator_name() const { return {op_->qualified_name, op_->overload_name}; }
  bool hasSchema() const { return op_->has_schema(); }
  const FunctionSchema& schema() const { return op_->schema(); }
  const OperatorEntry& entry() const { return *op_; }
  // Bit n is tag number n.
  uint64_t tags() const { return op_->tags(); }

  // Whether a kernel was registered for exactly this runtime or alias key.
  bool hasKernelForDispatchKey(DispatchKey k) const;
  bool hasKernelForAnyDispatchKey(DispatchKeySet ks) const;
  // Whether a call with this key finds a kernel, by whatever rule.
  bool hasComputedKernelForDispatchKey(DispatchKey k) const;
  // One line per key: "CPU: <where it was registered> [kernel]". For people to read.
  std::string dumpComputedTable() const;
  // What was registered, by key.
  std::string dumpState() const;

  // For calls with C++ types; F is Ret(Args...) as in at::_ops::<op>::schema. Throws c10::Error when the
  // operator's types differ.
  template <class F>
  TypedOperatorHandle<F> typed() const;

  // Arguments on top of the stack are replaced by the results.
  void callBoxed(Stack* stack) const { op_->call_boxed(stack); }
  void callBoxed(Stack& stack) const { op_->call_boxed(&stack); }
  void redispatchBoxed(DispatchKeySet ks, Stack* stack) const { op_->redispatch_boxed(ks, stack); }

  bool operator==(const OperatorHandle& rhs) const { return op_ == rhs.op_; }

 protected:
  // Throws unless `signature` can call this operator; sets it for an operator that has none yet.
  void check_signature(const Signature& signature) const;

  const OperatorEntry* op_;
};

template <class Ret, class... Args>
class TypedOperatorHandle<Ret(Args...)> final : public OperatorHandle {
 public:
  using OperatorHandle::OperatorHandle;
  Ret call(Args... args) const { return op_->call<Ret(Args...)>(static_cast<Args&&>(args)...); }
  Ret redispatch(DispatchKeySet ks, Args... args) const {
    return op_->redispatch<Ret(Args...)>(ks, static_cast<Args&&>(args)...);
  }
};

}  // namespace c10::inline C10_ABI
