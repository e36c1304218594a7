// The keys that the current thread includes in and excludes from every operator call, and guards that change
// them.
#pragma once
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {
namespace impl {

// The thread's state. `allowed_` is derived from `excluded_`: calls mask with it, which saves the complement.
struct PODLocalDispatchKeySet {
  uint64_t included_;
  uint64_t excluded_;
  uint64_t allowed_;

  constexpr DispatchKeySet included() const { return {DispatchKeySet::RAW, included_}; }
  constexpr DispatchKeySet excluded() const { return {DispatchKeySet::RAW, excluded_}; }
  // Everything but the excluded functionalities; all backends.
  constexpr DispatchKeySet allowed() const { return {DispatchKeySet::RAW, allowed_}; }

  constexpr void set_included(DispatchKeySet x) { included_ = x.raw_repr(); }
  constexpr void set_excluded(DispatchKeySet x) {
    excluded_ = x.raw_repr();
    allowed_ = full_backend_mask | ~x.raw_repr();
  }
};

// A thread's included and excluded keys, as a value to keep.
struct LocalDispatchKeySet {
  constexpr LocalDispatchKeySet(PODLocalDispatchKeySet x)
      : included_(x.included()), excluded_(x.excluded()) {}
  DispatchKeySet included_;
  DispatchKeySet excluded_;
};

// constinit on the declaration, so that access needs no call to an initialisation function.
extern C10_API constinit thread_local PODLocalDispatchKeySet raw_local_dispatch_key_set;

inline LocalDispatchKeySet tls_local_dispatch_key_set() { return raw_local_dispatch_key_set; }

inline void _force_tls_local_dispatch_key_set(LocalDispatchKeySet key_set) {
  raw_local_dispatch_key_set.set_included(key_set.included_);
  raw_local_dispatch_key_set.set_excluded(key_set.excluded_);
}

// Includes keys until it is destroyed; keys that were included already stay so.
class IncludeDispatchKeyGuard {
 public:
  explicit IncludeDispatchKeyGuard(DispatchKeySet include)
      : added_(DispatchKeySet::RAW, include.raw_repr() & ~raw_local_dispatch_key_set.included_) {
    raw_local_dispatch_key_set.included_ |= added_.raw_repr();
  }
  explicit IncludeDispatchKeyGuard(DispatchKey k) : IncludeDispatchKeyGuard(DispatchKeySet(k)) {}
  IncludeDispatchKeyGuard(const IncludeDispatchKeyGuard&) = delete;
  IncludeDispatchKeyGuard& operator=(const IncludeDispatchKeyGuard&) = delete;
  ~IncludeDispatchKeyGuard() { raw_local_dispatch_key_set.included_ &= ~added_.raw_repr(); }

 private:
  DispatchKeySet added_;
};

// Excludes keys until it is destroyed; keys that were excluded already stay so.
class ExcludeDispatchKeyGuard {
 public:
  explicit ExcludeDispatchKeyGuard(DispatchKeySet exclude)
      : added_(DispatchKeySet::RAW, exclude.raw_repr() & ~raw_local_dispatch_key_set.excluded_) {
    auto& tls = raw_local_dispatch_key_set;
    tls.set_excluded(tls.excluded() | added_);
  }
  explicit ExcludeDispatchKeyGuard(DispatchKey k) : ExcludeDispatchKeyGuard(DispatchKeySet(k)) {}
  ExcludeDispatchKeyGuard(const ExcludeDispatchKeyGuard&) = delete;
  ExcludeDispatchKeyGuard& operator=(const ExcludeDispatchKeyGuard&) = delete;
  ~ExcludeDispatchKeyGuard() {
    auto& tls = raw_local_dispatch_key_set;
    tls.set_excluded({DispatchKeySet::RAW, tls.excluded_ & ~added_.raw_repr()});
  }

 private:
  DispatchKeySet added_;
};

// Replaces the thread's sets until it is destroyed.
class ForceDispatchKeyGuard {
 public:
  ForceDispatchKeyGuard() : saved_(raw_local_dispatch_key_set) {}
  explicit ForceDispatchKeyGuard(LocalDispatchKeySet key_set) : ForceDispatchKeyGuard() {
    _force_tls_local_dispatch_key_set(key_set);
  }
  ForceDispatchKeyGuard(DispatchKeySet include, DispatchKeySet exclude) : ForceDispatchKeyGuard() {
    raw_local_dispatch_key_set.set_included(include);
    raw_local_dispatch_key_set.set_excluded(exclude);
  }
  ForceDispatchKeyGuard(const ForceDispatchKeyGuard&) = delete;
  ForceDispatchKeyGuard& operator=(const ForceDispatchKeyGuard&) = delete;
  ~ForceDispatchKeyGuard() { raw_local_dispatch_key_set = saved_; }

 private:
  PODLocalDispatchKeySet saved_;
};

// For language bindings, which can't use guards. The state stays until it is set back.
C10_API bool tls_is_dispatch_key_excluded(DispatchKey x);
C10_API void tls_set_dispatch_key_excluded(DispatchKey x, bool desired_state);
C10_API bool tls_is_dispatch_key_included(DispatchKey x);
C10_API void tls_set_dispatch_key_included(DispatchKey x, bool desired_state);
C10_API bool tls_is_dispatch_keyset_excluded(DispatchKeySet ks);
C10_API bool tls_is_dispatch_keyset_included(DispatchKeySet ks);

}  // namespace impl
}  // namespace c10::inline C10_ABI
