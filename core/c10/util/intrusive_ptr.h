// Reference-counted pointers whose count lies in the object: intrusive_ptr<T> and weak_intrusive_ptr<T>.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {

class intrusive_ptr_target;
template <class T, class NullType>
class intrusive_ptr;
template <class T, class NullType>
class weak_intrusive_ptr;

namespace raw {
// For pointers held outside of the library's types (Python objects, C structs); each call adds or drops a
// reference.
inline void incref(intrusive_ptr_target* self);
inline void decref(intrusive_ptr_target* self);
}  // namespace raw

/// Base of objects that intrusive_ptr holds.
class C10_API intrusive_ptr_target {
 public:
  constexpr intrusive_ptr_target() noexcept : counts_(0) {}
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept : counts_(0) {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }

 protected:
  virtual ~intrusive_ptr_target() = default;

 private:
  template <class T, class NullType>
  friend class intrusive_ptr;
  template <class T, class NullType>
  friend class weak_intrusive_ptr;
  friend void raw::incref(intrusive_ptr_target* self);
  friend void raw::decref(intrusive_ptr_target* self);

  // Frees resources when the last strong reference is dropped while weak ones remain.
  virtual void release_resources() {}

  // Strong references in the low half; weak ones, plus one for all strong ones together, in the high half.
  // Both in one word, so that the sole owner sees with a plain load that nobody else can reach the object.
  static constexpr uint64_t kStrong = 1, kWeak = uint64_t{1} << 32, kUnique = kStrong | kWeak;
  static constexpr uint64_t strong_of(uint64_t counts) { return counts & 0xFFFFFFFFu; }
  static constexpr uint64_t weak_of(uint64_t counts) { return counts >> 32; }

  static void retain(const intrusive_ptr_target* self) noexcept {
    self->counts_.fetch_add(kStrong, std::memory_order_relaxed);
  }
  template <class T>
  static void release(T* self) noexcept {
    if (self->intrusive_ptr_target::counts_.load(std::memory_order_acquire) == kUnique) {
      delete self;
      return;
    }
    release_shared(self);
  }
  static void release_shared(intrusive_ptr_target* self) noexcept;
  static void release_weak(intrusive_ptr_target* self) noexcept;
  static bool retain_if_alive(intrusive_ptr_target* self) noexcept {
    uint64_t counts = self->counts_.load(std::memory_order_relaxed);
    do {
      if (strong_of(counts) == 0) return false;
    } while (!self->counts_.compare_exchange_weak(counts, counts + kStrong, std::memory_order_acquire,
                                                  std::memory_order_relaxed));
    return true;
  }

  mutable std::atomic<uint64_t> counts_;
};

namespace detail {
template <class T>
struct intrusive_target_default_null_type final {
  static constexpr T* singleton() noexcept { return nullptr; }
};
struct DontIncreaseRefcount {};
}  // namespace detail

template <class T, class NullType = detail::intrusive_target_default_null_type<T>>
class intrusive_ptr final {
 public:
  using element_type = T;

  constexpr intrusive_ptr() noexcept : target_(NullType::singleton()) {}
  constexpr /*implicit*/ intrusive_ptr(std::nullptr_t) noexcept : intrusive_ptr() {}
  // Takes over the caller's reference.
  explicit intrusive_ptr(T* target, detail::DontIncreaseRefcount) noexcept : target_(target) {}
  intrusive_ptr(intrusive_ptr&& other) noexcept : target_(other.release()) {}
  intrusive_ptr(const intrusive_ptr& other) noexcept : target_(other.target_) { retain(); }
  template <class From, class FromNull>
    requires(std::is_convertible_v<From*, T*>)
  /*implicit*/ intrusive_ptr(intrusive_ptr<From, FromNull>&& other) noexcept
      : target_(other.defined() ? static_cast<T*>(other.release()) : NullType::singleton()) {}
  template <class From, class FromNull>
    requires(std::is_convertible_v<From*, T*>)
  /*implicit*/ intrusive_ptr(const intrusive_ptr<From, FromNull>& other) noexcept
      : target_(other.defined() ? static_cast<T*>(other.get()) : NullType::singleton()) {
    retain();
  }
  ~intrusive_ptr() noexcept { reset_target(); }

