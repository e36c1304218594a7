// Type promotion, dtype names and the default dtype.
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>

#include <atomic>

namespace c10::inline C10_ABI {

namespace {

ScalarType promote_integral(ScalarType a, ScalarType b) {
  if (isBarebonesUnsignedType(a) || isBarebonesUnsignedType(b)) {
    const bool both_unsigned = !isSignedType(a) && !isSignedType(b);
    TORCH_CHECK(both_unsigned,
                "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ", a,
                " and ", b);
    return elementSize(a) >= elementSize(b) ? a : b;
  }
  // Only uint8 is unsigned from here on; int8 doesn't hold its values.
  if ((a == kByte && b == kChar) || (a == kChar && b == kByte)) return kShort;
  if (elementSize(a) == elementSize(b)) return a;
  return elementSize(a) > elementSize(b) ? a : b;
}

ScalarType promote_floating(ScalarType a, ScalarType b) {
  TORCH_CHECK(!isFloat8Type(a) && !isFloat8Type(b),
              "Promotion for Float8 Types is not supported, attempted to promote ", a, " and ", b);
  if (elementSize(a) == elementSize(b)) return kFloat;  // float16 and bfloat16: neither holds the other
  return elementSize(a) > elementSize(b) ? a : b;
}

}  // namespace

ScalarType promoteTypes(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (a == ScalarType::Undefined || b == ScalarType::Undefined) return ScalarType::Undefined;
  if (isComplexType(a) || isComplexType(b)) {
    const ScalarType real_a = toRealValueType(a), real_b = toRealValueType(b);
    if (!isComplexType(a) && !isFloatingType(a)) return b;
    if (!isComplexType(b) && !isFloatingType(b)) return a;
    return toComplexType(real_a == real_b ? real_a : promote_floating(real_a, real_b));
  }
  if (isFloatingType(a) && isFloatingType(b)) return promote_floating(a, b);
  TORCH_CHECK(!isFloat8Type(a) && !isFloat8Type(b),
              "Promotion for Float8 Types is not supported, attempted to promote ", a, " and ", b);
  if (isFloatingType(a)) return a;
  if (isFloatingType(b)) return b;
  if (a == kBool && isIntegralType(b, false)) return b;
  if (b == kBool && isIntegralType(a, false)) return a;
  TORCH_CHECK(isIntegralType(a, false) && isIntegralType(b, false), "promoteTypes: cannot promote ", a,
              " and ", b);
  return promote_integral(a, b);
}

ScalarType scalarTypeFromName(std::string_view name) {
  struct Alias {
    std::string_view name;
    ScalarType type;
  };
  constexpr Alias aliases[] = {
      {"float", kFloat},      {"double", kDouble}, {"half", kHalf},           {"short", kShort},
      {"int", kInt},          {"long", kLong},     {"cfloat", kComplexFloat}, {"cdouble", kComplexDouble},
      {"chalf", kComplexHalf}};
  for (const Alias& alias : aliases) {
    if (alias.name == name) return alias.type;
  }
  for (size_t i = 0; i < static_cast<size_t>(ScalarType::Undefined); ++i) {
    if (name == detail::kDtypeNames[i]) return static_cast<ScalarType>(i);
  }
  return ScalarType::Undefined;
}

namespace {
constinit std::atomic<ScalarType> default_dtype{ScalarType::Float};
}

void set_default_dtype(caffe2::TypeMeta dtype) {
  const ScalarType type = dtype.toScalarType();
  TORCH_CHECK_TYPE(isFloatingType(type) && isSupportedType(type),
                   "only floating-point types are supported as the default type, got ", dtypeName(type));
  default_dtype.store(type, std::memory_order_relaxed);
}
ScalarType get_default_dtype_as_scalartype() { return default_dtype.load(std::memory_order_relaxed); }
caffe2::TypeMeta get_default_dtype() { return scalarTypeToTypeMeta(get_default_dtype_as_scalartype()); }
caffe2::TypeMeta get_default_complex_dtype() {
  return scalarTypeToTypeMeta(get_default_dtype_as_scalartype() == kDouble ? kComplexDouble : kComplexFloat);
}

}  // namespace c10::inline C10_ABI
