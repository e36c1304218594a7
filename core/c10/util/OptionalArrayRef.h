// An ArrayRef that may be absent, and that can be made from a braced list or a single optional value.
#pragma once

#include <c10/util/ArrayRef.h>

#include <optional>
#include <utility>

namespace c10::inline C10_ABI {

template <class T>
class OptionalArrayRef final {
 public:
  using value_type = ArrayRef<T>;

  constexpr OptionalArrayRef() noexcept = default;
  constexpr OptionalArrayRef(std::nullopt_t) noexcept {}
  constexpr OptionalArrayRef(const std::optional<ArrayRef<T>>& other) noexcept : value_(other) {}
  constexpr OptionalArrayRef(ArrayRef<T> value) noexcept : value_(value) {}
  constexpr OptionalArrayRef(const T& value) noexcept : value_(std::in_place, value) {}
  constexpr OptionalArrayRef(const std::initializer_list<T>& values) noexcept
      : value_(std::in_place, values) {}
  // Not for one element of another type (`int` for `int64_t`): the array would refer to a temporary of this
  // constructor, whereas above the caller's expression keeps it alive.
  template <class U>
    requires(!std::is_same_v<std::decay_t<U>, OptionalArrayRef> && !std::is_convertible_v<U&&, T> &&
             std::is_convertible_v<U&&, ArrayRef<T>>)
  constexpr OptionalArrayRef(U&& value) noexcept : value_(std::in_place, std::forward<U>(value)) {}
  // Valid while the optional outlives this reference.
  template <class U>
    requires(std::is_convertible_v<const U&, ArrayRef<T>> && !std::is_same_v<U, ArrayRef<T>> &&
             !std::is_convertible_v<const U&, T>)
  constexpr OptionalArrayRef(const std::optional<U>& value) noexcept {
    if (value.has_value()) value_.emplace(*value);
  }

  constexpr const ArrayRef<T>* operator->() const noexcept { return &*value_; }
  constexpr const ArrayRef<T>& operator*() const noexcept { return *value_; }
  constexpr explicit operator bool() const noexcept { return value_.has_value(); }
  constexpr bool has_value() const noexcept { return value_.has_value(); }
  constexpr const ArrayRef<T>& value() const {
    TORCH_CHECK(value_.has_value(), "OptionalArrayRef: value() of an absent list");
    return *value_;
  }
  template <class U>
  constexpr ArrayRef<T> value_or(U&& fallback) const {
    return value_.has_value() ? *value_ : static_cast<ArrayRef<T>>(std::forward<U>(fallback));
  }
  constexpr void reset() noexcept { value_.reset(); }
  constexpr operator std::optional<ArrayRef<T>>() const noexcept { return value_; }

  friend constexpr bool operator==(const OptionalArrayRef& a, const OptionalArrayRef& b) {
    return a.has_value() == b.has_value() && (!a.has_value() || a.value_->equals(*b.value_));
  }
  friend constexpr bool operator==(const OptionalArrayRef& a, const ArrayRef<T>& b) {
    return a.has_value() && a.value_->equals(b);
  }

 private:
  std::optional<ArrayRef<T>> value_;
};

template <class T>
void append_to(std::string& out, const OptionalArrayRef<T>& value) {
  if (value.has_value()) {
    append_to(out, *value);
  } else {
    out += "None";
  }
}

using OptionalIntArrayRef = OptionalArrayRef<int64_t>;

}  // namespace c10::inline C10_ABI