  intrusive_ptr& operator=(intrusive_ptr&& other) & noexcept {
    intrusive_ptr moved(std::move(other));
    swap(moved);
    return *this;
  }
  intrusive_ptr& operator=(const intrusive_ptr& other) & noexcept {
    intrusive_ptr copy(other);
    swap(copy);
    return *this;
  }
  template <class From, class FromNull>
  intrusive_ptr& operator=(intrusive_ptr<From, FromNull> other) & noexcept {
    intrusive_ptr moved(std::move(other));
    swap(moved);
    return *this;
  }

  T* get() const noexcept { return target_; }
  T& operator*() const noexcept { return *target_; }
  T* operator->() const noexcept { return target_; }
  operator bool() const noexcept { return defined(); }
  bool defined() const noexcept { return target_ != NullType::singleton(); }
  void reset() noexcept { intrusive_ptr().swap(*this); }
  void swap(intrusive_ptr& other) noexcept { std::swap(target_, other.target_); }

  uint32_t use_count() const noexcept {
    return defined() ? static_cast<uint32_t>(intrusive_ptr_target::strong_of(counts())) : 0;
  }
  uint32_t weak_use_count() const noexcept {
    return defined() ? static_cast<uint32_t>(intrusive_ptr_target::weak_of(counts())) : 0;
  }
  bool unique() const noexcept { return use_count() == 1; }
  /// Whether this is the only reference of any kind.
  bool is_uniquely_owned() const noexcept { return defined() && counts() == intrusive_ptr_target::kUnique; }

  /// Releases the reference; the caller must pass it to reclaim() eventually.
  T* release() noexcept { return std::exchange(target_, NullType::singleton()); }
  static intrusive_ptr reclaim(T* owned) { return intrusive_ptr(owned, detail::DontIncreaseRefcount{}); }
  static intrusive_ptr reclaim_copy(T* borrowed) {
    intrusive_ptr result = reclaim(borrowed);
    result.retain();
    return result;
  }
  /// The first reference to a newly constructed object.
  static intrusive_ptr unsafe_steal_from_new(T* fresh) {
    fresh->intrusive_ptr_target::counts_.store(intrusive_ptr_target::kUnique, std::memory_order_relaxed);
    return reclaim(fresh);
  }
  static intrusive_ptr unsafe_reclaim_from_nonowning(T* raw) { return reclaim_copy(raw); }
  template <class... Args>
  static intrusive_ptr make(Args&&... args) {
    return unsafe_steal_from_new(new T(std::forward<Args>(args)...));
  }

 private:
  template <class U, class N>
  friend class intrusive_ptr;
  template <class U, class N>
  friend class weak_intrusive_ptr;

  uint64_t counts() const noexcept {
    return static_cast<const intrusive_ptr_target*>(target_)->counts_.load(std::memory_order_acquire);
  }
  void retain() noexcept {
    if (defined()) intrusive_ptr_target::retain(target_);
  }
  void reset_target() noexcept {
    if (defined()) intrusive_ptr_target::release(target_);
  }

  T* target_;
};

template <class T, class... Args>
intrusive_ptr<T> make_intrusive(Args&&... args) {
  return intrusive_ptr<T>::make(std::forward<Args>(args)...);
}
template <class T, class N>
void swap(intrusive_ptr<T, N>& a, intrusive_ptr<T, N>& b) noexcept {
  a.swap(b);
}
template <class T1, class N1, class T2, class N2>
bool operator==(const intrusive_ptr<T1, N1>& a, const intrusive_ptr<T2, N2>& b) noexcept {
  return a.get() == b.get();
}
template <class T, class N>
bool operator==(const intrusive_ptr<T, N>& a, std::nullptr_t) noexcept {
  return !a.defined();
}
template <class T, class N>
bool operator<(const intrusive_ptr<T, N>& a, const intrusive_ptr<T, N>& b) noexcept {
  return a.get() < b.get();
}

