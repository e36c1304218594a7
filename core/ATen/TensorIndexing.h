// Indexing from C++ as from Python: x.index({Slice(1, None), Ellipsis, 0, mask}) is x[1:, ..., 0, mask].
//
// Ints, slices and None are applied one after the other as views; tensors and bools are collected and applied
// together by aten::index or aten::index_put_.
#pragma once

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace at::inline C10_ABI::indexing {

enum class TensorIndexType { None, Ellipsis, SymInt, Boolean, Slice, Tensor };

inline constexpr std::nullopt_t None = std::nullopt;
struct EllipsisIndexType {};
inline constexpr EllipsisIndexType Ellipsis{};

/// start:stop:step; Slice() is ":".
struct Slice {
  explicit Slice(std::optional<c10::SymInt> start = std::nullopt,
                 std::optional<c10::SymInt> stop = std::nullopt,
                 std::optional<c10::SymInt> step = std::nullopt)
      : start_(start), stop_(stop), step_(step.value_or(1)) {
    TORCH_CHECK_VALUE(step_.expect_int() > 0, "step must be greater than zero, got ", step_.expect_int());
  }
  c10::SymInt start() const { return start_.value_or(0); }
  c10::SymInt stop() const { return stop_.value_or(std::numeric_limits<int64_t>::max()); }
  c10::SymInt step() const { return step_; }
  /// Whether it is ":" or "0:".
  bool is_whole() const { return start().expect_int() == 0 && !stop_.has_value() && step_.expect_int() == 1; }

 private:
  std::optional<c10::SymInt> start_, stop_;
  c10::SymInt step_;
};

/// One index: what the constructors take. "..." is a string, too.
class TensorIndex {
 public:
  /*implicit*/ TensorIndex(std::nullopt_t) : type_(TensorIndexType::None) {}
  /*implicit*/ TensorIndex(EllipsisIndexType) : type_(TensorIndexType::Ellipsis) {}
  /*implicit*/ TensorIndex(const char* dots) : type_(TensorIndexType::Ellipsis) {
    TORCH_CHECK_VALUE(std::string_view(dots) == "...", "the only string that is an index is \"...\"");
  }
  /*implicit*/ TensorIndex(c10::SymInt index) : integer_(index), type_(TensorIndexType::SymInt) {}
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  /*implicit*/ TensorIndex(T index) : TensorIndex(c10::SymInt(static_cast<int64_t>(index))) {}
  template <class T>
    requires std::is_same_v<T, bool>
  /*implicit*/ TensorIndex(T value) : boolean_(value), type_(TensorIndexType::Boolean) {}
  /*implicit*/ TensorIndex(Slice slice) : slice_(slice), type_(TensorIndexType::Slice) {}
  /*implicit*/ TensorIndex(at::Tensor tensor) : tensor_(std::move(tensor)), type_(TensorIndexType::Tensor) {}

  TensorIndexType type() const { return type_; }
  bool is_none() const { return type_ == TensorIndexType::None; }
  bool is_ellipsis() const { return type_ == TensorIndexType::Ellipsis; }
  bool is_integer() const { return type_ == TensorIndexType::SymInt; }
  bool is_boolean() const { return type_ == TensorIndexType::Boolean; }
  bool is_slice() const { return type_ == TensorIndexType::Slice; }
  bool is_tensor() const { return type_ == TensorIndexType::Tensor; }
  c10::SymInt integer() const { return integer_; }
  bool boolean() const { return boolean_; }
  const Slice& slice() const { return slice_; }
  const at::Tensor& tensor() const { return tensor_; }

 private:
  c10::SymInt integer_ = 0;
  bool boolean_ = false;
  Slice slice_;
  at::Tensor tensor_;
  TensorIndexType type_;
};

namespace detail {

using at::detail::IsTensor;

inline bool is_mask(const TensorBase& t) { return t.scalar_type() == kBool || t.scalar_type() == kByte; }

// The dimensions that an index takes.
inline int64_t taken_by(const TensorIndex& index) {
  if (index.is_tensor() && is_mask(index.tensor())) return index.tensor().dim();
  return index.is_integer() || index.is_slice() || index.is_tensor() ? 1 : 0;
}

// A view with the ints, slices and None applied, and the tensors that are to be applied to it.
template <IsTensor T>
struct Applied {
  T view;
  std::vector<T> tensors;  // undefined: the whole dimension

  Applied(const T& x, ArrayRef<TensorIndex> indices) : view(x) {
    int64_t taken = 0;
    for (const TensorIndex& index : indices) taken += taken_by(index);
    TORCH_CHECK_INDEX(taken <= x.dim(), "too many indices for tensor of dimension ", x.dim());
    for (const TensorIndex& index : indices) apply(index, x.dim() - taken);
  }
  c10::List<std::optional<T>> list() const {
    c10::List<std::optional<T>> list;
    for (const T& t : tensors) list.push_back(t.defined() ? std::optional<T>(t) : std::nullopt);
    return list;
  }

 private:
  void apply(const TensorIndex& index, int64_t skipped_by_ellipsis) {
    switch (index.type()) {
      case TensorIndexType::None:
        view = view.unsqueeze(dim_++);
        break;
      case TensorIndexType::Ellipsis:
        dim_ += skipped_by_ellipsis;
        break;
      case TensorIndexType::SymInt:
        view = view.select(dim_, index.integer().expect_int());
        break;
      case TensorIndexType::Slice:
        apply_slice(index.slice());
        break;
      case TensorIndexType::Boolean:
        apply_boolean(index.boolean());
        break;
      case TensorIndexType::Tensor:
        apply_tensor(index.tensor());
        break;
    }
  }
  void apply_slice(const Slice& s) {
    if (!s.is_whole()) {
      view = view.slice(dim_, s.start().expect_int(), s.stop().expect_int(), s.step().expect_int());
    }
    ++dim_;
  }
  void apply_boolean(bool value) {
    view = view.unsqueeze(dim_);
    record(view.new_zeros({value ? 1 : 0}, kLong), 1);
  }
  void apply_tensor(const T& t) {
    if (t.dim() > 0 || !c10::isIntegralType(t.scalar_type(), /*includeBool=*/true)) {
      record(t, is_mask(t) ? t.dim() : 1);
    } else if (is_mask(t)) {
      apply_boolean(t.item().toBool());
    } else {
      view = view.select(dim_, t.item().toLong());
    }
  }
  void record(const T& t, int64_t taken) {
    tensors.resize(static_cast<size_t>(dim_));
    tensors.push_back(t);
    dim_ += taken;
  }

  int64_t dim_ = 0;
};

template <IsTensor T>
T get(const T& x, ArrayRef<TensorIndex> indices) {
  const Applied<T> applied(x, indices);
  if (!applied.tensors.empty()) return applied.view.index(applied.list());
  return applied.view.is_same(x) ? x.alias() : applied.view;  // a view, never the tensor itself
}

template <IsTensor T>
T without_leading_ones(const T& value, int64_t dim) {
  IntArrayRef sizes = value.sizes();
  while (static_cast<int64_t>(sizes.size()) > dim && sizes[0] == 1) sizes = sizes.slice(1);
  return sizes.size() == value.sizes().size() ? value : value.view(sizes);
}

template <IsTensor T>
void put(const T& x, ArrayRef<TensorIndex> indices, const T& values) {
  Applied<T> applied(x, indices);
  if (!applied.tensors.empty()) {
    applied.view.index_put_(applied.list(), without_leading_ones(values, 0));
  } else {
    applied.view.copy_(without_leading_ones(values, applied.view.dim()));
  }
}

template <IsTensor T>
void put(const T& x, ArrayRef<TensorIndex> indices, const Scalar& value) {
  Applied<T> applied(x, indices);
  if (!applied.tensors.empty()) {
    applied.view.index_put_(applied.list(), x.new_zeros({}).fill_(value));
  } else {
    applied.view.fill_(value);
  }
}

}  // namespace detail
}  // namespace at::inline C10_ABI::indexing

