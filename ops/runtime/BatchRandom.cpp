// Random operators without batched arguments in a map: one draw for all examples, or one for each.
#include <ATen/native/Batching.h>

#include <ATen/core/Tensor.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ops/expand.h>
#include <ATen/ops/stack.h>

namespace at::native {

namespace {

using c10::IValue;

constexpr c10::DispatchKeySet below_this(c10::DispatchKeySet::FULL_AFTER,
                                         c10::DispatchKey::FuncTorchVmapMode);

// The first tensor among the arguments.
IValue* first_tensor(std::vector<IValue>& arguments) {
  for (IValue& argument : arguments) {
    if (argument.isTensor() && argument.toTensorBase().defined()) return &argument;
  }
  return nullptr;
}

bool has_batched(const BatchCall& call, const BatchLevel& level) {
  return call.is_batched && call.level->number == level.number;
}

void check_not_written(const BatchCall& call) {
  for (const c10::Argument& argument : call.schema.arguments()) {
    TORCH_CHECK(!argument.is_write(), "vmap: ", call.schema.name(), " writes to '", argument.name(),
                "', which is one tensor for all examples, but randomness='different' asks for values of its "
                "own for each. Make the tensor from a batched one, or use randomness='same'.");
  }
}

// A factory: with a dimension more, or one call for each example.
Tensor made(const c10::OperatorHandle& op, const std::vector<IValue>& arguments, const BatchLevel& level) {
  const BatchLevelsBelow below(level.number);
  const std::string_view roles(batch_rule(op.entry())->roles);
  const size_t sizes = roles.find('s');
  if (sizes != roles.npos) {
    std::vector<IValue> given = arguments;
    std::vector<int64_t> extended = given[sizes].toIntVector();
    extended.insert(extended.begin(), level.size);
    given[sizes] = IValue(extended);
    op.callBoxed(&given);
    return given[0].toTensor();
  }
  std::vector<Tensor> each;
  for (int64_t i = 0; i < level.size; ++i) {
    std::vector<IValue> given = arguments;
    op.callBoxed(&given);
    each.push_back(given[0].toTensor());
  }
  return at::stack(each);
}

void draw_for_each(const BatchCall& call, const BatchLevelPtr& level) {
  check_not_written(call);
  std::vector<IValue> arguments = call.arguments;
  if (IValue* first = first_tensor(arguments)) {
    const Tensor t = first->toTensor();
    DimVector sizes(t.sizes());
    sizes.insert(sizes.begin(), level->size);
    *first = IValue(make_batched(t.expand(sizes), true, level));
    call.op.callBoxed(&arguments);
    call.stack->resize(call.stack->size() - call.arguments.size());
    for (IValue& result : arguments) call.stack->push_back(std::move(result));
    return;
  }
  Tensor result = made(call.op, arguments, *level);
  call.stack->resize(call.stack->size() - call.arguments.size());
  call.stack->push_back(IValue(make_batched(std::move(result), true, level)));
}

}  // namespace

bool is_random(const BatchRule& rule, const BatchCall& call) {
  if (!rule.is_random) return false;
  const size_t place = std::string_view(rule.roles).find('z');
  if (place == std::string_view::npos) return true;
  const IValue& given = call.arguments[place];
  return given.isNone() || (given.isBool() ? given.toBool() : given.toDouble() != 0);
}

void check_randomness(const BatchLevel& level, const c10::OperatorHandle& op) {
  TORCH_CHECK(level.randomness != Randomness::Error, "vmap: ", op.operator_name(),
              " is random, which is an error unless it is said how: use randomness='different' for values of "
              "its own for each example, or randomness='same' for the same ones");
}

void random_in_batch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, c10::Stack* stack) {
  const BatchLevelPtr level = current_batch_level();
  if (level == nullptr) return op.redispatchBoxed(keys & below_this, stack);
  const BatchCall call(op, stack);
  const BatchRule* rule = batch_rule(op.entry());
  if (rule == nullptr || !is_random(*rule, call)) return op.redispatchBoxed(keys & below_this, stack);
  check_randomness(*level, op);
  if (has_batched(call, *level)) return op.redispatchBoxed(keys & below_this, stack);
  if (level->randomness == Randomness::Different) return draw_for_each(call, level);
  const BatchLevelsBelow below(level->number);
  op.callBoxed(stack);
}

}  // namespace at::native
