// Registration and lookup, under the registry's lock.
#include <ATen/core/dispatch/Dispatcher.h>

#include <ATen/core/dispatch/Registry.h>
#include <c10/util/Exception.h>

namespace c10::inline C10_ABI {

namespace {

using Kind = RegistrationHandleRAII::Kind;

const char* rule_name(DispatchRule rule) {
  switch (rule) {
    case DispatchRule::Missing:
      return "missing";
    case DispatchRule::OwnKernel:
      return "kernel";
    case DispatchRule::DefaultBackendKernel:
      return "default backend kernel";
    case DispatchRule::NestedKernel:
      return "nested kernel";
    case DispatchRule::MathKernel:
      return "math kernel";
    case DispatchRule::AmbiguousAutogradOther:
      return "ambiguous autogradother";
    case DispatchRule::AutogradKernel:
      return "autograd kernel";
    case DispatchRule::BatchedKernel:
      return "batched kernel";
    case DispatchRule::BackendFallback:
      return "backend fallback";
  }
  return "";
}

// Calls fn(runtime key, slot) for every slot of a table.
template <class Fn>
void for_each_slot(const Fn& fn) {
  for (uint8_t f = 0; f < num_functionality_keys; ++f) {
    const auto functionality = static_cast<DispatchKey>(f);
    const uint16_t first = detail::functionality_offsets_and_masks.of[f].offset;
    if (!isPerBackendFunctionalityKey(functionality)) {
      fn(functionality, first);
      continue;
    }
    for (uint8_t b = 0; b < num_backends; ++b) {
      fn(toRuntimePerBackendFunctionalityKey(functionality, static_cast<BackendComponent>(b + 1)),
         static_cast<uint16_t>(first + b));
    }
  }
}

}  // namespace

void RegistrationHandleRAII::reset() {
  const Kind kind = std::exchange(kind_, Kind::None);
  if (kind == Kind::None) return;
  OperatorRegistry& registry = OperatorRegistry::get();
  {
    const std::lock_guard lock(registry.mutex);
    if (kind == Kind::Library) {
      const auto* ns = static_cast<std::string*>(what_);
      registry.libraries.erase(*ns);
      delete ns;
    } else if (kind == Kind::Definition) {
      registry.undefine(*static_cast<const OperatorEntry*>(what_));
    } else if (kind == Kind::Implementation) {
      registry.remove_kernel(static_cast<Kernel*>(what_));
    } else {
      registry.remove_fallback(static_cast<Kernel*>(what_));
    }
  }
  registry.free_retired();
}

Dispatcher& Dispatcher::singleton() {
  static Dispatcher dispatcher;
  return dispatcher;
}

std::optional<OperatorHandle> Dispatcher::findOp(const OperatorName& name) const {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  const OperatorEntry* op = registry.find({name.name, name.overload_name});
  return op ? std::optional<OperatorHandle>(*op) : std::nullopt;
}

std::optional<OperatorHandle> Dispatcher::findSchema(const OperatorName& name) const {
  std::optional<OperatorHandle> op = findOp(name);
  return op && op->hasSchema() ? op : std::nullopt;
}

std::vector<OperatorHandle> Dispatcher::findOverloads(std::string_view name) const {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  std::vector<OperatorHandle> found;
  for (const OperatorEntry* op : registry.in_order) {
    if (name == op->qualified_name && op->has_schema()) found.emplace_back(*op);
  }
  return found;
}

OperatorHandle Dispatcher::findSchemaOrThrow(std::string_view name, std::string_view overload_name) const {
  const OperatorName wanted{std::string(name), std::string(overload_name)};
  if (const std::optional<OperatorHandle> op = findSchema(wanted)) return *op;
  std::string others;
  for (const OperatorHandle& op : findOverloads(name)) {
    others += others.empty() ? "; its overloads: " : ", ";
    others += op.operator_name().overload_name.empty() ? "(default)" : op.operator_name().overload_name;
  }
  TORCH_CHECK(false, "there is no operator ", wanted, others);
  __builtin_unreachable();
}

std::vector<OperatorName> Dispatcher::getAllOpNames() const {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  std::vector<OperatorName> names;
  for (const OperatorEntry* op : registry.in_order) names.emplace_back(op->qualified_name, op->overload_name);
  return names;
}

RegistrationHandleRAII Dispatcher::registerLibrary(std::string ns, std::string where) {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  const auto [at, is_new] = registry.libraries.emplace(ns, where);
  TORCH_CHECK(is_new, "namespace ", ns, ": ", where,
              " is a second TORCH_LIBRARY for it; the first: ", at->second,
              ". Use TORCH_LIBRARY_FRAGMENT to add to it");
  return {Kind::Library, new std::string(std::move(ns))};
}

RegistrationHandleRAII Dispatcher::registerDef(FunctionSchema schema, std::string where, uint64_t tags) {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  const OperatorEntry& op = registry.find_or_create(schema.operator_name());
  registry.define(op, std::move(schema), std::move(where), tags);
  return {Kind::Definition, const_cast<OperatorEntry*>(&op)};
}

RegistrationHandleRAII Dispatcher::registerImpl(OperatorName name, DispatchKey key, KernelFunction kernel,
                                                std::string where, bool allow_override) {
  if (key == DispatchKey::Undefined) key = DispatchKey::CompositeImplicitAutograd;
  TORCH_CHECK(kernel.isValid(), name, ": ", where, " registers an empty kernel");
  TORCH_CHECK(key <= DispatchKey::EndOfAliasKeys && !isPerBackendFunctionalityKey(key), name, ": ", where,
              " registers a kernel for ", key, ", which is no runtime or alias key");
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  const OperatorEntry& op = registry.find_or_create(name);
  const Kernel* before = registry.runtime_kernel(op, key);
  TORCH_CHECK(!before || allow_override, name, ": ", where, " registers a second kernel for ", key,
              "; the first: ", before ? before->where : "");
  Kernel* added = registry.add_kernel(op, Kernel{std::move(kernel), key, nullptr, false, std::move(where)});
  return {Kind::Implementation, added};
}

void Dispatcher::setDefaultFallback(DispatchKey key, KernelFunction kernel) {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  registry.set_default_fallback(key, std::move(kernel));
}

RegistrationHandleRAII Dispatcher::registerFallback(DispatchKey key, KernelFunction kernel,
                                                    std::string where) {
  TORCH_CHECK(!isAliasDispatchKey(key) && key != DispatchKey::Undefined && !isPerBackendFunctionalityKey(key),
              where, " registers a fallback for ", key, ", which is no runtime key");
  TORCH_CHECK(kernel.boxed || kernel.is_fallthrough, where, " registers a fallback for ", key,
              " that is an unboxed function; fallbacks serve operators of all types");
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  const Kernel* before = registry.fallback(key);
  TORCH_CHECK(!before || before->is_linked, where, " registers a second fallback for ", key,
              "; the first: ", before ? before->where : "");
  auto* added = new Kernel{std::move(kernel), key, nullptr, false, std::move(where)};
  registry.set_fallback(key, added);
  return {Kind::Fallback, added};
}

void register_operators(OperatorEntry* const* ops, size_t n, const char* where) {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  registry.add_operators(ops, n, where);
}

void register_kernels(const KernelRow* rows, size_t n, const char* where) {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  for (size_t i = 0; i < n; ++i) {
    KernelFunction function;
    function.unboxed = rows[i].fn;
    function.signature = rows[i].op->signature();
    registry.add_linked_kernel(*rows[i].op, Kernel{std::move(function), rows[i].key, nullptr, true, where});
  }
}

bool OperatorHandle::hasKernelForDispatchKey(DispatchKey k) const {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  return registry.has_kernel(*op_, k);
}

bool OperatorHandle::hasKernelForAnyDispatchKey(DispatchKeySet ks) const {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  for (DispatchKey k : ks) {
    if (registry.has_kernel(*op_, k)) return true;
  }
  return false;
}

bool OperatorHandle::hasComputedKernelForDispatchKey(DispatchKey k) const {
  TORCH_CHECK(!isAliasDispatchKey(k), "hasComputedKernelForDispatchKey: ", k, " is an alias key");
  const DispatchTable& table = op_->resolved_table();
  const unsigned slot = getDispatchTableIndexForDispatchKey(k);
  return table.slots[slot] || table.kernels[slot];
}

std::string OperatorHandle::dumpComputedTable() const {
  const DispatchTable& table = op_->resolved_table();
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  std::string out;
  for_each_slot([&](DispatchKey key, uint16_t slot) {
    const DispatchRule rule = table.rules[slot];
    if (rule == DispatchRule::Missing) return;
    const char* kind = table.fallthrough[slot] ? "fallthrough " : "";
    const char* where = rule == DispatchRule::AmbiguousAutogradOther ? "ambiguous"
                        : table.kernels[slot]                        ? table.kernels[slot]->where.c_str()
                                                                     : "linked in";
    out += str(key, ": ", kind, where, " [", rule_name(rule), "]\n");
  });
  return out;
}

std::string OperatorHandle::dumpState() const {
  OperatorRegistry& registry = OperatorRegistry::get();
  const std::lock_guard lock(registry.mutex);
  return registry.dump_state(*op_);
}

void OperatorHandle::check_signature(const Signature& signature) const {
  OperatorRegistry& registry = OperatorRegistry::get();
  const FunctionSchema& declared = schema();
  const std::lock_guard lock(registry.mutex);
  const Signature* types = op_->signature();
  const std::string wrong = signature_mismatch(declared, signature);
  TORCH_CHECK(wrong.empty(), operator_name(),
              ": typed() with a signature that does not fit the schema: ", wrong, ".\n  schema: ", declared,
              "\n  called: ", signature_str(signature));
  TORCH_CHECK(!types || same_calling_types(*types, signature), operator_name(),
              ": typed() with other C++ types than the operator's kernels.\n  operator: ",
              types ? signature_str(*types) : "", "\n  called:   ", signature_str(signature));
  if (!types) registry.set_signature(*op_, &signature);
}

}  // namespace c10::inline C10_ABI
