// c10::List<T>: a list shared by reference, as operators with `Tensor?[]` arguments take it.
#pragma once
#include <ATen/core/ivalue.h>

#include <initializer_list>
#include <iterator>

namespace c10::inline C10_ABI {

// Copies share their elements; copy() does not. Elements are returned by value.
template <class T>
class List final {
 public:
  using value_type = T;
  using size_type = size_t;

  // A proxy for an element, which can be assigned.
  class reference {
   public:
    reference(IValue& slot) : slot_(slot) {}
    operator T() const { return slot_.to<T>(); }
    reference& operator=(T value) {
      slot_ = IValue(std::move(value));
      return *this;
    }

   private:
    IValue& slot_;
  };

  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = ptrdiff_t;
    using pointer = void;
    using reference = T;
    explicit iterator(const IValue* at) : at_(at) {}
    T operator*() const { return at_->to<T>(); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) { return iterator(at_++); }
    bool operator==(const iterator&) const = default;

   private:
    const IValue* at_;
  };
  using const_iterator = iterator;

  List() : impl_(make_intrusive<detail::ListImpl>()) {}
  List(std::initializer_list<T> values) : List() {
    for (const T& v : values) push_back(v);
  }
  explicit List(ArrayRef<T> values) : List() {
    reserve(values.size());
    for (const T& v : values) push_back(v);
  }
  explicit List(intrusive_ptr<detail::ListImpl> impl) : impl_(std::move(impl)) {}

  size_t size() const noexcept { return impl_->list.size(); }
  bool empty() const noexcept { return impl_->list.empty(); }
  // Elements by index, unchecked but for get and set.
  T get(size_t i) const { return impl_->list.at(i).template to<T>(); }
  void set(size_t i, T value) const { impl_->list.at(i) = IValue(std::move(value)); }
  T operator[](size_t i) const { return impl_->list[i].template to<T>(); }
  reference operator[](size_t i) { return reference(impl_->list[i]); }
  iterator begin() const { return iterator(impl_->list.data()); }
  iterator end() const { return iterator(impl_->list.data() + size()); }

  void push_back(T value) const { impl_->list.emplace_back(std::move(value)); }
  template <class... Args>
  void emplace_back(Args&&... args) const {
    push_back(T(std::forward<Args>(args)...));
  }
  void reserve(size_t n) const { impl_->list.reserve(n); }
  void clear() const { impl_->list.clear(); }
  void pop_back() const { impl_->list.pop_back(); }
  List copy() const { return List(make_intrusive<detail::ListImpl>(impl_->list)); }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  bool is(const List& rhs) const { return impl_ == rhs.impl_; }
  bool operator==(const List& rhs) const { return impl_->list == rhs.impl_->list; }

  const intrusive_ptr<detail::ListImpl>& impl() const { return impl_; }

  // The dispatch keys of its tensors.
  DispatchKeySet dispatch_key_set() const {
    DispatchKeySet keys;
    for (const IValue& v : impl_->list) {
      if (v.isTensor()) keys |= v.toTensorBase().key_set();
    }
    return keys;
  }

 private:
  intrusive_ptr<detail::ListImpl> impl_;
};

namespace detail {
template <class T>
struct IValueCast<List<T>> {
  static List<T> from(const IValue& v) { return List<T>(v.toListImpl()); }
};
}  // namespace detail

}  // namespace c10::inline C10_ABI

namespace torch::inline C10_ABI {
using c10::List;
}