/// A reference that doesn't keep the object alive; lock() returns one that does, if the object still lives.
template <class T, class NullType = detail::intrusive_target_default_null_type<T>>
class weak_intrusive_ptr final {
 public:
  using element_type = T;

  constexpr weak_intrusive_ptr() noexcept : target_(NullType::singleton()) {}
  explicit weak_intrusive_ptr(const intrusive_ptr<T, NullType>& strong) noexcept : target_(strong.get()) {
    retain();
  }
  weak_intrusive_ptr(weak_intrusive_ptr&& other) noexcept
      : target_(std::exchange(other.target_, NullType::singleton())) {}
  weak_intrusive_ptr(const weak_intrusive_ptr& other) noexcept : target_(other.target_) { retain(); }
  ~weak_intrusive_ptr() noexcept {
    if (defined()) intrusive_ptr_target::release_weak(target_);
  }
  weak_intrusive_ptr& operator=(weak_intrusive_ptr other) & noexcept {
    std::swap(target_, other.target_);
    return *this;
  }

  bool defined() const noexcept { return target_ != NullType::singleton(); }
  bool expired() const noexcept { return use_count() == 0; }
  uint32_t use_count() const noexcept {
    if (!defined()) return 0;
    const intrusive_ptr_target* base = target_;
    return static_cast<uint32_t>(
        intrusive_ptr_target::strong_of(base->counts_.load(std::memory_order_acquire)));
  }
  intrusive_ptr<T, NullType> lock() const noexcept {
    if (!defined() || !intrusive_ptr_target::retain_if_alive(target_)) return {};
    return intrusive_ptr<T, NullType>::reclaim(target_);
  }
  void reset() noexcept { *this = weak_intrusive_ptr(); }
  /// For comparisons only: the object may be gone.
  T* _unsafe_get_target() const noexcept { return target_; }
  T* release() noexcept { return std::exchange(target_, NullType::singleton()); }
  static weak_intrusive_ptr reclaim(T* owned) {
    weak_intrusive_ptr result;
    result.target_ = owned;
    return result;
  }
  friend bool operator==(const weak_intrusive_ptr& a, const weak_intrusive_ptr& b) noexcept {
    return a.target_ == b.target_;
  }

 private:
  void retain() noexcept {
    if (defined()) {
      static_cast<const intrusive_ptr_target*>(target_)->counts_.fetch_add(intrusive_ptr_target::kWeak,
                                                                           std::memory_order_relaxed);
    }
  }

  T* target_;
};

namespace raw {
inline void incref(intrusive_ptr_target* self) { intrusive_ptr_target::retain(self); }
inline void decref(intrusive_ptr_target* self) { intrusive_ptr_target::release(self); }
inline uint32_t use_count(intrusive_ptr_target* self) {
  auto ptr = intrusive_ptr<intrusive_ptr_target>::reclaim(self);
  const uint32_t count = ptr.use_count();
  ptr.release();
  return count;
}
}  // namespace raw

template <class T>
struct MaybeOwnedTraits;
template <class T, class NullType>
struct MaybeOwnedTraits<intrusive_ptr<T, NullType>> {
  using owned_type = intrusive_ptr<T, NullType>;
  using borrow_type = intrusive_ptr<T, NullType>;
  static borrow_type createBorrow(const owned_type& from) { return borrow_type::reclaim(from.get()); }
  static void assignBorrow(borrow_type& lhs, const borrow_type& rhs) {
    lhs.release();
    lhs = borrow_type::reclaim(rhs.get());
  }
  static void destroyBorrow(borrow_type& borrow) { borrow.release(); }
  static const owned_type& referenceFromBorrow(const borrow_type& borrow) { return borrow; }
  static const owned_type* pointerFromBorrow(const borrow_type& borrow) { return &borrow; }
};

}  // namespace c10::inline C10_ABI

template <class T, class NullType>
struct std::hash<c10::intrusive_ptr<T, NullType>> {
  size_t operator()(const c10::intrusive_ptr<T, NullType>& ptr) const {
    return reinterpret_cast<size_t>(ptr.get()) >> 6;
  }
};
