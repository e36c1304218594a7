// The slow path of calls: first calls, boxed ones, and those without a kernel.
#include <ATen/core/dispatch/OperatorEntry.h>

#include <ATen/core/dispatch/Registry.h>
#include <c10/util/Exception.h>

namespace c10::inline C10_ABI {

constinit const DispatchTable OperatorEntry::unresolved_table{};

namespace {

// "CPU and CUDA tensors"
std::string devices_of(DispatchKeySet keys) {
  std::string out;
  for (uint8_t b = num_backends; b > 0; --b) {
    const auto backend = static_cast<BackendComponent>(b);
    if (!keys.has_backend(backend)) continue;
    const std::string_view name = toString(backend);
    if (!out.empty()) out += " and ";
    out += name.substr(0, name.size() - 3);
  }
  return out.empty() ? "no tensors" : out + " tensors";
}

// A call without any key: all tensor arguments of the operator were undefined.
void check_some_tensor(const OperatorEntry& op) {
  const std::vector<Argument>& arguments = op.schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    TORCH_CHECK(arguments[i].type().kind != TypeKind::Tensor, op.qualified_name, "(): argument '",
                arguments[i].name(), "' (position ", i + 1,
                "): expected a tensor, got an undefined one (None)");
  }
}

[[noreturn]] C10_COLD void no_kernel(const OperatorEntry& op, DispatchKeySet ks, DispatchRule rule) {
  const std::string name = toString(OperatorName(op.qualified_name, op.overload_name));
  OperatorRegistry& registry = OperatorRegistry::get();
  std::string keys;
  {
    const std::lock_guard lock(registry.mutex);
    keys = registry.registered_keys(op);
  }
  TORCH_CHECK(op.has_schema(), name,
              " has kernels but is not defined: no schema was given to it, or it was taken back");
  const DispatchKey key = ks.highestPriorityTypeId();
  if (key == DispatchKey::Undefined) check_some_tensor(op);
  TORCH_CHECK_NOT_IMPLEMENTED(
      rule != DispatchRule::AmbiguousAutogradOther, name, ": ambiguous for ", key,
      ": it has a CompositeImplicitAutograd kernel and kernels for backends whose autograd key that is. ",
      "Kernels are registered for: ", keys);
  TORCH_CHECK_NOT_IMPLEMENTED(false, name, ": no kernel for dispatch key ", key,
                              " (arguments: ", devices_of(ks),
                              "). Kernels are registered for: ", keys.empty() ? "nothing" : keys);
  __builtin_unreachable();
}

struct BoxedTarget {
  const DispatchTable* table;
  uint16_t slot;
  DispatchKeySet ks;
};

// The slot that serves `keys`, after those that fall through for this backend only.
BoxedTarget find_slot(const OperatorEntry& op, DispatchKeySet keys) {
  for (;;) {
    const DispatchTable& table = op.resolved_table();
    const DispatchKeySet ks = keys & table.mask;
    const auto slot = static_cast<uint16_t>(ks.getDispatchTableIndexForDispatchKeySet());
    if (!table.fallthrough[slot]) return {&table, slot, ks};
    keys = ks.remove(ks.highestFunctionalityKey());
  }
}

thread_local int kernel_depth = 0;

}  // namespace

const DispatchTable& OperatorEntry::resolved_table() const {
  const DispatchTable* t = table();
  if (t != &unresolved_table) [[likely]] {
    return *t;
  }
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  return registry.resolve(*this);
}

OperatorEntry::Target OperatorEntry::resolve(DispatchKeySet unmasked) const {
  const auto [table, slot, ks] = find_slot(*this, unmasked);
  if (table->slots[slot] == nullptr) no_kernel(*this, ks, table->rules[slot]);
  return {table->slots[slot], ks};
}

const FunctionSchema& OperatorEntry::schema() const {
  const FunctionSchema* known = schema_.load(std::memory_order_acquire);
  if (known) return *known;
  TORCH_CHECK(schema_text, toString(OperatorName(qualified_name, overload_name)), " has no schema");
  FunctionSchema parsed = torch::jit::parseSchema(schema_text);
  if (parsed.operator_name().getNamespace().empty()) {
    parsed.set_namespace(OperatorName(qualified_name, overload_name).getNamespace());
  }
  auto* made = new FunctionSchema(std::move(parsed));
  if (schema_.compare_exchange_strong(known, made)) return *made;
  delete made;  // another thread was first
  return *known;
}

