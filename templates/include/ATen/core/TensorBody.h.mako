<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// at::Tensor: TensorBase with the operators as methods.
#pragma once
#include <ATen/core/OperatorTypes.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <type_traits>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor

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

% for m in view.methods:
  inline ${m.returns} ${m.name}(${m.params}) const;
% endfor
};

% for m in view.methods:
inline ${m.returns} Tensor::${m.name}(${m.params_nodefault}) const {
  return at::_ops::${m.struct}::call(${m.exprs});
}
% endfor

}  // namespace at::inline C10_ABI
