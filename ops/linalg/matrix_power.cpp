// Powers of matrices by repeated squaring; of the inverse for negative exponents.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_matrix_power.h>
#include <ATen/ops/linalg_matrix_power_native.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/matrix_power_native.h>
#include <ATen/ops/zeros_like.h>

#include <cstdint>

namespace at::native {

namespace {

Tensor identities(const Tensor& self) {
  Tensor result = at::zeros_like(self, MemoryFormat::Contiguous);
  result.diagonal(0, -2, -1).fill_(1);
  return result;
}

}  // namespace

Tensor linalg_matrix_power(const Tensor& self, int64_t n) {
  check_square(self, "linalg.matrix_power");
  if (n == 0) return identities(self);
  if (n == 1) return self.clone();
  Tensor square = n < 0 ? at::linalg_inv(self) : self;
  Tensor result;
  // The least int64 has no positive counterpart.
  for (uint64_t left = n < 0 ? uint64_t{0} - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);;) {
    if ((left & 1) != 0) result = result.defined() ? at::matmul(result, square) : square;
    left >>= 1;
    if (left == 0) return result;
    square = at::matmul(square, square);
  }
}

Tensor& linalg_matrix_power_out(const Tensor& self, int64_t n, Tensor& result) {
  const Tensor power = at::linalg_matrix_power(self, n);
  // Ones and zeros, and self itself, go into any dtype that holds them.
  if (n == 0 || n == 1) return write_result("linalg.matrix_power", result, power);
  return write_same_dtype("linalg.matrix_power", result, power);
}

Tensor matrix_power(const Tensor& self, int64_t n) { return at::linalg_matrix_power(self, n); }
Tensor& matrix_power_out(const Tensor& self, int64_t n, Tensor& result) {
  return at::linalg_matrix_power_outf(self, n, result);
}

}  // namespace at::native
