// A value that is either owned or borrowed from a caller who keeps it alive.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <new>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {

/// How a borrowed T is held: by default as a pointer.
template <class T>
struct MaybeOwnedTraits {
  using owned_type = T;
  using borrow_type = const T*;
  static borrow_type createBorrow(const owned_type& from) { return &from; }
  static void assignBorrow(borrow_type& lhs, borrow_type rhs) { lhs = rhs; }
  static void destroyBorrow(borrow_type&) {}
  static const owned_type& referenceFromBorrow(const borrow_type& borrow) { return *borrow; }
  static const owned_type* pointerFromBorrow(const borrow_type& borrow) { return borrow; }
};

template <class T>
class MaybeOwned final {
  using Traits = MaybeOwnedTraits<T>;
  using borrow_type = typename Traits::borrow_type;

 public:
  MaybeOwned() : is_borrowed_(true), borrow_() {}
  MaybeOwned(const MaybeOwned& other) : is_borrowed_(other.is_borrowed_) {
    if (is_borrowed_) {
      ::new (&borrow_) borrow_type(Traits::createBorrow(*other));
    } else {
      ::new (&own_) T(other.own_);
    }
  }
  MaybeOwned(MaybeOwned&& other) noexcept : is_borrowed_(other.is_borrowed_) {
    if (is_borrowed_) {
      ::new (&borrow_) borrow_type(Traits::createBorrow(*other));
    } else {
      ::new (&own_) T(std::move(other.own_));
    }
  }
  MaybeOwned& operator=(const MaybeOwned& other) {
    if (this != &other) {
      MaybeOwned copy(other);
      *this = std::move(copy);
    }
    return *this;
  }
  MaybeOwned& operator=(MaybeOwned&& other) noexcept {
    if (this != &other) {
      destroy();
      ::new (this) MaybeOwned(std::move(other));
    }
    return *this;
  }
  ~MaybeOwned() noexcept { destroy(); }

  static MaybeOwned borrowed(const T& value) { return MaybeOwned(value, borrow_tag{}); }
  static MaybeOwned owned(T&& value) { return MaybeOwned(std::move(value), own_tag{}); }
  template <class... Args>
  static MaybeOwned owned(std::in_place_t, Args&&... args) {
    return MaybeOwned(T(std::forward<Args>(args)...), own_tag{});
  }

  bool unsafeIsBorrowed() const { return is_borrowed_; }
  const T& operator*() const& { return is_borrowed_ ? Traits::referenceFromBorrow(borrow_) : own_; }
  const T* operator->() const { return is_borrowed_ ? Traits::pointerFromBorrow(borrow_) : &own_; }
  // By value: a reference into a temporary MaybeOwned would dangle.
  T operator*() && {
    if (is_borrowed_) return Traits::referenceFromBorrow(borrow_);
    return std::move(own_);
  }

 private:
  struct borrow_tag {};
  struct own_tag {};
  MaybeOwned(const T& value, borrow_tag) : is_borrowed_(true), borrow_(Traits::createBorrow(value)) {}
  MaybeOwned(T&& value, own_tag) : is_borrowed_(false), own_(std::move(value)) {}
  void destroy() noexcept {
    if (is_borrowed_) {
      Traits::destroyBorrow(borrow_);
      borrow_.~borrow_type();
    } else {
      own_.~T();
    }
  }

  bool is_borrowed_;
  union {
    borrow_type borrow_;
    T own_;
  };
};

}  // namespace c10::inline C10_ABI
