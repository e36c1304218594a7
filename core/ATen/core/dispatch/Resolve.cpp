// Which kernel serves which runtime key, by PyTorch's rules; resolved per operator, on its first call.
#include <ATen/core/dispatch/Registry.h>

#include <cstring>

namespace c10::inline C10_ABI {

namespace {

constexpr uint16_t num_keys = static_cast<uint16_t>(DispatchKey::EndOfAliasKeys) + 1;

// The effective kernel for a key: linked in, or registered at run time.
struct Registered {
  AnyKernel fn = nullptr;
  const Kernel* kernel = nullptr;
  explicit operator bool() const { return fn || kernel; }
};

class Resolver {
 public:
  Resolver(const OperatorEntry& op, const OperatorRegistrations* registrations, Kernel* const* fallbacks,
           Kernel* const* default_fallbacks)
      : signature_(op.signature()),
        has_schema_(op.has_schema()),
        fallbacks_(fallbacks),
        default_fallbacks_(default_fallbacks) {
    uint32_t n = 0;
    const StaticKernel* kernels = OperatorRegistry::static_kernels(op, &n);
    for (uint32_t i = 0; i < n; ++i) {
      if (kernels[i].fn) set(kernels[i].key, {kernels[i].fn, nullptr});
    }
    if (!registrations) return;
    for (const auto& kernel : registrations->kernels) {
      set(kernel->key, {kernel->function.unboxed, kernel.get()});
    }
  }

  void fill(DispatchTable& table) const {
    table.mask = backend_bitset_mask;
    for (uint8_t f = 0; f < num_functionality_keys; ++f) {
      const auto functionality = static_cast<DispatchKey>(f);
      const auto first = detail::functionality_offsets_and_masks.of[f].offset;
      const bool per_backend = isPerBackendFunctionalityKey(functionality);
      bool any_falls_through = false;
      bool any_serves = false;
      for (int b = 0; b < (per_backend ? num_backends : 1); ++b) {
        const DispatchKey key = per_backend ? toRuntimePerBackendFunctionalityKey(
                                                  functionality, static_cast<BackendComponent>(b + 1))
                                            : functionality;
        fill_slot(table, first + b, key);
        any_falls_through |= table.fallthrough[first + b];
        any_serves |= table.rules[first + b] != DispatchRule::Missing && !table.fallthrough[first + b];
      }
      // Backends without a kernel or a fallthrough of their own share the mask of the others: a mask per
      // backend would cost every call.
      if (f != 0 && (any_serves || !any_falls_through)) table.mask = table.mask.add(functionality);
    }
  }

 private:
  void set(DispatchKey key, Registered r) { of_[static_cast<uint16_t>(key)] = r; }
  const Registered& get(DispatchKey key) const { return of_[static_cast<uint16_t>(key)]; }

  bool has_any(DispatchKeySet keys) const {
    for (DispatchKey k : keys) {
      if (get(k)) return true;
    }
    return false;
  }

  void fill_slot(DispatchTable& table, uint16_t slot, DispatchKey key) const {
    const auto [found, rule] = choose(key, slot);
    table.rules[slot] = rule;
    table.kernels[slot] = found.kernel;
    if (found.kernel && found.kernel->function.is_fallthrough) {
      table.fallthrough[slot] = true;
    } else if (found.kernel && found.kernel->function.boxed) {
      table.slots[slot] = !signature_                        ? nullptr
                          : records(found.kernel, key, slot) ? signature_->from_boxed_if_tracked
                                                             : signature_->from_boxed;
    } else {
      table.slots[slot] = found.fn;
    }
  }

  // Whether it is the fallback that records operators without an autograd kernel. It is skipped where nothing
  // is tracked.
  bool records(const Kernel* kernel, DispatchKey key, uint16_t slot) const {
    return autograd_dispatch_keyset.has(toFunctionalityKey(key)) && kernel == default_fallbacks_[slot];
  }

  struct Choice {
    Registered registered;
    DispatchRule rule;
  };

  Choice choose(DispatchKey key, uint16_t slot) const {
    const auto serves = [&](DispatchKey alias) {
      return (key == DispatchKey::Undefined || isIncludedInAlias(key, alias)) && get(alias);
    };
    const auto serves_defined = [&](DispatchKey alias) {
      return isIncludedInAlias(key, alias) && get(alias);
    };
    if (get(key)) return {get(key), DispatchRule::OwnKernel};
    for (DispatchKey alias :
         {DispatchKey::CompositeExplicitAutogradNonFunctional, DispatchKey::CompositeExplicitAutograd}) {
      if (serves(alias)) return {get(alias), DispatchRule::DefaultBackendKernel};
    }
    if (serves_defined(DispatchKey::CompositeImplicitAutogradNestedTensor)) {
      return {get(DispatchKey::CompositeImplicitAutogradNestedTensor), DispatchRule::NestedKernel};
    }
    if (serves(DispatchKey::CompositeImplicitAutograd)) {
      if (key == DispatchKey::AutogradOther && has_any(autogradother_backends)) {
        return {{}, DispatchRule::AmbiguousAutogradOther};
      }
      // A backend's own kernel hides the decomposition's gradient, so autograd must not decompose above it.
      if (!has_any(getBackendKeySetFromAutograd(key)) && !get(DispatchKey::CompositeExplicitAutograd)) {
        return {get(DispatchKey::CompositeImplicitAutograd), DispatchRule::MathKernel};
      }
    }
    if (serves_defined(DispatchKey::Autograd)) {
      return {get(DispatchKey::Autograd), DispatchRule::AutogradKernel};
    }
    if (serves_defined(DispatchKey::FuncTorchBatchedDecomposition)) {
      return {get(DispatchKey::FuncTorchBatchedDecomposition), DispatchRule::BatchedKernel};
    }
    const bool serves_any = has_schema_ || !records(fallbacks_[slot], key, slot);
    if (fallbacks_[slot] && serves_any) return {{nullptr, fallbacks_[slot]}, DispatchRule::BackendFallback};
    return {{}, DispatchRule::Missing};
  }

  const Signature* signature_;
  const bool has_schema_;
  Kernel* const* fallbacks_;
  Kernel* const* default_fallbacks_;
  Registered of_[num_keys];
};

bool same_table(const DispatchTable& a, const DispatchTable& b) {
  return a.mask == b.mask && !std::memcmp(a.slots, b.slots, sizeof(a.slots)) &&
         !std::memcmp(a.kernels, b.kernels, sizeof(a.kernels)) &&
         !std::memcmp(a.rules, b.rules, sizeof(a.rules)) &&
         !std::memcmp(a.fallthrough, b.fallthrough, sizeof(a.fallthrough));
}

}  // namespace

const DispatchTable& OperatorRegistry::resolve(const OperatorEntry& op) {
  const DispatchTable* current = op.table_.load();
  if (current != &OperatorEntry::unresolved_table) return *current;
  OperatorRegistrations& mine = registrations(op);
  auto table = std::make_unique<DispatchTable>();
  Resolver(op, &mine, fallbacks, default_fallbacks).fill(*table);
  const DispatchTable* published = nullptr;
  // Old tables are kept for calls that still read them; registering and undoing repeatedly needs only two.
  for (const auto& old : mine.tables) {
    if (same_table(*old, *table)) published = old.get();
  }
  if (!published) {
    published = table.get();
    mine.tables.push_back(std::move(table));
  }
  op.table_.store(published);
  return *published;
}

}  // namespace c10::inline C10_ABI
