// Scalar, the element types and their promotion, and checked arithmetic.
#include "check.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_math.h>
#include <c10/util/safe_numerics.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using c10::BFloat16;
using c10::Half;
using c10::Scalar;

void scalars_convert_or_say_why_not() {
  CHECK_EQ(Scalar(3).toFloat(), 3.0f);
  CHECK_EQ(Scalar(2.75).to<int>(), 2);
  CHECK_EQ(Scalar(true).toLong(), 1);
  CHECK_EQ(Scalar(-1).to<uint8_t>(), 255);
  CHECK_EQ(Scalar(c10::complex<float>(1, 0)).toDouble(), 1.0);
  CHECK_THROWS(Scalar(300).to<uint8_t>(), c10::Error,
               "value cannot be converted to type uint8_t without overflow");
  CHECK_THROWS(Scalar(1e300).toFloat(), c10::Error, "type float");
  CHECK_THROWS(Scalar(1e5).toHalf(), c10::Error, "type at::Half");
  CHECK_THROWS(Scalar(c10::complex<double>(1, 2)).toDouble(), c10::Error, "type double");
  CHECK_THROWS(Scalar(9.3e18).toLong(), c10::Error, "type int64_t");
  CHECK_THROWS(Scalar(std::numeric_limits<double>::quiet_NaN()).toLong(), c10::Error, "type int64_t");
  CHECK_THROWS(Scalar(std::numeric_limits<double>::infinity()).toInt(), c10::Error, "type int");
  const Scalar most(~uint64_t{0});  // beyond int64_t
  CHECK(most.isIntegral(false) && most.type() == c10::kUInt64 && most.equal(~uint64_t{0}) && !most.equal(-1));
  CHECK_EQ(most.to<uint64_t>(), ~uint64_t{0});
  CHECK_EQ(most.toDouble(), 0x1p64);
  CHECK_EQ(c10::toString(most), "18446744073709551615");
  CHECK_THROWS(most.toLong(), c10::Error, "type int64_t");
  CHECK_THROWS(-most, c10::Error, "64 bits");
  CHECK_EQ(Scalar(uint64_t{7}).type(), c10::kLong);
  CHECK(Scalar(c10::complex<double>(0, 2)).toBool() && !Scalar(c10::complex<double>(0, 0)).toBool());
  CHECK(std::isinf(Scalar(std::numeric_limits<double>::infinity()).toFloat()));
  CHECK(std::isnan(static_cast<float>(Scalar(std::nan("")).toHalf())));
  CHECK_EQ(Scalar(INT64_MIN).toLong(), INT64_MIN);
}

void scalars_know_their_type() {
  CHECK_EQ(Scalar(1).type(), c10::kLong);
  CHECK_EQ(Scalar(1.f).type(), c10::kDouble);
  CHECK_EQ(Scalar(true).type(), c10::kBool);
  CHECK_EQ(Scalar(c10::complex<float>(1, 2)).type(), c10::kComplexDouble);
  CHECK(Scalar(2).equal(2.0) && Scalar(2.0).equal(2) && !Scalar(2).equal(true) && Scalar(true).equal(true));
  CHECK_EQ(
      c10::str(Scalar(1.5), " ", Scalar(-3), " ", Scalar(false), " ", Scalar(c10::complex<double>(1, -2))),
      "1.5 -3 False (1-2j)");
  CHECK((-Scalar(2.5)).equal(-2.5));
}

void half_equals_the_compilers() {
#if defined(__FLT16_MAX__)
  long wrong = 0;
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto u = static_cast<uint16_t>(bits);
    _Float16 reference;
    std::memcpy(&reference, &u, 2);
    const float expected = static_cast<float>(reference), actual = Half(u, Half::from_bits());
    wrong += !(expected == actual || (std::isnan(expected) && std::isnan(actual)));
    wrong += !std::isnan(expected) && Half(actual).x != u;
  }
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 1009) {
    const auto word = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &word, 4);
    const auto reference = static_cast<_Float16>(value);
    uint16_t expected;
    std::memcpy(&expected, &reference, 2);
    wrong += std::isnan(value) ? !std::isnan(static_cast<float>(Half(value))) : Half(value).x != expected;
  }
  CHECK_EQ(wrong, 0);
#endif
  CHECK_EQ(Half(65519.0f).x, 0x7BFF);
  CHECK_EQ(Half(65520.0f).x, 0x7C00);
  CHECK_EQ(Half(-0.0f).x, 0x8000);
  CHECK_EQ(static_cast<float>(Half(1.0f) + Half(2.0f)), 3.0f);
}

void bfloat16_rounds_to_even() {
  CHECK_EQ(BFloat16(1.00390625f).x, 0x3F80);  // half way between 0x3F80 and 0x3F81
  CHECK_EQ(BFloat16(1.01171875f).x, 0x3F82);  // half way between 0x3F81 and 0x3F82
  CHECK_EQ(BFloat16(std::nanf("")).x, 0x7FC0);
  CHECK_EQ(BFloat16(std::numeric_limits<float>::max()).x, 0x7F80);
  long wrong = 0;
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const BFloat16 value(static_cast<uint16_t>(bits), BFloat16::from_bits());
    if (!std::isnan(static_cast<float>(value))) wrong += BFloat16(static_cast<float>(value)).x != bits;
  }
  CHECK_EQ(wrong, 0);
}

