// Names of dispatch keys, and relations between them.
#include <c10/core/DispatchKey.h>

#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

namespace c10::inline C10_ABI {

namespace {

constexpr uint16_t num_dispatch_keys = static_cast<uint16_t>(DispatchKey::EndOfAliasKeys) + 1;

// Names by enumerator; nullptr for values that only mark the begin or end of a range.
struct KeyNames {
  const char* of[num_dispatch_keys] = {};

  constexpr KeyNames() {
    at(DispatchKey::Undefined) = "Undefined";
#define C10_NAME(name) at(DispatchKey::name) = #name;
    C10_FORALL_ORDERED_FUNCTIONALITIES(C10_NAME)
    C10_FORALL_ALIAS_KEYS(C10_NAME)
#undef C10_NAME
#define C10_NAME_ONE(backend, prefix) at(DispatchKey::prefix##backend) = C10_STRINGIZE(prefix##backend);
#define C10_NAME(functionality, prefix) C10_FORALL_BACKEND_COMPONENTS(C10_NAME_ONE, prefix)
    C10_FORALL_FUNCTIONALITY_KEYS(C10_NAME)
#undef C10_NAME
#undef C10_NAME_ONE
  }
  constexpr const char*& at(DispatchKey k) { return of[static_cast<uint16_t>(k)]; }
};

constexpr KeyNames key_names;

constexpr const char* backend_names[] = {"InvalidBit",
#define C10_NAME(name, unused) #name "Bit",
                                         C10_FORALL_BACKEND_COMPONENTS(C10_NAME, )
#undef C10_NAME
};

}  // namespace

const char* toString(DispatchKey k) {
  const auto i = static_cast<uint16_t>(k);
  return i < num_dispatch_keys && key_names.of[i] ? key_names.of[i] : "UNKNOWN_TENSOR_TYPE_ID";
}

const char* toString(BackendComponent k) {
  const auto i = static_cast<uint8_t>(k);
  return i <= num_backends ? backend_names[i] : "UNKNOWN_BACKEND_BIT";
}

bool parseDispatchKey(std::string_view name, DispatchKey* key) {
  for (uint16_t i = 0; i < num_dispatch_keys; ++i) {
    if (key_names.of[i] && name == key_names.of[i]) {
      *key = static_cast<DispatchKey>(i);
      return true;
    }
  }
  return false;
}

DispatchKey parseDispatchKey(std::string_view name) {
  DispatchKey key = DispatchKey::Undefined;
  TORCH_CHECK(parseDispatchKey(name, &key), "could not parse dispatch key: ", name);
  return key;
}

DispatchKey getAutogradKeyFromBackend(BackendComponent k) {
  switch (k) {
    case BackendComponent::InvalidBit:
    case BackendComponent::HIPBit:
    case BackendComponent::VEBit:
      return DispatchKey::AutogradOther;
    default:
      return toRuntimePerBackendFunctionalityKey(DispatchKey::AutogradFunctionality, k);
  }
}

BackendComponent toBackendComponent(DeviceType device_type) {
  switch (device_type) {
#define C10_CASE(name, unused) \
  case DeviceType::name:       \
    return BackendComponent::name##Bit;
    C10_CASE(CPU, )
    C10_CASE(CUDA, )
    C10_CASE(HIP, )
    C10_CASE(XLA, )
    C10_CASE(MPS, )
    C10_CASE(IPU, )
    C10_CASE(XPU, )
    C10_CASE(HPU, )
    C10_CASE(VE, )
    C10_CASE(Lazy, )
    C10_CASE(MTIA, )
    C10_CASE(MAIA, )
    C10_CASE(PrivateUse1, )
    C10_CASE(Meta, )
#undef C10_CASE
    default:
      TORCH_CHECK(false, "no dispatch key belongs to device type number ", static_cast<int>(device_type));
  }
}

}  // namespace c10::inline C10_ABI
