// Generated from templates/include/ATen/core/TensorBody.h.mako; not to be edited.
// at::Tensor: TensorBase with the operators as methods.
#pragma once
#include <ATen/core/OperatorTypes.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <type_traits>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/probe_ops.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/turn_ops.h>
#include <ATen/ops/window_ops.h>

namespace at::inline C10_ABI {

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

}  // namespace at::inline C10_ABI
