// A borrowed, read-only sequence: pointer and length. Never keeps its elements alive.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace c10::inline C10_ABI {

template <class T>
class SmallVectorImpl;

template <class T>
class ArrayRef final {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = const T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& one) : data_(&one), length_(1) {}
  constexpr ArrayRef(const T* data, size_t length) : data_(data), length_(length) {
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(data != nullptr || length == 0);
  }
  constexpr ArrayRef(const T* begin, const T* end)
      : data_(begin), length_(static_cast<size_t>(end - begin)) {}
  ArrayRef(const SmallVectorImpl<T>& vec) : data_(vec.data()), length_(vec.size()) {}
  template <class Allocator>
  ArrayRef(const std::vector<T, Allocator>& vec) : data_(vec.data()), length_(vec.size()) {
    static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no array of bool to refer to");
  }
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& arr) : data_(arr.data()), length_(N) {}
  template <size_t N>
  constexpr ArrayRef(const T (&arr)[N]) : data_(arr), length_(N) {}
  // Valid until the end of the full expression, as an argument is; that is what the warning is about.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr ArrayRef(const std::initializer_list<T>& list)
      : data_(list.begin() == list.end() ? nullptr : list.begin()), length_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + length_; }
  constexpr const_iterator cbegin() const { return data_; }
  constexpr const_iterator cend() const { return data_ + length_; }
  constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }
  template <class F>
  bool allMatch(const F& predicate) const {
    for (const T& value : *this) {
      if (!predicate(value)) return false;
    }
    return true;
  }

  constexpr bool empty() const { return length_ == 0; }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return length_; }
  constexpr const T& front() const {
    TORCH_CHECK(!empty(), "ArrayRef: front() of an empty list");
    return data_[0];
  }
  constexpr const T& back() const {
    TORCH_CHECK(!empty(), "ArrayRef: back() of an empty list");
    return data_[length_ - 1];
  }
  constexpr bool equals(ArrayRef rhs) const {
    if (length_ != rhs.length_) return false;
    for (size_t i = 0; i < length_; ++i) {
      if (!(data_[i] == rhs.data_[i])) return false;
    }
    return true;
  }
  constexpr ArrayRef slice(size_t start, size_t count) const {
    TORCH_CHECK(start <= length_ && count <= length_ - start, "ArrayRef: invalid slice, start = ", start,
                ", count = ", count, "; size = ", length_);
    return ArrayRef(data_ + start, count);
  }
  constexpr ArrayRef slice(size_t start) const {
    TORCH_CHECK(start <= length_, "ArrayRef: invalid slice, start = ", start, "; size = ", length_);
    return ArrayRef(data_ + start, length_ - start);
  }
  constexpr const T& operator[](size_t index) const { return data_[index]; }
  constexpr const T& at(size_t index) const {
    TORCH_CHECK(index < length_, "ArrayRef: invalid index, index = ", index, "; length = ", length_);
    return data_[index];
  }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }

  // An assignment from a temporary would dangle at once.
  template <class U>
  std::enable_if_t<std::is_same_v<U, T>, ArrayRef>& operator=(U&& temporary) = delete;
  template <class U>
  std::enable_if_t<std::is_same_v<U, T>, ArrayRef>& operator=(std::initializer_list<U>) = delete;

 private:
  const T* data_ = nullptr;
  size_t length_ = 0;
};

template <class T>
constexpr bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <class T>
bool operator==(const std::vector<T>& a, ArrayRef<T> b) {
  return ArrayRef<T>(a).equals(b);
}
template <class T>
bool operator==(ArrayRef<T> a, const std::vector<T>& b) {
  return a.equals(ArrayRef<T>(b));
}

template <class T>
void append_to(std::string& out, ArrayRef<T> values) {
  detail::append_range(out, values);
}

template <class T>
ArrayRef<T> makeArrayRef(const T& one) {
  return one;
}
template <class T>
ArrayRef<T> makeArrayRef(const T* data, size_t length) {
  return ArrayRef<T>(data, length);
}
template <class T>
ArrayRef<T> makeArrayRef(const std::vector<T>& vec) {
  return vec;
}
template <class T>
ArrayRef<T> makeArrayRef(const SmallVectorImpl<T>& vec) {
  return vec;
}
template <class T>
ArrayRef<T> makeArrayRef(ArrayRef<T> ref) {
  return ref;
}

using IntArrayRef = ArrayRef<int64_t>;
using IntList [[deprecated("use IntArrayRef")]] = ArrayRef<int64_t>;

}  // namespace c10::inline C10_ABI
