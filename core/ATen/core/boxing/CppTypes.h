// The CppType code of each C++ type that may occur in the signature of a kernel or an operator.
#pragma once
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/boxing/Signature.h>
#include <c10/util/OptionalArrayRef.h>

#include <array>
#include <tuple>
#include <type_traits>

namespace c10::inline C10_ABI {
namespace detail {

constexpr uint8_t code_of(CppType t) { return static_cast<uint8_t>(t); }

template <class T>
inline constexpr uint8_t value_code = code_of(CppType::Other);

#define C10_CODE(type, code) \
  template <>                \
  inline constexpr uint8_t value_code<type> = code_of(CppType::code);
C10_CODE(void, Void)
C10_CODE(at::Tensor, Tensor)
C10_CODE(ArrayRef<at::Tensor>, TensorArray)
C10_CODE(IListRef<at::Tensor>, TensorListRef)
C10_CODE(std::vector<at::Tensor>, TensorVector)
C10_CODE(List<std::optional<at::Tensor>>, OptionalTensorList)
C10_CODE(int64_t, Int)
C10_CODE(SymInt, Int)
C10_CODE(double, Double)
C10_CODE(bool, Bool)
C10_CODE(Scalar, Scalar)
C10_CODE(ArrayRef<Scalar>, ScalarArray)
C10_CODE(c10::complex<double>, ComplexDouble)
C10_CODE(std::string_view, String)
C10_CODE(ArrayRef<int64_t>, IntArray)
C10_CODE(ArrayRef<SymInt>, IntArray)
C10_CODE(ArrayRef<double>, DoubleArray)
C10_CODE(ArrayRef<bool>, BoolArray)
C10_CODE(ArrayRef<std::string_view>, StringArray)
C10_CODE(ScalarType, ScalarType)
C10_CODE(Layout, Layout)
C10_CODE(MemoryFormat, MemoryFormat)
C10_CODE(QScheme, QScheme)
C10_CODE(Device, Device)
C10_CODE(int8_t, DeviceIndex)
C10_CODE(Stream, Stream)
C10_CODE(Storage, Storage)
C10_CODE(at::Generator, Generator)
C10_CODE(IValue, IValue)
#undef C10_CODE
template <size_t N>
inline constexpr uint8_t value_code<std::array<bool, N>> = code_of(CppType::BoolStdArray);
template <class T>
inline constexpr uint8_t value_code<std::optional<T>> = value_code<T> | optional_flag;
// Contains only a std::optional<ArrayRef<T>>, so it is passed like one.
template <class T>
inline constexpr uint8_t value_code<OptionalArrayRef<T>> = value_code<ArrayRef<T>> | optional_flag;

// Only for tensors does it matter how they are passed.
template <class T>
inline constexpr uint8_t type_code = value_code<std::remove_cvref_t<T>>;
template <>
inline constexpr uint8_t type_code<const at::Tensor&> = code_of(CppType::ConstTensorRef);
template <>
inline constexpr uint8_t type_code<at::Tensor&> = code_of(CppType::TensorRef);

template <class F>
struct SignatureTypes;

template <class Ret, class... Args>
struct SignatureTypes<Ret(Args...)> {
  static constexpr uint8_t num_results = std::is_void_v<Ret> ? 0 : 1;
  static constexpr uint8_t num_arguments = sizeof...(Args);
  static constexpr uint8_t codes[] = {type_code<Ret>, type_code<Args>...};
};
template <class... Args>
struct SignatureTypes<void(Args...)> {
  static constexpr uint8_t num_results = 0;
  static constexpr uint8_t num_arguments = sizeof...(Args);
  static constexpr uint8_t codes[] = {type_code<Args>..., 0};
};
template <class... Ret, class... Args>
struct SignatureTypes<std::tuple<Ret...>(Args...)> {
  static constexpr uint8_t num_results = sizeof...(Ret);
  static constexpr uint8_t num_arguments = sizeof...(Args);
  static constexpr uint8_t codes[] = {type_code<Ret>..., type_code<Args>..., 0};
};

}  // namespace detail
}  // namespace c10::inline C10_ABI