void complex_arithmetic() {
  using C = c10::complex<double>;
  CHECK_EQ(C(1, 2) * C(3, -4), C(11, 2));
  CHECK_EQ(C(11, 2) / C(3, -4), C(1, 2));
  CHECK_EQ(2.0 * C(1, 2) + 1, C(3, 4));
  CHECK(std::abs(std::exp(C(0, 3.141592653589793)) + 1.0) < 1e-15);
  CHECK(std::abs(std::sqrt(C(-4, 0)) - C(0, 2)) < 1e-15);
  CHECK_EQ(std::abs(C(3, 4)), 5.0);
  CHECK_EQ((C(1e200, 1e200) / C(1e200, 1e200)), C(1, 0));
}

// Rows and columns: uint8 int8 int16 int32 int64 half float double complex64 complex128 bool bfloat16.
void promotion() {
  using c10::ScalarType;
  const ScalarType u1 = c10::kByte, i1 = c10::kChar, i2 = c10::kShort, i4 = c10::kInt, i8 = c10::kLong,
                   f2 = c10::kHalf, f4 = c10::kFloat, f8 = c10::kDouble, c4 = c10::kComplexFloat,
                   c8 = c10::kComplexDouble, b1 = c10::kBool, bf = c10::kBFloat16, c2 = c10::kComplexHalf;
  const ScalarType types[] = {u1, i1, i2, i4, i8, f2, f4, f8, c2, c4, c8, b1, bf};
  const ScalarType expected[13][13] = {{u1, i2, i2, i4, i8, f2, f4, f8, c2, c4, c8, u1, bf},
                                       {i2, i1, i2, i4, i8, f2, f4, f8, c2, c4, c8, i1, bf},
                                       {i2, i2, i2, i4, i8, f2, f4, f8, c2, c4, c8, i2, bf},
                                       {i4, i4, i4, i4, i8, f2, f4, f8, c2, c4, c8, i4, bf},
                                       {i8, i8, i8, i8, i8, f2, f4, f8, c2, c4, c8, i8, bf},
                                       {f2, f2, f2, f2, f2, f2, f4, f8, c2, c4, c8, f2, f4},
                                       {f4, f4, f4, f4, f4, f4, f4, f8, c4, c4, c8, f4, f4},
                                       {f8, f8, f8, f8, f8, f8, f8, f8, c8, c8, c8, f8, f8},
                                       {c2, c2, c2, c2, c2, c2, c4, c8, c2, c4, c8, c2, c4},
                                       {c4, c4, c4, c4, c4, c4, c4, c8, c4, c4, c8, c4, c4},
                                       {c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8},
                                       {u1, i1, i2, i4, i8, f2, f4, f8, c2, c4, c8, b1, bf},
                                       {bf, bf, bf, bf, bf, f4, f4, f8, c4, c4, c8, bf, bf}};
  for (int i = 0; i < 13; ++i) {
    for (int j = 0; j < 13; ++j) CHECK_EQ(c10::promoteTypes(types[i], types[j]), expected[i][j]);
  }
  CHECK_THROWS(c10::promoteTypes(c10::kUInt16, c10::kInt), c10::Error, "Promotion for uint16");
  CHECK_THROWS(c10::promoteTypes(c10::kFloat8_e5m2, c10::kInt), c10::Error, "Float8");
  CHECK_EQ(c10::scalarTypeFromName("float32"), c10::kFloat);
  CHECK_EQ(c10::scalarTypeFromName("long"), c10::kLong);
  CHECK_EQ(c10::scalarTypeFromName("floaty"), c10::ScalarType::Undefined);
}

void items_of_every_dtype() {
#define CHECK_ITEM(T, name) CHECK(at::scalar_tensor(1, c10::ScalarType::name).item<T>() == T(1));
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CHECK_ITEM)
  AT_FORALL_LIMITED_TYPES(CHECK_ITEM)
#undef CHECK_ITEM
  CHECK_EQ(at::scalar_tensor(7, c10::kLong).item<long long>(), 7);
  CHECK_EQ(at::scalar_tensor(7, c10::kLong).item<uint16_t>(), 7);
  CHECK_EQ(at::scalar_tensor(2.5, c10::kDouble).item<c10::Half>(), c10::Half(2.5f));
  CHECK_THROWS(at::scalar_tensor(300, c10::kLong).item<uint8_t>(), c10::Error, "overflow");
}

void checked_arithmetic() {
  int64_t out = 0;
  CHECK(!c10::mul_overflows<int64_t>(3, 4, &out) && out == 12);
  CHECK(c10::mul_overflows<int64_t>(INT64_MAX, 2, &out));
  CHECK(c10::add_overflows<int64_t>(INT64_MAX, 1, &out));
  CHECK(c10::sub_overflows<int64_t>(INT64_MIN, 1, &out));
  uint64_t product = 0;
  CHECK(!c10::safe_multiplies_u64(std::vector<int64_t>{2, 3, 4}, &product) && product == 24);
  CHECK(c10::safe_multiplies_u64(std::vector<int64_t>{INT64_MAX, 3}, &product));
  CHECK(!c10::safe_multiplies_u64(std::vector<int64_t>{INT64_MAX, 3, 0}, &product) && product == 0);
}

}  // namespace

int main() {
  RUN(scalars_convert_or_say_why_not);
  RUN(scalars_know_their_type);
  RUN(half_equals_the_compilers);
  RUN(bfloat16_rounds_to_even);
  RUN(complex_arithmetic);
  RUN(promotion);
  RUN(items_of_every_dtype);
  RUN(checked_arithmetic);
  return check_result();
}
