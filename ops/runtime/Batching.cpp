// The kernel that serves all operators with batched arguments: finds the level and the record, and calls.
#include <ATen/native/Batching.h>

#include <ATen/ViewUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <c10/core/InferenceMode.h>

#include <unordered_map>
#include <utility>

#include <ATen/ops/expand.h>

namespace at::native {

namespace {

using c10::IValue;

// The layers above may be making a view; the views below are others.
class NoView {
 public:
  NoView() : before_(std::exchange(detail::viewed, nullptr)) {}
  NoView(const NoView&) = delete;
  NoView& operator=(const NoView&) = delete;
  ~NoView() { detail::viewed = before_; }

 private:
  const c10::TensorImpl* before_;
};

void check_usable(const BatchCall& call) {
  TORCH_CHECK(!call.level->ended, call.schema.name(),
              ": a tensor that belongs to a vmap that has ended can't be used; return what is needed later "
              "from the mapped function");
}

// What is written to must be batched if anything is.
void check_written(const BatchCall& call) {
  if (!call.is_batched) return;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (!call.schema.arguments()[i].is_write()) continue;
    call.mapped(call.arguments[i], [&](const IValue& t) {
      const BatchedTensorImpl* written = call.at_level(t);
      TORCH_CHECK(!t.toTensorBase().defined() || (written != nullptr && written->is_batched()),
                  "vmap: ", call.schema.name(), " writes to '", call.schema.arguments()[i].name(),
                  "', which is one tensor for all examples, but another argument has a value for each of "
                  "them. Use an out-of-place operator, or make the tensor from a batched one (new_zeros(), "
                  "zeros_like(), clone()).");
      return t;
    });
  }
}

// Runs the definition by other operators, which sees tensors of the level only, so that all that it calls
// passes here.
void call_composite(const BatchCall& call, const BatchRule& rule) {
  const AutoDispatchBelowADInplaceOrView below;
  const c10::BackendComponent backend = [&] {
    c10::DispatchKeySet keys;
    for (const IValue& argument : call.arguments) {
      call.mapped(argument, [&](const IValue& t) {
        keys |= t.toTensorBase().key_set();
        return t;
      });
    }
    return keys.highestBackendKey();
  }();
  const auto for_each = [&](const IValue& t) {
    const BelowLevel outside(*call.level);
    const Tensor value(call.at_level(t) != nullptr ? call.at_level(t)->value() : t.toTensorBase());
    DimVector sizes(value.sizes());
    sizes.insert(sizes.begin(), call.size());
    return IValue(make_batched(value.expand(sizes), true, call.level));
  };
  const size_t first = call.stack->size() - call.arguments.size();
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    (*call.stack)[first + i] = call.mapped(call.arguments[i], [&](const IValue& t) {
      const BatchedTensorImpl* own = call.at_level(t);
      if (!t.toTensorBase().defined() || (own != nullptr && own->is_batched())) return t;
      if (rule.roles[0] != '\0' && rule.roles[i] == 'c') return for_each(t);
      return own != nullptr ? t : IValue(make_batched(t.toTensor(), false, call.level));
    });
  }
  const c10::DispatchKeySet keys(c10::toRuntimePerBackendFunctionalityKey(c10::DispatchKey::Dense, backend));
  if (rule.formula == nullptr) return call.op.redispatchBoxed(keys, call.stack);
  call.op.entry().signature()->call_boxed(rule.formula, call.op.entry(), keys, call.stack);
}

// Without examples that differ: one call of the values.
void call_once(const BatchCall& call) {
  std::vector<IValue> given;
  for (const IValue& argument : call.arguments) {
    given.push_back(call.mapped(argument, [&](const IValue& t) {
      const BatchedTensorImpl* own = call.at_level(t);
      return own != nullptr ? IValue(own->value()) : t;
    }));
  }
  call.give(call.call(call.op.entry(), std::move(given)), false);
}

// Whether random operators draw the same for all examples. Throws where it wasn't said what they do.
bool draws_same(const BatchCall& call, const BatchRule* rule) {
  if (rule == nullptr || !is_random(*rule, call)) return false;
  check_randomness(*call.level, call.op);
  return call.level->randomness == Randomness::Same;
}