namespace at::inline C10_ABI {

template <class Index>
Tensor Tensor::index(std::initializer_list<std::type_identity_t<Index>> indices) const {
  return indexing::detail::get(*this, ArrayRef<Index>(indices.begin(), indices.size()));
}
template <class Index>
Tensor Tensor::index(c10::ArrayRef<std::type_identity_t<Index>> indices) const {
  return indexing::detail::get(*this, indices);
}
template <class Index>
Tensor& Tensor::index_put_(std::initializer_list<std::type_identity_t<Index>> indices, const Tensor& values) {
  indexing::detail::put(*this, ArrayRef<Index>(indices.begin(), indices.size()), values);
  return *this;
}
template <class Index>
Tensor& Tensor::index_put_(std::initializer_list<std::type_identity_t<Index>> indices,
                           const c10::Scalar& value) {
  indexing::detail::put(*this, ArrayRef<Index>(indices.begin(), indices.size()), value);
  return *this;
}
template <class Index>
Tensor& Tensor::index_put_(c10::ArrayRef<std::type_identity_t<Index>> indices, const Tensor& values) {
  indexing::detail::put(*this, indices, values);
  return *this;
}
template <class Index>
Tensor& Tensor::index_put_(c10::ArrayRef<std::type_identity_t<Index>> indices, const c10::Scalar& value) {
  indexing::detail::put(*this, indices, value);
  return *this;
}

}  // namespace at::inline C10_ABI
