// Operators by name, and the registrations of each.
#include <ATen/core/dispatch/Registry.h>

#include <ATen/core/PythonModes.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace c10::inline C10_ABI {

namespace {

std::string name_of(const OperatorEntry& op) {
  return toString(OperatorName(op.qualified_name, op.overload_name));
}

// Names of operators that are defined at run time live as long as the process, as those of linked ones do.
const char* keep(const std::string& text) {
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

// Keys that fall through for every operator unless a library registers something else.
constexpr DispatchKey default_fallthroughs[] = {
    DispatchKey::BackendSelect, DispatchKey::ADInplaceOrView,   DispatchKey::Tracer,
    DispatchKey::AutocastCPU,   DispatchKey::AutocastMTIA,      DispatchKey::AutocastMAIA,
    DispatchKey::AutocastXPU,   DispatchKey::AutocastMPS,       DispatchKey::AutocastCUDA,
    DispatchKey::VmapMode,      DispatchKey::FuncTorchVmapMode, DispatchKey::PythonTLSSnapshot,
};

}  // namespace

OperatorRegistry::OperatorRegistry() {
  for (DispatchKey key : default_fallthroughs) set_default_fallback(key, KernelFunction::makeFallthrough());
  set_default_fallback(DispatchKey::Python,
                       KernelFunction::makeFromBoxedFunction<&at::impl::python_fallback>());
  set_default_fallback(DispatchKey::PreDispatch,
                       KernelFunction::makeFromBoxedFunction<&at::impl::pre_dispatch_fallback>());
}

OperatorRegistry& OperatorRegistry::get() {
  static OperatorRegistry& registry = *new OperatorRegistry;
  return registry;
}

OperatorRegistrations& OperatorRegistry::registrations(const OperatorEntry& op) {
  OperatorRegistrations* r = op.registrations_.load();
  if (!r) op.registrations_.store(r = new OperatorRegistrations);
  return *r;
}

const OperatorEntry* OperatorRegistry::find(OperatorNameView name) const {
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : *found;
}

const OperatorEntry& OperatorRegistry::find_or_create(const OperatorName& name) {
  if (const OperatorEntry* op = find({name.name, name.overload_name})) return *op;
  const auto* op = new OperatorEntry(keep(name.name), keep(name.overload_name), nullptr, nullptr, nullptr, 0);
  by_name.insert(op);
  in_order.push_back(op);
  return *op;
}

void OperatorRegistry::add_operators(OperatorEntry* const* ops, size_t n, const char* where) {
  for (size_t i = 0; i < n; ++i) {
    const OperatorEntry* before = find({ops[i]->qualified_name, ops[i]->overload_name});
    TORCH_CHECK(!before || before == ops[i] || !before->has_schema(), name_of(*ops[i]), ": ", where,
                " defines it again; it is there already: ", where_defined(*before));
  }
  linked.push_back({ops, n, where});
  by_name.reserve(by_name.size() + n);
  for (size_t i = 0; i < n; ++i) {
    const auto [at, is_new] = by_name.insert(ops[i]);
    if (is_new) {
      in_order.push_back(ops[i]);
    } else if (*at != ops[i]) {
      replace_pending(**at, *ops[i]);
    }
  }
}

void OperatorRegistry::replace_pending(const OperatorEntry& pending, const OperatorEntry& op) {
  *std::find(in_order.begin(), in_order.end(), &pending) = &op;
  by_name.erase(&pending);
  by_name.insert(&op);
  for (auto& kernel : registrations(pending).kernels) {
    check_kernel_types(op, &op.schema(), *kernel);
    kernel->op = &op;
    registrations(op).kernels.push_back(std::move(kernel));
  }
  registrations(pending).kernels.clear();
  replaced.push_back(&pending);
}

Kernel* OperatorRegistry::runtime_kernel(const OperatorEntry& op, DispatchKey key) const {
  const auto& kernels = registrations(op).kernels;
  for (auto it = kernels.rbegin(); it != kernels.rend(); ++it) {
    if ((*it)->key == key && !(*it)->is_linked) return it->get();
  }
  return nullptr;
}

Kernel* OperatorRegistry::add_kernel(const OperatorEntry& op, Kernel kernel) {
  check_kernel_types(op, op.has_schema() ? &op.schema() : nullptr, kernel);
  auto owned = std::make_unique<Kernel>(std::move(kernel));
  Kernel* added = owned.get();
  added->op = &op;
  if (!op.signature_.load() && added->function.signature) op.signature_.store(added->function.signature);
  registrations(op).kernels.push_back(std::move(owned));
  invalidate(op);
  return added;
}

void OperatorRegistry::add_linked_kernel(const OperatorEntry& op, Kernel kernel) {
  auto& kernels = registrations(op).kernels;
  kernel.op = &op;
  kernels.insert(kernels.begin(), std::make_unique<Kernel>(std::move(kernel)));
  invalidate(op);
}

void OperatorRegistry::remove_kernel(Kernel* kernel) {
  const OperatorEntry& op = *kernel->op;
  auto& kernels = registrations(op).kernels;
  const auto at =
      std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.get() == kernel; });
  if (at == kernels.end()) return;
  std::unique_ptr<Kernel> owned = std::move(*at);
  kernels.erase(at);
  invalidate(op);
  retire(std::move(owned));
}

