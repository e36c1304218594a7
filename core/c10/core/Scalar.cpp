// Scalar's functions that are seldom called.
#include <c10/core/Scalar.h>
#include <c10/util/complex_math.h>

#include <cmath>

namespace c10::inline C10_ABI {

void report_overflow(const char* type_name) {
  TORCH_CHECK(false, "value cannot be converted to type ", type_name, " without overflow");
  __builtin_unreachable();
}

// The name of a type in error messages.
static const char* cpp_type_name(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
      return "uint8_t";
    case ScalarType::Char:
      return "int8_t";
    case ScalarType::Short:
      return "int16_t";
    case ScalarType::Int:
      return "int";
    case ScalarType::Long:
      return "int64_t";
    case ScalarType::Half:
      return "at::Half";
    case ScalarType::BFloat16:
      return "at::BFloat16";
    case ScalarType::Float:
      return "float";
    case ScalarType::Double:
      return "double";
    case ScalarType::Bool:
      return "bool";
    case ScalarType::ComplexFloat:
      return "c10::complex<float>";
    case ScalarType::ComplexDouble:
      return "c10::complex<double>";
    default:
      return toString(type);
  }
}

template <class T>
T Scalar::to() const {
  const char* name = cpp_type_name(CppTypeToScalarType<T>::value);
  switch (tag_) {
    case Tag::Double:
      return checked_convert<T>(v_.d, name);
    case Tag::Int:
      return checked_convert<T>(v_.i, name);
    case Tag::Unsigned:
      return checked_convert<T>(static_cast<uint64_t>(v_.i), name);
    case Tag::Bool:
      return convert<T>(v_.i != 0);
    default:
      return checked_convert<T>(complex<double>(v_.z.re, v_.z.im), name);
  }
}

#define C10_INSTANTIATE_TO_(type, name) template C10_API type Scalar::to<type>() const;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(C10_INSTANTIATE_TO_)
AT_FORALL_LIMITED_TYPES(C10_INSTANTIATE_TO_)
#undef C10_INSTANTIATE_TO_
template C10_API OtherInt64 Scalar::to<OtherInt64>() const;

Scalar Scalar::operator-() const {
  TORCH_CHECK(!isBoolean(), "the negative of a bool is not supported");
  TORCH_CHECK(tag_ != Tag::Unsigned, "the negative of ", *this, " doesn't fit into 64 bits");
  switch (tag_) {
    case Tag::Double:
      return Scalar(-v_.d);
    case Tag::Complex:
      return Scalar(complex<double>(-v_.z.re, -v_.z.im));
    default:
      return Scalar(static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(v_.i)));
  }
}

Scalar Scalar::conj() const { return isComplex() ? Scalar(complex<double>(v_.z.re, -v_.z.im)) : *this; }

Scalar Scalar::log() const {
  if (isComplex()) return Scalar(c10::log(complex<double>(v_.z.re, v_.z.im)));
  return Scalar(std::log(to<double>()));
}

void append_to(std::string& out, const Scalar& value) {
  if (value.isBoolean()) {
    out += value.toBool() ? "True" : "False";
  } else if (value.type() == kUInt64) {
    append_to(out, value.to<uint64_t>());
  } else if (value.isIntegral(false)) {
    append_to(out, value.toLong());
  } else if (value.isComplex()) {
    append_to(out, value.toComplexDouble());
  } else {
    append_to(out, value.toDouble());
  }
}

std::string toString(const Scalar& value) { return str(value); }

}  // namespace c10::inline C10_ABI
