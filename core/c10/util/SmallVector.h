// A vector with inline storage for N elements. SmallVectorImpl<T> is the part independent of N, for
// signatures.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {

namespace detail {
// Heap memory for `capacity` elements of `size` bytes; throws std::bad_alloc.
C10_API void* small_vector_allocate(size_t capacity, size_t size);
C10_API void small_vector_free(void* data) noexcept;
}  // namespace detail

template <class T>
class SmallVectorImpl {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  SmallVectorImpl(const SmallVectorImpl&) = delete;
  ~SmallVectorImpl() {
    // Here, as nvcc instantiates the class where T is incomplete.
    static_assert(alignof(T) <= alignof(std::max_align_t));
    destroy(begin_, begin_ + size_);
    if (!is_inline()) detail::small_vector_free(begin_);
  }
  SmallVectorImpl& operator=(const SmallVectorImpl& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVectorImpl& operator=(SmallVectorImpl&& other) {
    if (this != &other) take(other);
    return *this;
  }
  SmallVectorImpl& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }

  iterator begin() { return begin_; }
  const_iterator begin() const { return begin_; }
  iterator end() { return begin_ + size_; }
  const_iterator end() const { return begin_ + size_; }
  const_iterator cbegin() const { return begin_; }
  const_iterator cend() const { return begin_ + size_; }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  T* data() { return begin_; }
  const T* data() const { return begin_; }
  T& operator[](size_t index) { return begin_[index]; }
  const T& operator[](size_t index) const { return begin_[index]; }
  T& at(size_t index) {
    TORCH_CHECK(index < size_, "SmallVector: invalid index ", index, ", size ", size_);
    return begin_[index];
  }
  const T& at(size_t index) const { return const_cast<SmallVectorImpl*>(this)->at(index); }
  T& front() { return begin_[0]; }
  const T& front() const { return begin_[0]; }
  T& back() { return begin_[size_ - 1]; }
  const T& back() const { return begin_[size_ - 1]; }

  void clear() {
    destroy(begin_, end());
    size_ = 0;
  }
  void reserve(size_t n) {
    if (C10_UNLIKELY(n > capacity_)) grow(n);
  }
  void resize(size_t n) {
    resize_with(n, [](T* place) { ::new (static_cast<void*>(place)) T(); });
  }
  void resize(size_t n, const T& value) {
    T copy(value);  // `value` may be an element of this vector
    resize_with(n, [&](T* place) { ::new (static_cast<void*>(place)) T(copy); });
  }
  // Elements of trivial types are left uninitialized.
  void resize_for_overwrite(size_t n) {
    resize_with(n, [](T* place) { ::new (static_cast<void*>(place)) T; });
  }
  void set_size(size_t n) { size_ = n; }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (C10_LIKELY(size_ < capacity_)) {
      ::new (static_cast<void*>(end())) T(std::forward<Args>(args)...);
    } else {
      T value(std::forward<Args>(args)...);  // an argument may be an element of this vector
      grow(size_ + 1);
      ::new (static_cast<void*>(end())) T(std::move(value));
    }
    return begin_[size_++];
  }
  void pop_back() {
    --size_;
    end()->~T();
  }
  T pop_back_val() {
    T value = std::move(back());
    pop_back();
    return value;
  }

  template <std::input_iterator It>
  void append(It first, It last) {
    if constexpr (std::forward_iterator<It>) reserve(size_ + static_cast<size_t>(std::distance(first, last)));
    for (; first != last; ++first) emplace_back(*first);
  }
  void append(size_t count, const T& value) { resize(size_ + count, value); }
  void append(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  template <std::input_iterator It>
  void assign(It first, It last) {
    clear();
    append(first, last);
  }
  void assign(size_t count, const T& value) {
    T copy(value);  // NOLINT(performance-unnecessary-copy-initialization): value may be an element
    clear();
    resize(count, copy);
  }
  void assign(std::initializer_list<T> values) { assign(values.begin(), values.end()); }

  iterator erase(const_iterator position) { return erase(position, position + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    T* hole = begin_ + (first - begin_);
    T* new_end = std::move(begin_ + (last - begin_), end(), hole);
    destroy(new_end, end());
    size_ = static_cast<size_t>(new_end - begin_);
    return hole;
  }
  iterator insert(const_iterator position, T value) {
    const size_t index = static_cast<size_t>(position - begin_);
    emplace_back(std::move(value));
    for (size_t i = size_ - 1; i > index; --i) std::swap(begin_[i], begin_[i - 1]);
    return begin_ + index;
  }
  iterator insert(const_iterator position, size_t count, const T& value) {
    const size_t index = static_cast<size_t>(position - begin_);
    T copy(value);
    for (size_t i = 0; i < count; ++i) insert(begin_ + index, copy);
    return begin_ + index;
  }
  template <std::input_iterator It>
  iterator insert(const_iterator position, It first, It last) {
    const size_t index = static_cast<size_t>(position - begin_);
    for (size_t i = index; first != last; ++first, ++i) insert(begin_ + i, T(*first));
    return begin_ + index;
  }

  friend bool operator==(const SmallVectorImpl& a, const SmallVectorImpl& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 protected:
  SmallVectorImpl(T* inline_data, size_t inline_capacity)
      : begin_(inline_data), size_(0), capacity_(inline_capacity), inline_(inline_data) {}

  // Leaves `other` empty.
  void take(SmallVectorImpl& other) {
    if (other.is_inline()) {
      assign(std::make_move_iterator(other.begin()), std::make_move_iterator(other.end()));
      other.clear();
      return;
    }
    clear();
    if (!is_inline()) detail::small_vector_free(begin_);
    begin_ = std::exchange(other.begin_, other.inline_);
    size_ = std::exchange(other.size_, 0);
    // The inline capacity of `other` isn't known here; zero only makes it allocate at its next use.
    capacity_ = std::exchange(other.capacity_, 0);
  }

 private:
  bool is_inline() const { return begin_ == inline_; }

  static void destroy([[maybe_unused]] T* first, [[maybe_unused]] T* last) {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      for (; first != last; ++first) first->~T();
    }
  }

  template <class Construct>
  void resize_with(size_t n, const Construct& construct) {
    if (n < size_) {
      destroy(begin_ + n, end());
    } else {
      reserve(n);
      for (T *place = end(), *last = begin_ + n; place != last; ++place) construct(place);
    }
    size_ = n;
  }

  C10_NOINLINE void grow(size_t minimum) {
    const size_t capacity = std::max(minimum, 2 * capacity_ + 1);
    T* fresh = static_cast<T*>(detail::small_vector_allocate(capacity, sizeof(T)));
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (size_ != 0) {
        std::memcpy(static_cast<void*>(fresh), static_cast<const void*>(begin_), size_ * sizeof(T));
      }
    } else {
      std::uninitialized_move(begin_, end(), fresh);
      destroy(begin_, end());
    }
    if (!is_inline()) detail::small_vector_free(begin_);
    begin_ = fresh;
    capacity_ = capacity;
  }

  T* begin_;
  size_t size_;
  size_t capacity_;
  T* inline_;
};

