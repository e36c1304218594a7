// Scalar's rarer functions.
#include <c10/core/Scalar.h>
#include <c10/util/complex_math.h>

#include <cmath>

namespace c10::inline C10_ABI {

void report_overflow(const char* type_name) {
  TORCH_CHECK(false, "value cannot be converted to type ", type_name, " without overflow");
  __builtin_unreachable();
}

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
