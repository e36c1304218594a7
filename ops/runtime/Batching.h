// How operators treat batched tensors: the records that the generator makes, and the calls that follow them.
#pragma once

#include <ATen/batching/BatchedTensorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/OperatorHandle.h>
#include <ATen/core/ivalue.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace at::native {

enum class BatchKind : uint8_t {
  Loop,       // each example by itself
  Composite,  // the operator's own definition by other operators, or a formula
  Pointwise,  // all examples at once, shapes aligned behind the batch dimension
  Leading,    // all examples at once: what the operator does is the same with a dimension more in front
  Folded,     // all examples at once, as part of the tensors' first dimension
  Flattened,  // all examples at once, each as a vector: `via` is the same operator with a dimension given
  WritesOut,  // out=, which can't be batched
};

/// An operator's record. `roles` has a letter for each argument:
///   t  a tensor, or several        b  a tensor whose first dimension the batch becomes a part of
///   d  a dimension                 u  a dimension of a result that has one more
///   D  dimensions; all where none are given               p  an order of all dimensions
///   l  dimensions, at least one    f  a dimension; without one the tensor counts as a vector
///   s  sizes, in front of which the batch's is put        e  likewise, possibly more than dimensions
///   r  repetitions, likewise 1
///   S  strides, likewise the batch's                      m  a memory format
///   q  a loss's reduction         Q  the same of its backward
///   x  a tensor that must be the same for all examples
///   i  tensors as indices; the tensor that they select from is the first one
///   v  what is put in their place                         k  which gradients: only the first can be had
///   c  a tensor that the operator's own kernel writes to a copy of
///   z  what makes the operator random; it isn't if this is 0 or false
///   .  what is passed as it is
struct BatchRule {
  const c10::OperatorEntry* op;
  BatchKind kind;
  const char* roles;
  const c10::OperatorEntry* via;  // the operator to call instead; null for `op` itself
  c10::AnyKernel formula;
  int8_t rank;  // of one example of role b, with its first dimension
  bool is_random;
  bool is_data_dependent;  // gives Python values
  bool is_dynamic;         // gives tensors whose shape depends on values
};

/// The records of this library's operators; terminated by one without an operator.
extern const BatchRule batch_rules[];

/// The record of an operator; null where there is none, as for those of extensions.
const BatchRule* batch_rule(const c10::OperatorEntry& op);
/// Makes all of this known to the dispatcher, once in a process: called when the first map begins.
TORCH_API void enable_batching();
/// How many operators have records of each kind, in the order of BatchKind.
TORCH_API std::vector<int64_t> count_batch_rules();

/// Calls within see the values as calls outside of the level do: autograd records them, too.
class BelowLevel {
 public:
  explicit BelowLevel(const BatchLevel& level)
      : levels_(level.number),
        keys_(c10::impl::tls_local_dispatch_key_set().included_,
              c10::InferenceMode::is_enabled() ? c10::impl::tls_local_dispatch_key_set().excluded_
                                               : c10::impl::tls_local_dispatch_key_set().excluded_ -
                                                     c10::autograd_dispatch_keyset_with_ADInplaceOrView) {}

 private:
  BatchLevelsBelow levels_;
  c10::impl::ForceDispatchKeyGuard keys_;
};

/// A call of an operator in which batched tensors of `level` are among the arguments.
struct BatchCall {
  BatchCall(const c10::OperatorHandle& op, c10::Stack* stack);

  const c10::OperatorHandle& op;
  const c10::FunctionSchema& schema;
  c10::Stack* stack;
  std::vector<c10::IValue> arguments;
  BatchLevelPtr level;      // of those furthest in; null if no argument is batched
  bool is_batched = false;  // whether there are examples that differ

  int64_t size() const { return level->size; }
  /// A batched tensor of the level, else null.
  BatchedTensorImpl* at_level(const c10::IValue& argument) const;
  /// The same value for values of the level's tensors: `change` gets each of these and the index of its
  /// argument. Lists are mapped, others are returned as they are.
  template <class F>
  c10::IValue mapped(const c10::IValue& value, const F& change) const;
  /// Calls an operator below the level with these arguments; returns its results.
  std::vector<c10::IValue> call(const c10::OperatorEntry& entry, std::vector<c10::IValue> given) const;
  /// Puts results on the stack, as tensors of the level.
  void give(std::vector<c10::IValue> results, bool batched) const;
};

template <class F>
c10::IValue BatchCall::mapped(const c10::IValue& value, const F& change) const {
  if (value.isTensor()) return change(value);
  if (!value.isList()) return value;
  auto list = c10::make_intrusive<c10::detail::ListImpl>();
  for (const c10::IValue& element : value.toListRef()) list->list.push_back(mapped(element, change));
  return c10::IValue(std::move(list));
}

/// The value with dimensions of size 1 behind the batch dimension.
Tensor with_inserted_dims(const Tensor& value, int64_t count);
/// The value behind a tensor that broadcasts with one example of that rank.
c10::IValue extended_to(const BatchCall& call, const c10::IValue& argument, int64_t rank);
/// Indices into a tensor of `rank`, as indices into that of all examples, and the rank of what one example's
/// select; no list where the batch dimension wouldn't stay in front.
struct BatchIndices {
  std::optional<c10::IValue> list;
  int64_t rank = 0;
};
BatchIndices batch_indices(const BatchCall& call, const c10::IValue& argument, int64_t rank);
/// Each example as a vector: calls the form of the operator that takes a dimension.
bool call_flattened(const BatchCall& call, const BatchRule& rule);
/// All examples at once, by the record. False where that can't be done with these arguments.
bool call_batched(const BatchCall& call, const BatchRule& rule);
/// Throws for an operator whose Python values differ from example to example.
[[noreturn]] void refuse_data_dependence(const BatchCall& call);
/// Each example by itself. With `same`, random operators draw the same for all.
void call_each(const BatchCall& call, bool same);
/// Whether a call of the operator draws random values.
bool is_random(const BatchRule& rule, const BatchCall& call);
/// Throws where the map doesn't say what random operators do.
void check_randomness(const BatchLevel& level, const c10::OperatorHandle& op);
/// In front of autograd, for random operators: draws for unbatched tensors.
void random_in_batch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, c10::Stack* stack);

}  // namespace at::native
