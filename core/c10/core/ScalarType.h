// Element types of tensors, with PyTorch's names and values. Tensors hold the types of
// AT_FORALL_SCALAR_TYPES_WITH_COMPLEX; the other values exist so that files and schemas that name them can be
// read.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

// clang-format off
// _(C++ type, name)
#define AT_FORALL_INT_TYPES(_) \
  _(uint8_t, Byte) _(int8_t, Char) _(int16_t, Short) _(int, Int) _(int64_t, Long)
// clang-format on

#define AT_FORALL_SCALAR_TYPES(_) \
  AT_FORALL_INT_TYPES(_)          \
  _(float, Float)                 \
  _(double, Double)

#define AT_FORALL_COMPLEX_TYPES(_)     \
  _(c10::complex<float>, ComplexFloat) \
  _(c10::complex<double>, ComplexDouble)

// Each further name is a ScalarType; its C++ type is looked up.
#define C10_SCALAR_TYPE_ROW_(_, name) \
  _(typename ::c10::impl::ScalarTypeToCPPType<::c10::ScalarType::name>::type, name)
#define AT_FORALL_SCALAR_TYPES_AND(T1, _) AT_FORALL_SCALAR_TYPES(_) C10_SCALAR_TYPE_ROW_(_, T1)
#define AT_FORALL_SCALAR_TYPES_AND2(T1, T2, _) AT_FORALL_SCALAR_TYPES_AND(T1, _) C10_SCALAR_TYPE_ROW_(_, T2)
#define AT_FORALL_SCALAR_TYPES_AND3(T1, T2, T3, _) \
  AT_FORALL_SCALAR_TYPES_AND2(T1, T2, _) C10_SCALAR_TYPE_ROW_(_, T3)

/// Every type in which operators compute.
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(_) \
  AT_FORALL_SCALAR_TYPES(_)                    \
  AT_FORALL_COMPLEX_TYPES(_)                   \
  _(bool, Bool)                                \
  _(c10::Half, Half)                           \
  _(c10::BFloat16, BFloat16)

/// Types of tensors that can be created, converted, moved and compared, but that few operators compute in.
#define AT_FORALL_LIMITED_TYPES(_) \
  _(uint16_t, UInt16) _(uint32_t, UInt32) _(uint64_t, UInt64) _(c10::complex<c10::Half>, ComplexHalf)

// clang-format off
// _(name, value, bytes, dtype name): every value of the enum.
#define C10_FORALL_SCALAR_TYPE_VALUES(_)                                                                   \
  _(Byte, 0, 1, "uint8") _(Char, 1, 1, "int8") _(Short, 2, 2, "int16") _(Int, 3, 4, "int32")               \
  _(Long, 4, 8, "int64") _(Half, 5, 2, "float16") _(Float, 6, 4, "float32") _(Double, 7, 8, "float64")     \
  _(ComplexHalf, 8, 4, "complex32") _(ComplexFloat, 9, 8, "complex64")                                     \
  _(ComplexDouble, 10, 16, "complex128") _(Bool, 11, 1, "bool") _(QInt8, 12, 1, "qint8")                   \
  _(QUInt8, 13, 1, "quint8") _(QInt32, 14, 4, "qint32") _(BFloat16, 15, 2, "bfloat16")                     \
  _(QUInt4x2, 16, 1, "quint4x2") _(QUInt2x4, 17, 1, "quint2x4") _(Bits1x8, 18, 1, "bits1x8")               \
  _(Bits2x4, 19, 1, "bits2x4") _(Bits4x2, 20, 1, "bits4x2") _(Bits8, 21, 1, "bits8")                       \
  _(Bits16, 22, 2, "bits16") _(Float8_e5m2, 23, 1, "float8_e5m2") _(Float8_e4m3fn, 24, 1, "float8_e4m3fn") \
  _(Float8_e5m2fnuz, 25, 1, "float8_e5m2fnuz") _(Float8_e4m3fnuz, 26, 1, "float8_e4m3fnuz")                \
  _(UInt16, 27, 2, "uint16") _(UInt32, 28, 4, "uint32") _(UInt64, 29, 8, "uint64")                         \
  _(UInt1, 30, 1, "uint1") _(UInt2, 31, 1, "uint2") _(UInt3, 32, 1, "uint3") _(UInt4, 33, 1, "uint4")      \
  _(UInt5, 34, 1, "uint5") _(UInt6, 35, 1, "uint6") _(UInt7, 36, 1, "uint7") _(Int1, 37, 1, "int1")        \
  _(Int2, 38, 1, "int2") _(Int3, 39, 1, "int3") _(Int4, 40, 1, "int4") _(Int5, 41, 1, "int5")              \
  _(Int6, 42, 1, "int6") _(Int7, 43, 1, "int7") _(Float8_e8m0fnu, 44, 1, "float8_e8m0fnu")                 \
  _(Float4_e2m1fn_x2, 45, 1, "float4_e2m1fn_x2")