DispatchKeySet boxed_call_keys(const Stack& stack, size_t n) {
  DispatchKeySet keys;
  for (size_t i = stack.size() - n; i < stack.size(); ++i) {
    const IValue& v = stack[i];
    if (v.isTensor()) {
      keys |= v.toTensorBase().key_set();
    } else if (v.isGenerator()) {
      keys |= v.toGenerator().key_set();
    } else if (v.isList()) {
      for (const IValue& e : v.toListRef()) {
        if (!e.isTensor() && !e.isNone()) break;
        if (e.isTensor()) keys |= e.toTensorBase().key_set();
      }
    }
  }
  return keys;
}

void OperatorEntry::call_boxed(Stack* stack) const {
  const Signature* types = signature();
  const size_t n = types ? types->num_arguments : schema().arguments().size();
  detail::boxed_arguments(*this, stack, n);
  const auto& tls = impl::raw_local_dispatch_key_set;
  redispatch_boxed((boxed_call_keys(*stack, n) | tls.included()) & tls.allowed(), stack);
}

void OperatorEntry::redispatch_boxed(DispatchKeySet keys, Stack* stack) const {
  const auto [table, slot, ks] = find_slot(*this, keys);
  // The table is read again under KernelUse: the kernels it names must not be freed meanwhile.
  if (table->kernels[slot]) {
    const detail::KernelUse use(*this, ks);
    const Kernel* kernel = use.kernel;
    if (!kernel) return redispatch_boxed(keys, stack);
    if (kernel->function.boxed) {
      return kernel->function.boxed(kernel->function.state, OperatorHandle(*this), ks, stack);
    }
    if (!kernel->function.unboxed) return redispatch_boxed(keys, stack);
    const Signature* types = kernel->function.signature ? kernel->function.signature : signature();
    return types->call_boxed(kernel->function.unboxed, *this, ks, stack);
  }
  if (table->slots[slot] == nullptr) no_kernel(*this, ks, table->rules[slot]);
  signature()->call_boxed(table->slots[slot], *this, ks, stack);
}

namespace detail {

// A call announces itself before it reads the table, and registrations are removed from tables before the
// count is read: whoever frees a kernel has seen every thread that may hold it.
KernelUse::KernelUse(const OperatorEntry& op, DispatchKeySet ks) {
  if (kernel_depth++ == 0) OperatorRegistry::get().kernels_in_use.fetch_add(1);
  const DispatchTable& table = op.resolved_table();
  kernel = table.kernels[(ks & table.mask).getDispatchTableIndexForDispatchKeySet()];
}

KernelUse::~KernelUse() {
  if (--kernel_depth != 0) return;
  OperatorRegistry& registry = OperatorRegistry::get();
  if (registry.kernels_in_use.fetch_sub(1) == 1 && registry.has_retired.load()) registry.free_retired();
}

void add_operator_context(Error& error, const OperatorEntry& op) {
  error.add_context(toString(OperatorName(op.qualified_name, op.overload_name)));
}

IValue* boxed_arguments(const OperatorEntry& op, Stack* stack, size_t n) {
  TORCH_CHECK(stack->size() >= n, toString(OperatorName(op.qualified_name, op.overload_name)), ": expects ",
              n, " arguments on the stack, which has ", stack->size(), " values");
  return stack->data() + (stack->size() - n);
}

void replace_arguments(Stack* stack, size_t num_arguments, IValue* results, size_t num_results) {
  stack->resize(stack->size() - num_arguments);
  for (size_t i = 0; i < num_results; ++i) stack->push_back(std::move(results[i]));
}

void push_argument(Stack& stack, IValue&& value) { stack.push_back(std::move(value)); }

void run_boxed_kernel(const OperatorEntry& op, DispatchKeySet ks, Stack* stack, size_t num_results) {
  op.redispatch_boxed(ks, stack);
  TORCH_CHECK(stack->size() == num_results, toString(OperatorName(op.qualified_name, op.overload_name)),
              ": a boxed kernel left ", stack->size(), " values on the stack, not the ", num_results,
              " results");
}

}  // namespace detail

}  // namespace c10::inline C10_ABI
