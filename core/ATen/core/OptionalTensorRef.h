// at::OptionalTensorRef and at::OptionalScalarRef: arguments that may be absent, borrowed; what structured
// kernels take for `Tensor?` and `Scalar?`.
#pragma once
#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>

#include <optional>

namespace at::inline C10_ABI {

class Tensor;

// Refers to a tensor that must outlive it. An undefined tensor counts as absent.
class OptionalTensorRef {
 public:
  OptionalTensorRef() = default;
  OptionalTensorRef(std::nullopt_t) {}
  OptionalTensorRef(const TensorBase& tensor) : tensor_(tensor.defined() ? &tensor : nullptr) {}
  // A template only so that at::Tensor need not be complete here.
  template <class T>
  OptionalTensorRef(const std::optional<T>& tensor)
      : tensor_(tensor.has_value() && tensor->defined() ? &*tensor : nullptr) {}

  bool has_value() const { return tensor_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // Only where has_value().
  const Tensor& getTensorRef() const { return *reinterpret_cast<const Tensor*>(tensor_); }
  const Tensor& operator*() const { return getTensorRef(); }
  const Tensor* operator->() const { return &getTensorRef(); }

 private:
  const TensorBase* tensor_ = nullptr;
};

// Refers to a scalar that must outlive it.
class OptionalScalarRef {
 public:
  OptionalScalarRef() = default;
  OptionalScalarRef(std::nullopt_t) {}
  explicit OptionalScalarRef(const c10::Scalar* scalar) : scalar_(scalar) {}

  bool has_value() const { return scalar_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // Only where has_value().
  const c10::Scalar& get() const { return *scalar_; }
  const c10::Scalar& operator*() const { return *scalar_; }
  const c10::Scalar* operator->() const { return scalar_; }

 private:
  const c10::Scalar* scalar_ = nullptr;
};

}  // namespace at::inline C10_ABI