// clang-format on

namespace c10::inline C10_ABI {

enum class ScalarType : int8_t {
#define C10_ENUM_ROW_(name, value, bytes, dtype) name = value,
  C10_FORALL_SCALAR_TYPE_VALUES(C10_ENUM_ROW_)
#undef C10_ENUM_ROW_
      Undefined = 46,
  NumOptions = 47
};
constexpr uint16_t NumScalarTypes = static_cast<uint16_t>(ScalarType::NumOptions);

#define C10_CONSTANT_ROW_(name, value, bytes, dtype) constexpr ScalarType k##name = ScalarType::name;
C10_FORALL_SCALAR_TYPE_VALUES(C10_CONSTANT_ROW_)
#undef C10_CONSTANT_ROW_
constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong;
constexpr ScalarType kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble;

namespace impl {

template <ScalarType N>
struct ScalarTypeToCPPType;
#define C10_SPECIALIZE_ROW_(cpp_type, name)      \
  template <>                                    \
  struct ScalarTypeToCPPType<ScalarType::name> { \
    using type = cpp_type;                       \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(C10_SPECIALIZE_ROW_)
AT_FORALL_LIMITED_TYPES(C10_SPECIALIZE_ROW_)
#undef C10_SPECIALIZE_ROW_
template <ScalarType N>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<N>::type;

}  // namespace impl

template <class T>
struct CppTypeToScalarType;
#define C10_SPECIALIZE_ROW_(cpp_type, name) \
  template <>                               \
  struct CppTypeToScalarType<cpp_type> : std::integral_constant<ScalarType, ScalarType::name> {};
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(C10_SPECIALIZE_ROW_)
AT_FORALL_LIMITED_TYPES(C10_SPECIALIZE_ROW_)
#undef C10_SPECIALIZE_ROW_
// int64_t is one of long and long long; the other must serve as well.
using OtherInt64 = std::conditional_t<std::is_same_v<int64_t, long>, long long, long>;
template <>
struct CppTypeToScalarType<OtherInt64>
    : std::integral_constant<ScalarType, sizeof(long) == 8 ? ScalarType::Long : ScalarType::Int> {};

namespace detail {
inline constexpr uint8_t kElementSizes[] = {
#define C10_SIZE_ROW_(name, value, bytes, dtype) bytes,
    C10_FORALL_SCALAR_TYPE_VALUES(C10_SIZE_ROW_)
#undef C10_SIZE_ROW_
        0};
inline constexpr const char* kScalarTypeNames[] = {
#define C10_NAME_ROW_(name, value, bytes, dtype) #name,
    C10_FORALL_SCALAR_TYPE_VALUES(C10_NAME_ROW_)
#undef C10_NAME_ROW_
        "Undefined"};
inline constexpr const char* kDtypeNames[] = {
#define C10_NAME_ROW_(name, value, bytes, dtype) dtype,
    C10_FORALL_SCALAR_TYPE_VALUES(C10_NAME_ROW_)
#undef C10_NAME_ROW_
        "undefined"};
constexpr size_t scalar_type_index(ScalarType t) {
  const auto value = static_cast<size_t>(static_cast<uint8_t>(t));
  return value < static_cast<size_t>(ScalarType::Undefined) ? value
                                                            : static_cast<size_t>(ScalarType::Undefined);
}
constexpr uint64_t scalar_type_bit(ScalarType t) { return uint64_t{1} << scalar_type_index(t); }
template <class... Types>
constexpr bool is_one_of(ScalarType t, Types... types) {
  return (scalar_type_bit(t) & (scalar_type_bit(types) | ...)) != 0;
}
}  // namespace detail

/// "Float", "Long", ...
constexpr const char* toString(ScalarType t) {
  return detail::kScalarTypeNames[detail::scalar_type_index(t)];
}
/// "float32", "int64", ...
constexpr const char* dtypeName(ScalarType t) { return detail::kDtypeNames[detail::scalar_type_index(t)]; }
/// The type of a dtype name ("float32", and aliases like "float", "half", "long"); Undefined for other text.
C10_API ScalarType scalarTypeFromName(std::string_view name);
inline void append_to(std::string& out, ScalarType t) { out += toString(t); }

/// Bytes of one element.
constexpr size_t elementSize(ScalarType t) {
  const size_t bytes = detail::kElementSizes[detail::scalar_type_index(t)];
  TORCH_CHECK(bytes != 0, "elementSize: unknown ScalarType ", static_cast<int>(t));
  return bytes;
}

/// Whether it is one of AT_FORALL_LIMITED_TYPES.
constexpr bool isLimitedType(ScalarType t) {
  return detail::is_one_of(t, kUInt16, kUInt32, kUInt64, kComplexHalf);
}
/// Whether tensors of this type can be created.
constexpr bool isSupportedType(ScalarType t) {
  return isLimitedType(t) || detail::is_one_of(t, kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble,
                                               kComplexFloat, kComplexDouble, kBool, kBFloat16);
}
constexpr bool isIntegralType(ScalarType t, bool includeBool) {
  return detail::is_one_of(t, kByte, kChar, kShort, kInt, kLong, kUInt16, kUInt32, kUInt64) ||
         (includeBool && t == kBool);
}
constexpr bool isFloat8Type(ScalarType t) {
  return detail::is_one_of(t, kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz,
                           kFloat8_e8m0fnu);
}
constexpr bool isReducedFloatingType(ScalarType t) { return t == kHalf || t == kBFloat16 || isFloat8Type(t); }
constexpr bool isFloatingType(ScalarType t) {
  return t == kFloat || t == kDouble || isReducedFloatingType(t);
}
constexpr bool isComplexType(ScalarType t) {
  return detail::is_one_of(t, kComplexHalf, kComplexFloat, kComplexDouble);
}
constexpr bool isQIntType(ScalarType t) {
  return detail::is_one_of(t, kQInt8, kQUInt8, kQInt32, kQUInt4x2, kQUInt2x4);
}
constexpr bool isBitsType(ScalarType t) {
  return detail::is_one_of(t, kBits1x8, kBits2x4, kBits4x2, kBits8, kBits16);
}
constexpr bool isBarebonesUnsignedType(ScalarType t) {
  return detail::is_one_of(t, kUInt16, kUInt32, kUInt64, kUInt1, kUInt2, kUInt3, kUInt4, kUInt5, kUInt6,
                           kUInt7);
}
/// Whether the type is signed.
constexpr bool isSignedType(ScalarType t) {
  return isFloatingType(t) || isComplexType(t) || detail::is_one_of(t, kChar, kShort, kInt, kLong);
}
constexpr bool isUnderlying(ScalarType type, ScalarType qtype) { return type == qtype; }

/// The real type of a complex type; other types unchanged.
constexpr ScalarType toRealValueType(ScalarType t) {
  switch (t) {
    case ScalarType::ComplexHalf:
      return ScalarType::Half;
    case ScalarType::ComplexFloat:
      return ScalarType::Float;
    case ScalarType::ComplexDouble:
      return ScalarType::Double;
    default:
      return t;
  }
}
constexpr ScalarType toValueType(ScalarType t) { return toRealValueType(t); }

/// The complex type that holds values of `t`.
constexpr ScalarType toComplexType(ScalarType t) {
  switch (t) {
    case ScalarType::BFloat16:
    case ScalarType::Float:
    case ScalarType::ComplexFloat:
      return ScalarType::ComplexFloat;
    case ScalarType::Half:
    case ScalarType::ComplexHalf:
      return ScalarType::ComplexHalf;
    case ScalarType::Double:
    case ScalarType::ComplexDouble:
      return ScalarType::ComplexDouble;
    default:
      TORCH_CHECK(false, "Unknown Complex ScalarType for ", t);
      return ScalarType::Undefined;
  }
}

/// Whether a result of type `from` may be written into a tensor of type `to` (no complex to real, no float to
/// integer, nothing but bool to bool).
constexpr bool canCast(ScalarType from, ScalarType to) {
  if (isComplexType(from) && !isComplexType(to)) return false;
  if (isFloatingType(from) && isIntegralType(to, false)) return false;
  return from == ScalarType::Bool || to != ScalarType::Bool;
}

/// The result type of arithmetic between tensors of `a` and `b`.
C10_API ScalarType promoteTypes(ScalarType a, ScalarType b);

}  // namespace c10::inline C10_ABI
