// The keys the dispatcher chooses kernels by, with PyTorch's values and order.
//
// A key is one of three things:
//  * a functionality key (Dense ... PythonDispatcher): one bit of a DispatchKeySet each; a greater value is
//  served first;
//  * a runtime key of a functionality that differs by backend (CPU, SparseCUDA, AutogradMeta ...):
//  functionality bit + backend bit;
//  * an alias key (Autograd, Composite*): stands for many runtime keys at registration, is never in a set.
#pragma once
#include <c10/macros/Macros.h>

#include <cstdint>
#include <string>
#include <string_view>

// clang-format off
// _(name, extra): the backends, lowest precedence first.
#define C10_FORALL_BACKEND_COMPONENTS(_, extra)                                                      \
  _(CPU, extra) _(CUDA, extra) _(HIP, extra) _(XLA, extra) _(MPS, extra) _(IPU, extra) _(XPU, extra) \
  _(HPU, extra) _(VE, extra) _(Lazy, extra) _(MTIA, extra) _(MAIA, extra) _(PrivateUse1, extra)      \
  _(PrivateUse2, extra) _(PrivateUse3, extra) _(Meta, extra)
// clang-format on

// clang-format off
// _(functionality, prefix of its runtime keys): functionalities with a kernel per backend.
#define C10_FORALL_FUNCTIONALITY_KEYS(_)                                       \
  _(Dense, ) _(Quantized, Quantized) _(Sparse, Sparse) _(SparseCsr, SparseCsr) \
  _(NestedTensor, NestedTensor) _(AutogradFunctionality, Autograd)
// clang-format on

// clang-format off
// _(name): every functionality key after Undefined, lowest precedence first.
#define C10_FORALL_ORDERED_FUNCTIONALITIES(_)                                                            \
  _(Dense) _(FPGA) _(Vulkan) _(Metal) _(Quantized) _(CustomRNGKeyId) _(MkldnnCPU) _(Sparse) _(SparseCsr) \
  _(NestedTensor) _(BackendSelect) _(Fake) _(Python) _(FuncTorchDynamicLayerBackMode) _(Functionalize)   \
  _(Conjugate) _(Negative) _(ZeroTensor) _(ADInplaceOrView) _(AutogradOther) _(AutogradFunctionality)    \
  _(AutogradNestedTensor) _(Tracer) _(AutocastCPU) _(AutocastMTIA) _(AutocastMAIA) _(AutocastXPU)        \
  _(AutocastIPU) _(AutocastHPU) _(AutocastXLA) _(AutocastMPS) _(AutocastCUDA) _(AutocastPrivateUse1)     \
  _(FuncTorchBatched) _(BatchedNestedTensor) _(FuncTorchVmapMode) _(Batched) _(VmapMode)                 \
  _(FuncTorchGradWrapper) _(DeferredInit) _(PythonTLSSnapshot) _(FuncTorchDynamicLayerFrontMode)         \
  _(TESTING_ONLY_GenericWrapper) _(TESTING_ONLY_GenericMode) _(PreDispatch) _(PythonDispatcher)
// clang-format on

// clang-format off
// _(name): keys that stand for sets of runtime keys at registration.
#define C10_FORALL_ALIAS_KEYS(_)                                            \
  _(Autograd) _(CompositeImplicitAutograd) _(FuncTorchBatchedDecomposition) \
  _(CompositeImplicitAutogradNestedTensor) _(CompositeExplicitAutograd)     \
  _(CompositeExplicitAutogradNonFunctional)
// clang-format on

namespace c10::inline C10_ABI {

enum class DeviceType : int8_t;

enum class BackendComponent : uint8_t {
  InvalidBit = 0,
#define C10_DEFINE(name, unused) name##Bit,
  C10_FORALL_BACKEND_COMPONENTS(C10_DEFINE, )
#undef C10_DEFINE
      EndOfBackendKeys = MetaBit,
};

enum class DispatchKey : uint16_t {
  Undefined = 0,
  CatchAll = Undefined,
#define C10_DEFINE(name) name,
  C10_FORALL_ORDERED_FUNCTIONALITIES(C10_DEFINE)
#undef C10_DEFINE
      EndOfFunctionalityKeys,

#define C10_DEFINE_ONE(backend, prefix) prefix##backend,
#define C10_DEFINE(functionality, prefix) \
  StartOf##functionality##Backends,       \
      C10_FORALL_BACKEND_COMPONENTS(C10_DEFINE_ONE, prefix) EndOf##functionality##Backends = prefix##Meta,
  C10_FORALL_FUNCTIONALITY_KEYS(C10_DEFINE)
#undef C10_DEFINE
#undef C10_DEFINE_ONE
      EndOfRuntimeBackendKeys = EndOfAutogradFunctionalityBackends,

#define C10_DEFINE(name) name,
  C10_FORALL_ALIAS_KEYS(C10_DEFINE)
#undef C10_DEFINE
      StartOfAliasKeys = Autograd,
  EndOfAliasKeys = CompositeExplicitAutogradNonFunctional,