template <class T>
constexpr unsigned default_small_vector_size = sizeof(T) >= 64 ? 1 : 64 / sizeof(T);

template <class T, unsigned N = default_small_vector_size<T>>
class SmallVector : public SmallVectorImpl<T> {
  using Base = SmallVectorImpl<T>;

 public:
  SmallVector() : Base(inline_data(), N) {}
  explicit SmallVector(size_t count, const T& value = T()) : SmallVector() { this->assign(count, value); }
  template <std::input_iterator It>
  SmallVector(It first, It last) : SmallVector() {
    this->append(first, last);
  }
  SmallVector(std::initializer_list<T> values) : SmallVector() { this->append(values.begin(), values.end()); }
  explicit SmallVector(ArrayRef<T> values) : SmallVector() { this->append(values.begin(), values.end()); }
  template <class Range>
    requires(!std::is_base_of_v<Base, std::decay_t<Range>> && !std::is_convertible_v<Range, size_t> &&
             !std::is_same_v<std::decay_t<Range>, ArrayRef<T>> &&
             requires(const Range& r) {
               r.begin();
               r.end();
             })
  explicit SmallVector(const Range& range) : SmallVector() {
    this->append(range.begin(), range.end());
  }
  SmallVector(const SmallVector& other) : SmallVector() { this->append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept(std::is_nothrow_move_constructible_v<T>) : SmallVector() {
    this->take(other);
  }
  SmallVector(const Base& other) : SmallVector() { this->append(other.begin(), other.end()); }
  SmallVector(Base&& other) : SmallVector() { this->take(other); }

  SmallVector& operator=(const SmallVector& other) {
    Base::operator=(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) {
    Base::operator=(static_cast<Base&&>(other));
    return *this;
  }
  SmallVector& operator=(const Base& other) {
    Base::operator=(other);
    return *this;
  }
  SmallVector& operator=(std::initializer_list<T> values) {
    Base::operator=(values);
    return *this;
  }
  SmallVector& operator=(ArrayRef<T> values) {
    this->assign(values.begin(), values.end());
    return *this;
  }

 private:
  T* inline_data() { return reinterpret_cast<T*>(storage_); }
  alignas(T) unsigned char storage_[(N == 0 ? 1 : N) * sizeof(T)];
};

template <class T>
void append_to(std::string& out, const SmallVectorImpl<T>& values) {
  detail::append_range(out, values);
}
template <class T, unsigned N>
void append_to(std::string& out, const SmallVector<T, N>& values) {
  detail::append_range(out, values);
}

}  // namespace c10::inline C10_ABI
