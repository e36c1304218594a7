// Generated from templates/include/ATen/core/TensorBody.h.mako; not to be edited.
// at::Tensor: TensorBase with the operators as methods.
#pragma once
#include <ATen/core/OperatorTypes.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <type_traits>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/probe_ops.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/turn_ops.h>
#include <ATen/ops/window_ops.h>

namespace at::inline C10_ABI {

namespace indexing {
class TensorIndex;
}  // namespace indexing

class TORCH_API Tensor : public TensorBase {
 public:
  Tensor() = default;
  explicit Tensor(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> impl) : TensorBase(std::move(impl)) {}
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  // From the base class: the same handle.
  explicit Tensor(const TensorBase& base) : TensorBase(base) {}
  /*implicit*/ Tensor(TensorBase&& base) : TensorBase(std::move(base)) {}

  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  // `a[i] = b` writes through the view.
  Tensor& operator=(const Tensor& other) &&;
  Tensor& operator=(const c10::Scalar& value) &&;

  Tensor contiguous(c10::MemoryFormat memory_format = c10::MemoryFormat::Contiguous) const;
  Tensor operator[](int64_t index) const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor toType(c10::ScalarType t) const;
  template <class T>
  T item() const {
    constexpr bool is_element = std::is_same_v<T, long long> || requires { c10::CppTypeToScalarType<T>::value; };
    static_assert(is_element, "item<T>(): T has to be the C++ type of one of the library's dtypes");
    return item().template to<T>();
  }

  // x.index({Slice(1, None), 0, mask}), as x[1:, 0, mask] in Python. ATen/TensorIndexing.h defines them: templates, so
  // that only who indexes needs it.
  template <class Index = indexing::TensorIndex>
  Tensor index(std::initializer_list<std::type_identity_t<Index>> indices) const;
  template <class Index = indexing::TensorIndex>
  Tensor index(c10::ArrayRef<std::type_identity_t<Index>> indices) const;
  template <class Index = indexing::TensorIndex>
  Tensor& index_put_(std::initializer_list<std::type_identity_t<Index>> indices, const Tensor& values);
  template <class Index = indexing::TensorIndex>
  Tensor& index_put_(std::initializer_list<std::type_identity_t<Index>> indices, const c10::Scalar& value);
  template <class Index = indexing::TensorIndex>
  Tensor& index_put_(c10::ArrayRef<std::type_identity_t<Index>> indices, const Tensor& values);
  template <class Index = indexing::TensorIndex>
  Tensor& index_put_(c10::ArrayRef<std::type_identity_t<Index>> indices, const c10::Scalar& value);

  // ---- autograd: torch/autograd/engine.h has functions of several tensors.
  /// Sets whether operations on a leaf are recorded.
  const Tensor& requires_grad_(bool requires_grad = true) const;
  /// The gradient that backward() accumulated; undefined if there is none.
  const Tensor& grad() const { return unsafeGetTensorImpl()->grad(); }
  Tensor& mutable_grad() const { return unsafeGetTensorImpl()->mutable_grad(); }
  /// Adds the tensor's gradients to `grad` of the leaves, or only of `inputs`. A one-element tensor needs no `gradient`.
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
      std::optional<TensorList> inputs = std::nullopt) const;
  bool is_leaf() const;
  /// backward() sets `grad` though the tensor is no leaf.
  void retain_grad() const;
  bool retains_grad() const;

  inline at::Tensor scale(const at::Tensor & other, const at::Scalar & alpha=1) const;
  inline at::Tensor & scale_(const at::Tensor & other, const at::Scalar & alpha=1) const;
  inline ::std::tuple<at::Tensor,at::Tensor> fold(int64_t dim=-1, bool keepdim=false) const;
  inline at::Tensor turn(at::IntArrayRef shifts, at::IntArrayRef dims={}) const;
  inline at::Tensor window(at::IntArrayRef size, ::std::optional<int64_t> offset=::std::nullopt) const;
  inline at::Tensor window_symint(c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset=::std::nullopt) const;
  inline ::std::vector<at::Tensor> join(const c10::List<::std::optional<at::Tensor>> & masks) const;
  inline bool __dispatch_probe() const;
  inline const at::Tensor & pour_(const at::Tensor & source, bool non_blocking=false) const;
};

namespace detail {
// What a factory made for options that say so requires grad.
inline Tensor made_with(const TensorOptions& options, Tensor made) {
  if (C10_UNLIKELY(options.requires_grad())) made.set_requires_grad(true);
  return made;
}
}  // namespace detail

inline at::Tensor Tensor::scale(const at::Tensor & other, const at::Scalar & alpha) const {
  return at::_ops::scale_Tensor::call(*this, other, alpha);
}
inline at::Tensor & Tensor::scale_(const at::Tensor & other, const at::Scalar & alpha) const {
  return at::_ops::scale__Tensor::call(const_cast<Tensor&>(*this), other, alpha);
}
inline ::std::tuple<at::Tensor,at::Tensor> Tensor::fold(int64_t dim, bool keepdim) const {
  return at::_ops::fold_dim::call(*this, dim, keepdim);
}
inline at::Tensor Tensor::turn(at::IntArrayRef shifts, at::IntArrayRef dims) const {
  return at::_ops::turn::call(*this, shifts, dims);
}
inline at::Tensor Tensor::window(at::IntArrayRef size, ::std::optional<int64_t> offset) const {
  return at::_ops::window::call(*this, c10::fromIntArrayRefSlow(size), offset.has_value() ? ::std::make_optional(c10::SymInt(*offset)) : ::std::nullopt);
}
inline at::Tensor Tensor::window_symint(c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) const {
  return at::_ops::window::call(*this, size, offset);
}
inline ::std::vector<at::Tensor> Tensor::join(const c10::List<::std::optional<at::Tensor>> & masks) const {
  return at::_ops::join_masks::call(*this, masks);
}
inline bool Tensor::__dispatch_probe() const {
  return at::_ops::probe::call(*this);
}
inline const at::Tensor & Tensor::pour_(const at::Tensor & source, bool non_blocking) const {
  return at::_ops::pour_::call(*this, source, non_blocking);
}

/// The elements in rows, the dtype and the shape.
TORCH_API std::ostream& operator<<(std::ostream& stream, const Tensor& tensor);

}  // namespace at::inline C10_ABI

#include <ATen/TensorOperators.h>