  // Former names, kept as aliases.
  CPUTensorId = CPU,
  CUDATensorId = CUDA,
  DefaultBackend = CompositeExplicitAutograd,
  PrivateUse1_PreAutograd = AutogradPrivateUse1,
  PrivateUse2_PreAutograd = AutogradPrivateUse2,
  PrivateUse3_PreAutograd = AutogradPrivateUse3,
  Autocast = AutocastCUDA,
};

inline constexpr DispatchKey kAutograd = DispatchKey::Autograd;

inline constexpr uint8_t num_functionality_keys = static_cast<uint8_t>(DispatchKey::EndOfFunctionalityKeys);
inline constexpr uint8_t num_backends = static_cast<uint8_t>(BackendComponent::EndOfBackendKeys);
inline constexpr uint16_t full_backend_mask = static_cast<uint16_t>((1u << num_backends) - 1);

static_assert(num_backends == 16, "the backend bits of a key set, and masks of them, are 16 bits wide");
static_assert(num_backends + num_functionality_keys <= 64, "a key set has 64 bits");

constexpr bool isAliasDispatchKey(DispatchKey k) {
  return k >= DispatchKey::StartOfAliasKeys && k <= DispatchKey::EndOfAliasKeys;
}

// Whether the functionality key `k` has one kernel per backend.
constexpr bool isPerBackendFunctionalityKey(DispatchKey k) {
  switch (k) {
#define C10_DEFINE(functionality, prefix) case DispatchKey::functionality:
    C10_FORALL_FUNCTIONALITY_KEYS(C10_DEFINE)
#undef C10_DEFINE
    return true;
    default:
      return false;
  }
}

constexpr uint8_t numPerBackendFunctionalityKeys() {
  uint8_t count = 0;
  for (uint8_t k = 0; k < num_functionality_keys; ++k) {
    count += isPerBackendFunctionalityKey(static_cast<DispatchKey>(k));
  }
  return count;
}

// Slots in an operator's table: one per functionality key (Undefined included), or one per backend for
// per-backend functionalities.
inline constexpr uint16_t num_runtime_entries =
    num_functionality_keys + numPerBackendFunctionalityKeys() * (num_backends - 1);

// The backend of a runtime key such as SparseCPU; InvalidBit for every other key.
constexpr BackendComponent toBackendComponent(DispatchKey k) {
  constexpr uint16_t first = static_cast<uint16_t>(DispatchKey::StartOfDenseBackends);
  if (k < DispatchKey::StartOfDenseBackends || k > DispatchKey::EndOfRuntimeBackendKeys) {
    return BackendComponent::InvalidBit;
  }
  return static_cast<BackendComponent>((static_cast<uint16_t>(k) - first) % (num_backends + 1));
}

// The functionality of a runtime key (SparseCPU -> Sparse); a functionality key itself; Undefined for alias
// keys.
constexpr DispatchKey toFunctionalityKey(DispatchKey k) {
  if (k <= DispatchKey::EndOfFunctionalityKeys) return k;
#define C10_DEFINE(functionality, prefix) \
  if (k <= DispatchKey::EndOf##functionality##Backends) return DispatchKey::functionality;
  C10_FORALL_FUNCTIONALITY_KEYS(C10_DEFINE)
#undef C10_DEFINE
  return DispatchKey::Undefined;
}

// Sparse and CPUBit -> SparseCPU; Undefined where the functionality does not differ by backend.
constexpr DispatchKey toRuntimePerBackendFunctionalityKey(DispatchKey functionality_k,
                                                          BackendComponent backend_k) {
  switch (functionality_k) {
#define C10_DEFINE(functionality, prefix)                                                                  \
  case DispatchKey::functionality:                                                                         \
    return static_cast<DispatchKey>(static_cast<uint16_t>(DispatchKey::StartOf##functionality##Backends) + \
                                    static_cast<uint16_t>(backend_k));
    C10_FORALL_FUNCTIONALITY_KEYS(C10_DEFINE)
#undef C10_DEFINE
    default:
      return DispatchKey::Undefined;
  }
}

// The key's name as written in C++ and in native_functions.yaml; "UNKNOWN_TENSOR_TYPE_ID" for a value that is
// no key.
C10_API const char* toString(DispatchKey k);
C10_API const char* toString(BackendComponent k);
inline void append_to(std::string& out, DispatchKey k) { out += toString(k); }
inline void append_to(std::string& out, BackendComponent k) { out += toString(k); }

// The key named `name`. Throws c10::Error when there is none.
C10_API DispatchKey parseDispatchKey(std::string_view name);
// The same without throwing: false when there is none.
C10_API bool parseDispatchKey(std::string_view name, DispatchKey* key);

// AutogradCPU for CPUBit; AutogradOther for backends that have no autograd key of their own in PyTorch's
// table.
C10_API DispatchKey getAutogradKeyFromBackend(BackendComponent k);

// The backend whose tensors live on devices of this type. Throws c10::Error for a device without one.
C10_API BackendComponent toBackendComponent(DeviceType device_type);

}  // namespace c10::inline C10_ABI

namespace torch::inline C10_ABI {
using c10::kAutograd;
}