void batched(const c10::OperatorHandle& op, c10::DispatchKeySet, c10::Stack* stack) {
  const BatchCall call(op, stack);
  const NoView no_view;
  const BatchRule* rule = batch_rule(op.entry());
  const BatchKind kind = rule != nullptr ? rule->kind : BatchKind::Loop;
  check_usable(call);
  if (kind == BatchKind::Composite && call.is_batched) return call_composite(call, *rule);
  check_written(call);
  const bool same = draws_same(call, rule);
  if (!call.is_batched) return call_once(call);
  TORCH_CHECK_NOT_IMPLEMENTED(kind != BatchKind::WritesOut, "vmap: ", call.schema.operator_name(),
                              ": out= is not supported; use its result");
  if (rule != nullptr && rule->is_data_dependent) refuse_data_dependence(call);
  TORCH_CHECK(kind != BatchKind::Loop || !rule || !rule->is_dynamic || rule->formula,
              "vmap: the shape of the result of ", call.schema.name(),
              " depends on the tensor's data, so each example would have another one");
  if (kind != BatchKind::Loop && !same && call_batched(call, *rule)) return;
  if (rule != nullptr && rule->formula != nullptr && !same) return call_composite(call, *rule);
  call_each(call, same);
}

}  // namespace

void refuse_data_dependence(const BatchCall& call) {
  TORCH_CHECK(false, "vmap: ", call.schema.name(),
              " gives a Python value that depends on a tensor's data (as .item(), bool() and `if` do), but "
              "each example of the batch has its own. Use operators on tensors instead, such as where().");
  __builtin_unreachable();
}

BatchCall::BatchCall(const c10::OperatorHandle& op, c10::Stack* stack)
    : op(op), schema(op.schema()), stack(stack) {
  const size_t count = schema.arguments().size();
  arguments.assign(stack->end() - static_cast<ptrdiff_t>(count), stack->end());
  const auto note = [&](const IValue& t) {
    const BatchedTensorImpl* one = batched_impl(t.toTensorBase());
    if (one == nullptr) return t;
    if (level == nullptr || one->level()->number > level->number) level = one->level(), is_batched = false;
    if (one->level() == level) is_batched |= one->is_batched();
    return t;
  };
  for (const IValue& argument : arguments) mapped(argument, note);
}

BatchedTensorImpl* BatchCall::at_level(const IValue& argument) const {
  BatchedTensorImpl* one = batched_impl(argument.toTensorBase());
  return one != nullptr && one->level() == level ? one : nullptr;
}

std::vector<IValue> BatchCall::call(const c10::OperatorEntry& entry, std::vector<IValue> given) const {
  const BelowLevel below(*level);
  entry.call_boxed(&given);
  return given;
}

void BatchCall::give(std::vector<IValue> results, bool batched) const {
  const auto kept = [&](const c10::Argument& result) -> const IValue* {
    for (size_t i = 0; result.is_write() && i < arguments.size(); ++i) {
      const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
      if (alias != nullptr && alias->is_write && alias->before == result.alias_info()->before) {
        return &arguments[i];
      }
    }
    return nullptr;
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!schema.arguments()[i].is_write()) continue;
    mapped(arguments[i], [&](const IValue& t) {
      if (BatchedTensorImpl* written = at_level(t)) written->refresh();
      return t;
    });
  }
  stack->resize(stack->size() - arguments.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (const IValue* argument = kept(schema.returns()[i])) {
      stack->push_back(*argument);
      continue;
    }
    stack->push_back(mapped(results[i], [&](const IValue& t) {
      if (!t.toTensorBase().defined()) return t;
      return IValue(make_batched(t.toTensor(), batched, level));
    }));
  }
}

// -------------------- the records

namespace {
using Rules = std::unordered_map<const c10::OperatorEntry*, const BatchRule*>;
const Rules& rules() {
  static const Rules* const all = [] {
    auto* found = new Rules();
    for (const BatchRule* rule = batch_rules; rule->op != nullptr; ++rule) found->emplace(rule->op, rule);
    return found;
  }();
  return *all;
}
}  // namespace

const BatchRule* batch_rule(const c10::OperatorEntry& op) {
  const auto found = rules().find(&op);
  return found == rules().end() ? nullptr : found->second;
}

std::vector<int64_t> count_batch_rules() {
  std::vector<int64_t> counts(static_cast<size_t>(BatchKind::WritesOut) + 1);
  for (const auto& [op, rule] : rules()) ++counts[static_cast<size_t>(rule->kind)];
  return counts;
}

void enable_batching() {
  static const bool done = [] {
    auto& kept = *new std::vector<c10::RegistrationHandleRAII>();
    auto& dispatcher = c10::Dispatcher::singleton();
    const char* where = "registered for vmap";
    kept.push_back(dispatcher.registerFallback(
        kBatchedKey, c10::KernelFunction::makeFromBoxedFunction<&batched>(), where));
    for (const auto& [op, rule] : rules()) {
      if (!rule->is_random) continue;
      kept.push_back(dispatcher.registerImpl(
          {op->qualified_name, op->overload_name}, c10::DispatchKey::FuncTorchVmapMode,
          c10::KernelFunction::makeFromBoxedFunction<&random_in_batch>(), where));
    }
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace at::native
