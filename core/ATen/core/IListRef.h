// at::ITensorListRef: a view of a list of tensors, an array (at::TensorList) or a c10::List.
#pragma once
#include <ATen/core/List.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/TensorBase.h>
#include <ATen/core/ivalue.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/util/ArrayRef.h>

#include <initializer_list>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

namespace c10::inline C10_ABI {

// A reference that can be in a vector.
template <class T>
class MaterializedRef {
 public:
  MaterializedRef(const T& value) : value_(&value) {}
  const T& get() const { return *value_; }
  operator const T&() const { return *value_; }

 private:
  const T* value_;
};
template <class T>
using MaterializedIListRef = std::vector<MaterializedRef<T>>;

// Both kinds hold a TensorBase at a fixed stride, so the view is a pointer, a stride and a count. at::Tensor
// adds no data to TensorBase, so a TensorBase there is read as one.
template <class T>
class IListRef;

template <>
class IListRef<at::Tensor> {
 public:
  using value_type = at::Tensor;

  class iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = at::Tensor;
    using difference_type = ptrdiff_t;
    using pointer = const at::Tensor*;
    using reference = const at::Tensor&;
    iterator() = default;
    iterator(const char* at, size_t stride) : at_(at), stride_(stride) {}
    reference operator*() const { return *reinterpret_cast<const at::Tensor*>(at_); }
    pointer operator->() const { return reinterpret_cast<const at::Tensor*>(at_); }
    iterator& operator++() {
      at_ += stride_;
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      at_ += stride_;
      return before;
    }
    iterator& operator--() {
      at_ -= stride_;
      return *this;
    }
    iterator& operator+=(ptrdiff_t n) {
      at_ += n * static_cast<ptrdiff_t>(stride_);
      return *this;
    }
    iterator operator+(ptrdiff_t n) const { return iterator(*this) += n; }
    ptrdiff_t operator-(const iterator& rhs) const {
      return (at_ - rhs.at_) / static_cast<ptrdiff_t>(stride_);
    }
    reference operator[](ptrdiff_t n) const { return *(*this + n); }
    bool operator==(const iterator& rhs) const { return at_ == rhs.at_; }
    bool operator<(const iterator& rhs) const { return at_ < rhs.at_; }

   private:
    const char* at_ = nullptr;
    size_t stride_ = sizeof(at::TensorBase);
  };
  using const_iterator = iterator;

  IListRef() = default;
  IListRef(ArrayRef<at::Tensor> tensors)
      : data_(reinterpret_cast<const char*>(tensors.data())),
        stride_(sizeof(at::TensorBase)),
        size_(tensors.size()) {}
  template <class V>
    requires std::is_same_v<V, std::vector<at::Tensor>>
  IListRef(const V& tensors) : IListRef(ArrayRef<at::Tensor>(tensors.data(), tensors.size())) {}
  IListRef(const std::initializer_list<at::Tensor>& tensors)
      : data_(reinterpret_cast<const char*>(tensors.begin())), size_(tensors.size()) {}
  // Each IValue must hold a tensor; throws c10::TypeError otherwise.
  explicit IListRef(ArrayRef<IValue> tensors) : stride_(sizeof(IValue)), size_(tensors.size()) {
    for (const IValue& v : tensors) (void)v.toTensorBase();
    data_ = tensors.empty() ? nullptr : reinterpret_cast<const char*>(&tensors[0].toTensorBase());
  }
  template <class L>
    requires std::is_same_v<L, List<at::Tensor>>
  IListRef(const L& tensors) : IListRef(ArrayRef<IValue>(tensors.impl()->list)) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  iterator begin() const { return {data_, stride_}; }
  iterator end() const { return {data_ + size_ * stride_, stride_}; }
  const at::Tensor& front() const { return *begin(); }
  const at::Tensor& operator[](size_t i) const { return begin()[static_cast<ptrdiff_t>(i)]; }

  bool isUnboxed() const { return stride_ == sizeof(at::TensorBase); }
  bool isBoxed() const { return !isUnboxed(); }
  // The tensors as an array; only where isUnboxed().
  ArrayRef<at::Tensor> toUnboxed() const { return {reinterpret_cast<const at::Tensor*>(data_), size_}; }
  MaterializedIListRef<at::Tensor> materialize() const {
    MaterializedIListRef<at::Tensor> refs;
    refs.reserve(size_);
    for (const at::Tensor& t : *this) refs.emplace_back(t);
    return refs;
  }

  // The dispatch keys of its tensors.
  DispatchKeySet dispatch_key_set() const {
    DispatchKeySet keys;
    const char* at = data_;
    for (size_t i = 0; i < size_; ++i, at += stride_) {
      keys |= reinterpret_cast<const at::TensorBase*>(at)->key_set();
    }
    return keys;
  }

 private:
  const char* data_ = nullptr;
  size_t stride_ = sizeof(at::TensorBase);
  size_t size_ = 0;
};

}  // namespace c10::inline C10_ABI

namespace at::inline C10_ABI {
using ITensorListRef = c10::IListRef<at::Tensor>;
using ITensorListRefIterator = ITensorListRef::iterator;
using MaterializedITensorListRef = c10::MaterializedIListRef<at::Tensor>;

// A list of tensors that may be absent (`Tensor?[]`), borrowed; what structured kernels take. Iterates as
// OptionalTensorRef.
class IOptTensorListRef {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = OptionalTensorRef;
    using difference_type = ptrdiff_t;
    using pointer = void;
    using reference = OptionalTensorRef;
    explicit iterator(const c10::IValue* at) : at_(at) {}
    OptionalTensorRef operator*() const {
      return at_->isNone() ? OptionalTensorRef() : OptionalTensorRef(at_->toTensorBase());
    }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const iterator&) const = default;

   private:
    const c10::IValue* at_;
  };

  // A template, as at::Tensor is complete only where it is used.
  template <class L>
    requires std::is_same_v<L, c10::List<std::optional<Tensor>>>
  IOptTensorListRef(const L& list) : boxed_(&list), values_(list.impl()->list) {}

  size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  iterator begin() const { return iterator(values_.begin()); }
  iterator end() const { return iterator(values_.end()); }
  const c10::List<std::optional<Tensor>>& toBoxed() const { return *boxed_; }

 private:
  const c10::List<std::optional<Tensor>>* boxed_;
  c10::ArrayRef<c10::IValue> values_;
};

}  // namespace at::inline C10_ABI
