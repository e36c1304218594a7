// A set of dispatch keys in 64 bits: bits 0-15 are backends, bit 15 + f is functionality key f.
//
// Backends and functionalities are stored apart, so {AutogradCPU, CUDA} also "has" AutogradCUDA: per-backend
// functionalities share the backend bits. Operators dispatch on the highest functionality and, if it differs
// by backend, the highest backend.
#pragma once
#include <c10/core/DispatchKey.h>
#include <c10/macros/Macros.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace c10::inline C10_ABI {

namespace detail {

// Where a functionality's slots begin in an operator's table, and which backend bits choose among them (0:
// only one slot).
struct FunctionalityOffsetAndMask {
  uint16_t offset;
  uint16_t mask;
};

struct FunctionalityOffsetsAndMasks {
  FunctionalityOffsetAndMask of[num_functionality_keys] = {};

  constexpr FunctionalityOffsetsAndMasks() {
    uint16_t next = 0;
    for (uint8_t f = 0; f < num_functionality_keys; ++f) {
      const bool per_backend = isPerBackendFunctionalityKey(static_cast<DispatchKey>(f));
      of[f] = {next, per_backend ? full_backend_mask : uint16_t(0)};
      next += per_backend ? num_backends : 1;
    }
  }
};

inline constexpr FunctionalityOffsetsAndMasks functionality_offsets_and_masks;

// Position of the highest set bit of x, which must not be 0.
constexpr uint64_t highest_bit(uint64_t x) { return 63u ^ static_cast<unsigned>(__builtin_clzll(x)); }

}  // namespace detail

class DispatchKeySet final {
 public:
  enum Full { FULL };
  enum FullAfter { FULL_AFTER };
  enum Raw { RAW };

  constexpr DispatchKeySet() = default;
  constexpr DispatchKeySet(Full) : repr_((1ULL << (num_backends + num_functionality_keys - 1)) - 1) {}
  // All keys below `t`, and PythonDispatcher, which this never masks. For redispatch: `ks & that`.
  constexpr DispatchKeySet(FullAfter, DispatchKey t)
      : repr_(((functionality_bit(toFunctionalityKey(t)) - 1) |
               functionality_bit(DispatchKey::PythonDispatcher))) {}
  constexpr DispatchKeySet(Raw, uint64_t x) : repr_(x) {}
  constexpr explicit DispatchKeySet(BackendComponent k)
      : repr_(k == BackendComponent::InvalidBit ? 0 : 1ULL << (static_cast<uint8_t>(k) - 1)) {}
  // A runtime key sets its functionality and its backend bit; alias keys and Undefined give the empty set.
  constexpr explicit DispatchKeySet(DispatchKey k) {
    if (k == DispatchKey::Undefined || k > DispatchKey::EndOfRuntimeBackendKeys) return;
    repr_ = functionality_bit(toFunctionalityKey(k)) | DispatchKeySet(toBackendComponent(k)).repr_;
  }
  constexpr explicit DispatchKeySet(std::initializer_list<DispatchKey> ks) {
    for (DispatchKey k : ks) repr_ |= DispatchKeySet(k).repr_;
  }
  constexpr explicit DispatchKeySet(std::initializer_list<BackendComponent> ks) {
    for (BackendComponent k : ks) repr_ |= DispatchKeySet(k).repr_;
  }

  [[nodiscard]] constexpr bool has(DispatchKey t) const { return has_all(DispatchKeySet(t)); }
  [[nodiscard]] constexpr bool has_backend(BackendComponent t) const { return has_all(DispatchKeySet(t)); }
  [[nodiscard]] constexpr bool has_all(DispatchKeySet ks) const { return (repr_ & ks.repr_) == ks.repr_; }
  [[nodiscard]] constexpr bool has_any(DispatchKeySet ks) const { return (repr_ & ks.repr_) != 0; }
  [[nodiscard]] constexpr bool isSupersetOf(DispatchKeySet ks) const { return has_all(ks); }
  [[nodiscard]] constexpr bool empty() const { return repr_ == 0; }
  [[nodiscard]] constexpr uint64_t raw_repr() const { return repr_; }
  static constexpr DispatchKeySet from_raw_repr(uint64_t x) { return {RAW, x}; }

  constexpr DispatchKeySet operator|(DispatchKeySet other) const { return {RAW, repr_ | other.repr_}; }
  constexpr DispatchKeySet operator&(DispatchKeySet other) const { return {RAW, repr_ & other.repr_}; }
  constexpr DispatchKeySet operator^(DispatchKeySet other) const { return {RAW, repr_ ^ other.repr_}; }
  // Removes functionalities but keeps all backends: other functionalities may still need them.
  constexpr DispatchKeySet operator-(DispatchKeySet other) const {
    return {RAW, repr_ & (full_backend_mask | ~other.repr_)};
  }
  constexpr DispatchKeySet& operator|=(DispatchKeySet other) { return *this = *this | other; }
  constexpr DispatchKeySet& operator&=(DispatchKeySet other) { return *this = *this & other; }
  constexpr bool operator==(const DispatchKeySet&) const = default;

