// Powers of vectors' elements, scalar products along a dimension, and other names in aten.linalg.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/cumprod.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/linalg_diagonal_native.h>
#include <ATen/ops/linalg_matmul_native.h>
#include <ATen/ops/linalg_vander_native.h>
#include <ATen/ops/linalg_vecdot.h>
#include <ATen/ops/linalg_vecdot_native.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/new_empty.h>
#include <ATen/ops/new_ones.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/vander_native.h>

#include <optional>

namespace at::native {

namespace {

// 1, x, x^2 ... as a new last dimension of n >= 1 elements.
Tensor powers(const Tensor& x, int64_t n) {
  const Tensor column = x.unsqueeze(-1);
  const ScalarType dtype = isIntegralType(x.scalar_type(), /*includeBool=*/true) ? kLong : x.scalar_type();
  Tensor ones = column.new_ones(column.sizes(), dtype);
  if (n == 1) return ones;
  DimVector sizes(x.sizes());
  sizes.push_back(n - 1);
  return at::cat({ones, column.expand(sizes).cumprod(-1)}, -1);
}

}  // namespace

Tensor vander(const Tensor& x, std::optional<int64_t> N, bool increasing) {
  TORCH_CHECK(x.dim() == 1, "x must be a one-dimensional tensor.");
  const int64_t n = N.value_or(x.size(0));
  TORCH_CHECK(n >= 0, "N must be non-negative.");
  if (n == 0) {
    const bool whole = isIntegralType(x.scalar_type(), /*includeBool=*/true);
    return x.new_empty({x.size(0), 0}, whole ? kLong : x.scalar_type());
  }
  const Tensor result = powers(x, n);
  return increasing ? result : result.flip(1);
}

Tensor linalg_vander_symint(const Tensor& x, std::optional<c10::SymInt> N) {
  const ScalarType dtype = x.scalar_type();
  TORCH_CHECK(isFloatingType(dtype) || isComplexType(dtype) || isIntegralType(dtype, /*includeBool=*/false),
              "linalg.vander supports floating point, complex, and integer tensors, but got ", dtype);
  const int64_t n = N.has_value() ? N->expect_int() : x.dim() == 0 ? 0 : x.size(-1);
  TORCH_CHECK(n > 1, "N must be greater than 1.");
  return powers(x, n);
}

Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim) {
  check_float_or_complex(x, "linalg.vecdot", /*low_precision=*/true);
  TORCH_CHECK(x.scalar_type() == y.scalar_type(),
              "linalg.vecdot: Expected x and y to have the same dtype, but found x of type ", x.scalar_type(),
              " and y of type ", y.scalar_type(), " instead");
  return (x.is_complex() ? x._conj() : x).mul(y).sum(dim);
}

Tensor& linalg_vecdot_out(const Tensor& x, const Tensor& y, int64_t dim, Tensor& out) {
  return write_same_dtype("linalg.vecdot", out, at::linalg_vecdot(x, y, dim));
}

Tensor linalg_diagonal(const Tensor& A, int64_t offset, int64_t dim1, int64_t dim2) {
  return A.diagonal(offset, dim1, dim2);
}

Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return at::matmul(self, other); }
Tensor& linalg_matmul_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return at::matmul_outf(self, other, out);
}

}  // namespace at::native
