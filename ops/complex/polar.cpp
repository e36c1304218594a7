// complex and polar: complex numbers from two real tensors, written part by part.
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/complex.h>
#include <ATen/ops/complex_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/polar_native.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/view_as_real.h>

namespace at::native {

namespace {

void check_parts(const Tensor& a, const Tensor& b) {
  const auto fits = [](const Tensor& t) {
    const ScalarType dtype = t.scalar_type();
    return dtype == kHalf || dtype == kFloat || dtype == kDouble;
  };
  TORCH_CHECK(fits(a) && fits(b), "Expected both inputs to be Half, Float or Double tensors but got ",
              a.scalar_type(), " and ", b.scalar_type());
  TORCH_CHECK(a.scalar_type() == b.scalar_type(), "Expected object of scalar type ", a.scalar_type(),
              " but got scalar type ", b.scalar_type(), " for second argument");
}

// `result` in the shape of both, as pairs of its parts.
Tensor prepared_parts(const Tensor& a, const Tensor& b, Tensor& result) {
  check_parts(a, b);
  const ScalarType dtype = toComplexType(a.scalar_type());
  TORCH_CHECK(result.scalar_type() == dtype, "Expected object of scalar type ", dtype,
              " but got scalar type ", result.scalar_type(), " for argument 'out'");
  resize_output(result, infer_size_dimvector(a.sizes(), b.sizes()));
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, a);
  at::assert_no_overlap(result, b);
  return at::view_as_real(result);
}

Tensor new_result(const Tensor& a, const Tensor& b) {
  check_parts(a, b);
  return at::empty({0}, a.options().dtype(toComplexType(a.scalar_type())));
}

}  // namespace

Tensor& complex_out(const Tensor& real, const Tensor& imag, Tensor& result) {
  const Tensor parts = prepared_parts(real, imag, result);
  parts.select(-1, 0).copy_(real);
  parts.select(-1, 1).copy_(imag);
  return result;
}

Tensor complex(const Tensor& real, const Tensor& imag) {
  Tensor result = new_result(real, imag);
  return at::complex_outf(real, imag, result);
}

Tensor& polar_out(const Tensor& abs, const Tensor& angle, Tensor& result) {
  const Tensor parts = prepared_parts(abs, angle, result);
  Tensor real = parts.select(-1, 0), imaginary = parts.select(-1, 1);
  at::mul_outf(abs, angle.cos(), real);
  at::mul_outf(abs, angle.sin(), imaginary);
  return result;
}

Tensor polar(const Tensor& abs, const Tensor& angle) {
  Tensor result = new_result(abs, angle);
  return at::polar_outf(abs, angle, result);
}

}  // namespace at::native