  [[nodiscard]] constexpr DispatchKeySet add(DispatchKey t) const { return *this | DispatchKeySet(t); }
  [[nodiscard]] constexpr DispatchKeySet add(DispatchKeySet ks) const { return *this | ks; }
  // Removes the functionality of `t`; its backend stays.
  [[nodiscard]] constexpr DispatchKeySet remove(DispatchKey t) const { return *this - DispatchKeySet(t); }
  [[nodiscard]] constexpr DispatchKeySet remove_backend(BackendComponent b) const {
    return {RAW, repr_ & ~DispatchKeySet(b).repr_};
  }

  // 1 + index of the highest bit; 0 for the empty set.
  [[nodiscard]] constexpr uint8_t indexOfHighestBit() const {
    return repr_ == 0 ? 0 : static_cast<uint8_t>(detail::highest_bit(repr_) + 1);
  }
  [[nodiscard]] constexpr DispatchKey highestFunctionalityKey() const {
    return static_cast<DispatchKey>(functionality_index());
  }
  [[nodiscard]] constexpr BackendComponent highestBackendKey() const {
    return static_cast<BackendComponent>(DispatchKeySet(RAW, repr_ & full_backend_mask).indexOfHighestBit());
  }
  // The runtime key that an operator called with this set dispatches to.
  [[nodiscard]] constexpr DispatchKey highestPriorityTypeId() const {
    const DispatchKey functionality = highestFunctionalityKey();
    if (!isPerBackendFunctionalityKey(functionality)) return functionality;
    return toRuntimePerBackendFunctionalityKey(functionality, highestBackendKey());
  }
  // The slot of highestPriorityTypeId() in an operator's table; without a backend, that of the first one.
  [[nodiscard]] constexpr uint64_t getDispatchTableIndexForDispatchKeySet() const {
    const auto& slots = detail::functionality_offsets_and_masks.of[functionality_index()];
    return slots.offset + detail::highest_bit((repr_ & slots.mask) | 1);
  }
  [[nodiscard]] constexpr uint64_t getBackendIndex() const {
    return DispatchKeySet(RAW, (repr_ & full_backend_mask) >> 1).indexOfHighestBit();
  }

  // Runtime keys of the set, lowest functionality first: every pair of a per-backend functionality and a
  // backend.
  class iterator {
   public:
    constexpr iterator(uint64_t repr, unsigned bit) : repr_(repr), functionality_(bit) { settle(); }
    constexpr DispatchKey operator*() const {
      const auto f = static_cast<DispatchKey>(functionality_ - num_backends + 1);
      return isPerBackendFunctionalityKey(f)
                 ? toRuntimePerBackendFunctionalityKey(f, static_cast<BackendComponent>(backend_ + 1))
                 : f;
    }
    constexpr iterator& operator++() {
      ++backend_;
      settle();
      return *this;
    }
    constexpr bool operator==(const iterator& rhs) const {
      return functionality_ == rhs.functionality_ && backend_ == rhs.backend_;
    }

   private:
    // Moves on to the next key at or after (functionality_, backend_).
    constexpr void settle() {
      for (; functionality_ < end_bit; ++functionality_, backend_ = 0) {
        if (!(repr_ >> functionality_ & 1)) continue;
        if (!isPerBackendFunctionalityKey(static_cast<DispatchKey>(functionality_ - num_backends + 1))) {
          if (backend_ == 0) return;
          continue;
        }
        while (backend_ < num_backends && !(repr_ >> backend_ & 1)) ++backend_;
        if (backend_ < num_backends) return;
      }
    }
    static constexpr unsigned end_bit = num_backends + num_functionality_keys - 1;
    friend class DispatchKeySet;
    uint64_t repr_;
    unsigned functionality_;
    unsigned backend_ = 0;
  };
  constexpr iterator begin() const { return {repr_, num_backends}; }
  constexpr iterator end() const { return {repr_, iterator::end_bit}; }

 private:
  static constexpr uint64_t functionality_bit(DispatchKey k) {
    return k == DispatchKey::Undefined ? 0 : 1ULL << (num_backends + static_cast<unsigned>(k) - 1);
  }
  // Shifting by one less keeps a backend bit in the place of the "| 1": no branch for the empty set.
  constexpr uint64_t functionality_index() const {
    return detail::highest_bit((repr_ >> (num_backends - 1)) | 1);
  }

  uint64_t repr_ = 0;
};

// "DispatchKeySet(CPU, ADInplaceOrView)"
C10_API std::string toString(DispatchKeySet ks);
inline void append_to(std::string& out, DispatchKeySet ks) { out += toString(ks); }

constexpr uint64_t getDispatchTableIndexForDispatchKey(DispatchKey k) {
  return DispatchKeySet(k).getDispatchTableIndexForDispatchKeySet();
}

inline constexpr DispatchKeySet backend_bitset_mask{DispatchKeySet::RAW, full_backend_mask};

inline constexpr DispatchKeySet autograd_dispatch_keyset{
    DispatchKey::AutogradFunctionality, DispatchKey::AutogradOther, DispatchKey::AutogradNestedTensor};
