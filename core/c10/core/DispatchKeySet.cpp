// Which runtime keys an alias key stands for.
#include <c10/core/DispatchKeySet.h>

namespace c10::inline C10_ABI {

namespace {

constexpr DispatchKeySet backend_dispatch_keyset =
    autogradother_backends | DispatchKeySet(DispatchKey::Dense);

// Sparse kernels, and backends that functionalize, don't use decompositions' in-place and view kernels.
constexpr DispatchKeySet non_functional_backend_dispatch_keyset =
    backend_dispatch_keyset.remove(DispatchKey::Sparse)
        .remove_backend(BackendComponent::XLABit)
        .remove_backend(BackendComponent::LazyBit);

constexpr DispatchKeySet math_dispatch_keyset =
    backend_dispatch_keyset | autograd_dispatch_keyset | DispatchKeySet(DispatchKey::NestedTensor);

constexpr DispatchKeySet nested_dispatch_keyset =
    DispatchKeySet({DispatchKey::AutogradNestedTensor, DispatchKey::NestedTensor}) | backend_bitset_mask;

}  // namespace

std::string toString(DispatchKeySet ks) {
  std::string text = "DispatchKeySet(";
  const char* separator = "";
  for (DispatchKey k : ks) {
    text += separator;
    text += toString(k);
    separator = ", ";
  }
  return text + ")";
}

bool isBackendDispatchKey(DispatchKey t) {
  return t != DispatchKey::Undefined && !isAliasDispatchKey(t) && t != DispatchKey::NestedTensor &&
         toFunctionalityKey(t) != DispatchKey::NestedTensor && backend_dispatch_keyset.has(t);
}

DispatchKeySet getRuntimeDispatchKeySet(DispatchKey t) {
  switch (t) {
    case DispatchKey::Autograd:
      return autograd_dispatch_keyset | backend_bitset_mask;
    case DispatchKey::CompositeImplicitAutograd:
      return math_dispatch_keyset;
    case DispatchKey::CompositeImplicitAutogradNestedTensor:
      return nested_dispatch_keyset;
    case DispatchKey::CompositeExplicitAutograd:
      return backend_dispatch_keyset;
    case DispatchKey::CompositeExplicitAutogradNonFunctional:
      return non_functional_backend_dispatch_keyset;
    case DispatchKey::FuncTorchBatchedDecomposition:
      return functorch_batched_ks;
    default:
      return DispatchKeySet(t);
  }
}

bool runtimeDispatchKeySetHas(DispatchKey t, DispatchKey k) {
  if (!isAliasDispatchKey(t)) return t == k;
  return k != DispatchKey::Undefined && getRuntimeDispatchKeySet(t).has(k);
}

bool isIncludedInAlias(DispatchKey k, DispatchKey alias) {
  return k != DispatchKey::Undefined && runtimeDispatchKeySetHas(alias, k);
}

DispatchKeySet getBackendKeySetFromAutograd(DispatchKey t) {
  switch (t) {
    case DispatchKey::AutogradOther:
      return autogradother_backends;
    case DispatchKey::AutogradNestedTensor:
      return DispatchKeySet(DispatchKey::NestedTensor) | backend_bitset_mask;
    case DispatchKey::AutogradHIP:
    case DispatchKey::AutogradVE:
    case DispatchKey::AutogradMTIA:
      return {};
    default:
      if (toFunctionalityKey(t) != DispatchKey::AutogradFunctionality) return {};
      return DispatchKeySet(toRuntimePerBackendFunctionalityKey(DispatchKey::Dense, toBackendComponent(t)));
  }
}

DispatchKeySet getAutogradRelatedKeySetFromBackend(BackendComponent t) {
  return inplace_or_view_ks | DispatchKeySet(getAutogradKeyFromBackend(t));
}

DispatchKeySet getAutocastRelatedKeySetFromBackend(BackendComponent t) {
  switch (t) {
#define C10_CASE(name)              \
  case BackendComponent::name##Bit: \
    return DispatchKeySet(DispatchKey::Autocast##name);
    C10_CASE(CPU)
    C10_CASE(MTIA)
    C10_CASE(MAIA)
    C10_CASE(XPU)
    C10_CASE(IPU)
    C10_CASE(HPU)
    C10_CASE(CUDA)
    C10_CASE(XLA)
    C10_CASE(PrivateUse1)
    C10_CASE(MPS)
#undef C10_CASE
    default:
      return {};
  }
}

}  // namespace c10::inline C10_ABI
