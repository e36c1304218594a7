// Dispatch keys: PyTorch's numbers, sets as bits, slots in tables, alias keys, and the thread's sets.
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <set>
#include <string>

#include "check.h"

using c10::BackendComponent;
using c10::DispatchKey;
using c10::DispatchKeySet;

// Numbers that PyTorch 2.13 has; saved key sets and other processes may hold them.
static_assert(static_cast<int>(DispatchKey::Dense) == 1);
static_assert(static_cast<int>(DispatchKey::BackendSelect) == 11);
static_assert(static_cast<int>(DispatchKey::Python) == 13);
static_assert(static_cast<int>(DispatchKey::ADInplaceOrView) == 19);
static_assert(static_cast<int>(DispatchKey::AutogradFunctionality) == 21);
static_assert(static_cast<int>(DispatchKey::PythonDispatcher) == 46);
static_assert(static_cast<int>(DispatchKey::CPU) == 49);
static_assert(static_cast<int>(DispatchKey::Meta) == 64);
static_assert(static_cast<int>(DispatchKey::AutogradMeta) == 149);
static_assert(static_cast<int>(DispatchKey::CompositeExplicitAutogradNonFunctional) == 155);
static_assert(c10::num_runtime_entries == 137);
static_assert(DispatchKeySet(DispatchKey::CPU).raw_repr() == 0x10001);
static_assert(DispatchKeySet(DispatchKey::AutogradCUDA).raw_repr() == (1ULL << 36 | 2));

static void test_names() {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(DispatchKey::EndOfAliasKeys); ++i) {
    const auto key = static_cast<DispatchKey>(i);
    const std::string name = toString(key);
    if (name == "UNKNOWN_TENSOR_TYPE_ID") continue;
    CHECK(names.insert(name).second);
    DispatchKey parsed;
    CHECK(c10::parseDispatchKey(name, &parsed) && parsed == key);
  }
  CHECK(names.size() == 1 + 46 + 6 * 16 + 6);
  DispatchKey parsed;
  CHECK(!c10::parseDispatchKey("AutogradNowhere", &parsed));
  CHECK(std::string(toString(DispatchKey::SparseCsrCUDA)) == "SparseCsrCUDA");
}

static void test_sets() {
  const DispatchKeySet ks{DispatchKey::AutogradCPU, DispatchKey::CUDA};
  CHECK(ks.has(DispatchKey::AutogradCUDA));
  CHECK(ks.highestPriorityTypeId() == DispatchKey::AutogradCUDA);
  CHECK((ks - c10::autograd_dispatch_keyset).highestPriorityTypeId() == DispatchKey::CUDA);
  CHECK(ks.remove(DispatchKey::CUDA).has_backend(BackendComponent::CUDABit));
  CHECK(DispatchKeySet().highestPriorityTypeId() == DispatchKey::Undefined);
  CHECK(DispatchKeySet().getDispatchTableIndexForDispatchKeySet() == 0);
  CHECK(toString(DispatchKeySet(DispatchKey::CPU).add(DispatchKey::Python)) == "DispatchKeySet(CPU, Python)");
  CHECK((ks & c10::after_autograd_keyset).highestPriorityTypeId() == DispatchKey::CUDA);
  int n = 0;
  for (DispatchKey k : DispatchKeySet(DispatchKeySet::FULL)) {
    CHECK(k != DispatchKey::Undefined);
    ++n;
  }
  CHECK(n == c10::num_runtime_entries - 1);
}

// Every runtime key has a slot of its own, and its set says so.
static void test_slots() {
  std::set<uint64_t> slots;
  for (DispatchKey k : DispatchKeySet(DispatchKeySet::FULL)) {
    const uint64_t slot = c10::getDispatchTableIndexForDispatchKey(k);
    CHECK(slot > 0 && slot < c10::num_runtime_entries);
    CHECK(slots.insert(slot).second);
    CHECK(DispatchKeySet(k).highestPriorityTypeId() == k);
  }
}

static void test_aliases() {
  CHECK(c10::isIncludedInAlias(DispatchKey::CPU, DispatchKey::CompositeImplicitAutograd));
  CHECK(!c10::isIncludedInAlias(DispatchKey::Undefined, DispatchKey::CompositeImplicitAutograd));
  CHECK(!c10::isIncludedInAlias(DispatchKey::SparseCPU, DispatchKey::CompositeExplicitAutogradNonFunctional));
  CHECK(c10::isIncludedInAlias(DispatchKey::SparseCPU, DispatchKey::CompositeExplicitAutograd));
  CHECK(!c10::isIncludedInAlias(DispatchKey::XLA, DispatchKey::CompositeExplicitAutogradNonFunctional));
  CHECK(c10::isIncludedInAlias(DispatchKey::AutogradOther, DispatchKey::Autograd));
  CHECK(!c10::isIncludedInAlias(DispatchKey::ADInplaceOrView, DispatchKey::Autograd));
  CHECK(c10::getAutogradKeyFromBackend(BackendComponent::CUDABit) == DispatchKey::AutogradCUDA);
  CHECK(c10::getBackendKeySetFromAutograd(DispatchKey::AutogradHIP).empty());
}

static void test_thread_sets() {
  using namespace c10::impl;
  CHECK(tls_local_dispatch_key_set().included_ == c10::default_included_set);
  CHECK(tls_local_dispatch_key_set().excluded_ == c10::default_excluded_set);
  {
    const IncludeDispatchKeyGuard include(DispatchKey::Python);
    const IncludeDispatchKeyGuard again(DispatchKey::Python);
    CHECK(tls_is_dispatch_key_included(DispatchKey::Python));
    const at::AutoDispatchBelowADInplaceOrView below;
    CHECK(tls_is_dispatch_keyset_excluded(c10::autograd_dispatch_keyset_with_ADInplaceOrView));
    CHECK(!raw_local_dispatch_key_set.allowed().has(DispatchKey::ADInplaceOrView));
    CHECK(raw_local_dispatch_key_set.allowed().has(DispatchKey::CPU));
  }
  CHECK(!tls_is_dispatch_key_included(DispatchKey::Python));
  {
    const ForceDispatchKeyGuard force({}, {});
    CHECK(!tls_is_dispatch_key_included(DispatchKey::BackendSelect));
  }
  CHECK(tls_local_dispatch_key_set().included_ == c10::default_included_set);
  CHECK(tls_local_dispatch_key_set().excluded_ == c10::default_excluded_set);
}

int main() {
  RUN(test_names);
  RUN(test_sets);
  RUN(test_slots);
  RUN(test_aliases);
  RUN(test_thread_sets);
  return check_result();
}