inline constexpr DispatchKeySet autograd_dispatch_keyset_with_ADInplaceOrView =
    autograd_dispatch_keyset | DispatchKeySet(DispatchKey::ADInplaceOrView);
inline constexpr DispatchKeySet autocast_dispatch_keyset{
    DispatchKey::AutocastCPU,        DispatchKey::AutocastMTIA, DispatchKey::AutocastMAIA,
    DispatchKey::AutocastXPU,        DispatchKey::AutocastIPU,  DispatchKey::AutocastHPU,
    DispatchKey::AutocastXLA,        DispatchKey::AutocastMPS,  DispatchKey::AutocastCUDA,
    DispatchKey::AutocastPrivateUse1};

// Thread-local defaults: these keys are added to every call, and those are removed.
inline constexpr DispatchKeySet default_included_set{DispatchKey::BackendSelect,
                                                     DispatchKey::ADInplaceOrView};
inline constexpr DispatchKeySet default_excluded_set = autocast_dispatch_keyset;

inline constexpr DispatchKeySet python_ks{DispatchKey::Python, DispatchKey::PythonTLSSnapshot};
inline constexpr DispatchKeySet sparse_ks{DispatchKey::Sparse};
inline constexpr DispatchKeySet sparse_csr_ks{DispatchKey::SparseCsr};
inline constexpr DispatchKeySet mkldnn_ks{DispatchKey::MkldnnCPU};
inline constexpr DispatchKeySet inplace_or_view_ks{DispatchKey::ADInplaceOrView};
inline constexpr DispatchKeySet functorch_transforms_ks{
    DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchVmapMode, DispatchKey::Batched,
    DispatchKey::VmapMode, DispatchKey::FuncTorchGradWrapper};
inline constexpr DispatchKeySet functorch_batched_ks{DispatchKey::FuncTorchBatched};

// Backends whose autograd kernels are AutogradOther's.
inline constexpr DispatchKeySet autogradother_backends =
    DispatchKeySet({DispatchKey::FPGA, DispatchKey::Vulkan, DispatchKey::Metal, DispatchKey::CustomRNGKeyId,
                    DispatchKey::MkldnnCPU, DispatchKey::Sparse, DispatchKey::SparseCsr,
                    DispatchKey::Quantized}) |
    backend_bitset_mask;
inline constexpr DispatchKeySet backend_functionality_keys =
    DispatchKeySet(
        {DispatchKey::Dense, DispatchKey::Quantized, DispatchKey::Sparse, DispatchKey::SparseCsr}) |
    backend_bitset_mask;

// Masks for redispatch below a layer.
inline constexpr DispatchKeySet after_autograd_keyset{DispatchKeySet::FULL_AFTER, DispatchKey::AutogradOther};
inline constexpr DispatchKeySet after_ADInplaceOrView_keyset{DispatchKeySet::FULL_AFTER,
                                                             DispatchKey::ADInplaceOrView};
inline constexpr DispatchKeySet after_func_keyset =
    DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::Functionalize)
        .remove(DispatchKey::ADInplaceOrView);

// Whether kernels of the runtime key `t` compute rather than wrap other kernels.
C10_API bool isBackendDispatchKey(DispatchKey t);

// The runtime keys that `t` stands for: itself unless it is an alias key.
C10_API DispatchKeySet getRuntimeDispatchKeySet(DispatchKey t);

// Whether `k` is one of getRuntimeDispatchKeySet(t).
C10_API bool runtimeDispatchKeySetHas(DispatchKey t, DispatchKey k);

// The backend keys whose autograd key is `t`; empty for AutogradHIP, VE and MTIA, as in PyTorch, and other
// keys.
C10_API DispatchKeySet getBackendKeySetFromAutograd(DispatchKey t);

// Whether a kernel registered for `alias` may serve the runtime key `k`; never for Undefined.
C10_API bool isIncludedInAlias(DispatchKey k, DispatchKey alias);

// The keys, beside its backend key, of a dense tensor of backend `t`: ADInplaceOrView and its autograd key.
C10_API DispatchKeySet getAutogradRelatedKeySetFromBackend(BackendComponent t);
C10_API DispatchKeySet getAutocastRelatedKeySetFromBackend(BackendComponent t);

constexpr DispatchKey highestPriorityBackendTypeId(DispatchKeySet ks) {
  return (ks & backend_functionality_keys).highestPriorityTypeId();
}

// The highest key that describes a tensor's storage, below all wrappers and modes.
constexpr DispatchKey legacyExtractDispatchKey(DispatchKeySet s) {
  return (s - autograd_dispatch_keyset_with_ADInplaceOrView - autocast_dispatch_keyset -
          DispatchKeySet({DispatchKey::Functionalize, DispatchKey::PythonTLSSnapshot,
                          DispatchKey::FuncTorchGradWrapper, DispatchKey::FuncTorchVmapMode,
                          DispatchKey::FuncTorchBatched, DispatchKey::Python}))
      .highestPriorityTypeId();
}

}  // namespace c10::inline C10_ABI
