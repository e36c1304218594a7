// Products whose sums are kept in another dtype than the matrices have: that of out_dtype, and int32 for
// bytes.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_int_mm_native.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/addmm_native.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/bmm_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mm_native.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

void check_out_dtype(const char* name, const Tensor& self, const Tensor& other, ScalarType out_dtype) {
  const ScalarType own = self.scalar_type();
  TORCH_CHECK(own == other.scalar_type(), name, ": expected both matrices to have the same dtype, but got ",
              own, " and ", other.scalar_type());
  TORCH_CHECK(out_dtype == own || (out_dtype == kFloat && (own == kHalf || own == kBFloat16)), name,
              ": out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs, but got ", out_dtype,
              " for ", own);
}

void check_out(const char* name, const Tensor& out, ScalarType out_dtype) {
  TORCH_CHECK(out.scalar_type() == out_dtype, name, ": expected out of dtype ", out_dtype, ", but got ",
              out.scalar_type());
}

}  // namespace

Tensor mm_dtype(const Tensor& self, const Tensor& mat2, ScalarType out_dtype) {
  check_out_dtype("mm", self, mat2, out_dtype);
  return at::mm(self.to(out_dtype), mat2.to(out_dtype));
}

Tensor& mm_dtype_out(const Tensor& self, const Tensor& mat2, ScalarType out_dtype, Tensor& out) {
  check_out_dtype("mm", self, mat2, out_dtype);
  check_out("mm", out, out_dtype);
  return at::mm_outf(self.to(out_dtype), mat2.to(out_dtype), out);
}

Tensor bmm_dtype(const Tensor& self, const Tensor& mat2, ScalarType out_dtype) {
  check_out_dtype("bmm", self, mat2, out_dtype);
  return at::bmm(self.to(out_dtype), mat2.to(out_dtype));
}

Tensor& bmm_dtype_out(const Tensor& self, const Tensor& mat2, ScalarType out_dtype, Tensor& out) {
  check_out_dtype("bmm", self, mat2, out_dtype);
  check_out("bmm", out, out_dtype);
  return at::bmm_outf(self.to(out_dtype), mat2.to(out_dtype), out);
}

Tensor addmm_dtype(const Tensor& self, const Tensor& mat1, const Tensor& mat2, ScalarType out_dtype,
                   const Scalar& beta, const Scalar& alpha) {
  check_out_dtype("addmm", mat1, mat2, out_dtype);
  return at::addmm(self.to(out_dtype), mat1.to(out_dtype), mat2.to(out_dtype), beta, alpha);
}

Tensor& addmm_dtype_out(const Tensor& self, const Tensor& mat1, const Tensor& mat2, ScalarType out_dtype,
                        const Scalar& beta, const Scalar& alpha, Tensor& out) {
  check_out_dtype("addmm", mat1, mat2, out_dtype);
  check_out("addmm", out, out_dtype);
  return at::addmm_outf(self.to(out_dtype), mat1.to(out_dtype), mat2.to(out_dtype), beta, alpha, out);
}

Tensor baddbmm_dtype(const Tensor& self, const Tensor& batch1, const Tensor& batch2, ScalarType out_dtype,
                     const Scalar& beta, const Scalar& alpha) {
  check_out_dtype("baddbmm", batch1, batch2, out_dtype);
  return at::baddbmm(self.to(out_dtype), batch1.to(out_dtype), batch2.to(out_dtype), beta, alpha);
}

Tensor& baddbmm_dtype_out(const Tensor& self, const Tensor& batch1, const Tensor& batch2,
                          ScalarType out_dtype, const Scalar& beta, const Scalar& alpha, Tensor& out) {
  check_out_dtype("baddbmm", batch1, batch2, out_dtype);
  check_out("baddbmm", out, out_dtype);
  return at::baddbmm_outf(self.to(out_dtype), batch1.to(out_dtype), batch2.to(out_dtype), beta, alpha, out);
}

namespace {

void check_bytes(const Tensor& self, const Tensor& mat2) {
  TORCH_CHECK(self.dim() == 2, "_int_mm: Expected self to be of dimension 2 but got ", self.dim());
  TORCH_CHECK(mat2.dim() == 2, "_int_mm: Expected mat2 to be of dimension 2 but got ", mat2.dim());
  TORCH_CHECK(self.size(1) == mat2.size(0), "_int_mm: self.size(1) needs to match mat2.size(0) but got ",
              self.size(1), " and ", mat2.size(0));
  TORCH_CHECK(self.scalar_type() == kChar || self.scalar_type() == kByte,
              "_int_mm: Expected self dtype to be int8 or uint8 but got ", self.scalar_type());
  TORCH_CHECK(mat2.scalar_type() == kChar, "_int_mm: Expected mat2 dtype to be of type int8 but got ",
              mat2.scalar_type());
}

}  // namespace

Tensor _int_mm(const Tensor& self, const Tensor& mat2) {
  check_bytes(self, mat2);
  return at::mm(self.to(kInt), mat2.to(kInt));
}

Tensor& _int_mm_out(const Tensor& self, const Tensor& mat2, Tensor& result) {
  check_bytes(self, mat2);
  TORCH_CHECK(result.scalar_type() == kInt, "_int_mm: Expected result dtype to be of type kInt but got ",
              result.scalar_type());
  return at::mm_outf(self.to(kInt), mat2.to(kInt), result);
}

}  // namespace at::native