void OperatorRegistry::define(const OperatorEntry& op, FunctionSchema schema, std::string where,
                              uint64_t tags) {
  TORCH_CHECK(!op.has_schema(), name_of(op), ": ", where,
              " defines it again; it is there already: ", where_defined(op));
  OperatorRegistrations& mine = registrations(op);
  for (const auto& kernel : mine.kernels) check_kernel_types(op, &schema, *kernel);
  mine.defined_where = std::move(where);
  op.tags_.store(tags);
  const FunctionSchema* kept = nullptr;
  for (const auto& before : mine.schemas) {
    if (before->str() == schema.str()) kept = before.get();
  }
  if (!kept) kept = mine.schemas.emplace_back(std::make_unique<FunctionSchema>(std::move(schema))).get();
  op.schema_.store(kept);
  invalidate(op);
}

void OperatorRegistry::undefine(const OperatorEntry& op) {
  op.schema_.store(nullptr);
  op.tags_.store(0);
  // A later definition may have other types.
  if (registrations(op).kernels.empty()) op.signature_.store(nullptr);
  invalidate(op);
}

void OperatorRegistry::set_default_fallback(DispatchKey key, KernelFunction function) {
  const unsigned slot = getDispatchTableIndexForDispatchKey(key);
  const Kernel* before = std::exchange(
      default_fallbacks[slot], new Kernel{std::move(function), key, nullptr, true, "default fallback"});
  if (fallbacks[slot] == before) set_fallback(key, default_fallbacks[slot]);
}

void OperatorRegistry::set_fallback(DispatchKey key, Kernel* kernel) {
  fallbacks[getDispatchTableIndexForDispatchKey(key)] = kernel;
  for (const OperatorEntry* op : in_order) invalidate(*op);
}

void OperatorRegistry::set_signature(const OperatorEntry& op, const Signature* signature) {
  op.signature_.store(signature);
  invalidate(op);
}

void OperatorRegistry::remove_fallback(Kernel* kernel) {
  set_fallback(kernel->key, default_fallbacks[getDispatchTableIndexForDispatchKey(kernel->key)]);
  retire(std::unique_ptr<Kernel>(kernel));
}

bool OperatorRegistry::has_kernel(const OperatorEntry& op, DispatchKey key) const {
  for (uint32_t i = 0; i < op.num_kernels; ++i) {
    if (op.kernels[i].key == key && op.kernels[i].fn) return true;
  }
  for (const auto& kernel : registrations(op).kernels) {
    if (kernel->key == key) return true;
  }
  return false;
}

std::string OperatorRegistry::where_defined(const OperatorEntry& op) const {
  if (!op.schema_text) return registrations(op).defined_where;
  for (const Linked& library : linked) {
    if (std::find(library.ops, library.ops + library.n, &op) != library.ops + library.n) return library.where;
  }
  return "linked in";
}

std::string OperatorRegistry::registered_keys(const OperatorEntry& op) const {
  std::vector<DispatchKey> keys;
  uint32_t n = 0;
  const StaticKernel* kernels = static_kernels(op, &n);
  for (uint32_t i = 0; i < n; ++i) {
    if (kernels[i].fn) keys.push_back(kernels[i].key);
  }
  for (const auto& kernel : registrations(op).kernels) {
    if (!kernel->function.is_fallthrough) keys.push_back(kernel->key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::string out;
  for (DispatchKey key : keys) out += (out.empty() ? "" : ", ") + std::string(toString(key));
  return out;
}

void OperatorRegistry::check_kernel_types(const OperatorEntry& op, const FunctionSchema* schema,
                                          const Kernel& kernel) const {
  const Signature* types = kernel.function.signature;
  if (!types) return;
  if (schema) {
    const std::string wrong = signature_mismatch(*schema, *types);
    TORCH_CHECK(wrong.empty(), name_of(op), ": the kernel for ", kernel.key, " (", kernel.where,
                ") does not fit the schema: ", wrong, ".\n  schema: ", *schema,
                "\n  kernel: ", signature_str(*types));
  }
  const Signature* others = op.signature();
  TORCH_CHECK(!others || same_calling_types(*others, *types), name_of(op), ": the kernel for ", kernel.key,
              " (", kernel.where,
              ") has other C++ types than the operator's callers and kernels.\n  operator: ",
              others ? signature_str(*others) : "", "\n  kernel:   ", signature_str(*types));
}

std::string OperatorRegistry::dump_state(const OperatorEntry& op) const {
  std::string out = "name: " + name_of(op) + "\n";
  out += "schema: " + (op.has_schema() ? op.schema().str() : "(none)") + "\n";
  uint32_t n = 0;
  const StaticKernel* kernels = static_kernels(op, &n);
  for (uint32_t i = 0; i < n; ++i) out += str(kernels[i].key, ": linked in\n");
  for (const auto& k : registrations(op).kernels) {
    out += str(k->key, ": ", k->where, k->function.is_fallthrough ? " (falls through)" : "",
               k->function.boxed ? " (boxed)" : "", "\n");
  }
  return out;
}

void OperatorRegistry::free_retired() {
  std::vector<std::unique_ptr<Kernel>> unused;
  {
    const std::lock_guard lock(mutex);
    if (kernels_in_use.load() != 0) return;
    unused.swap(retired);
    has_retired.store(false);
  }
  // Functors are destroyed here, without the lock: they may hold Python objects.
}

}  // namespace c10::inline C10_ABI
