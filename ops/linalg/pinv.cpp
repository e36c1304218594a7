// What singular values tell: pseudoinverses, ranks, condition numbers.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/linalg/matrices.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/linalg_matrix_rank.h>
#include <ATen/ops/linalg_matrix_rank_native.h>
#include <ATen/ops/linalg_pinv.h>
#include <ATen/ops/linalg_pinv_native.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pinverse_native.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace at::native {

namespace {

using OptionalTensor = std::optional<Tensor>;

// The distance of 1 to the next number.
double epsilon_of(ScalarType dtype) {
  return c10::toRealValueType(dtype) == kDouble ? std::numeric_limits<double>::epsilon()
                                                : std::numeric_limits<float>::epsilon();
}

double default_rtol(const Tensor& self) {
  return epsilon_of(self.scalar_type()) * static_cast<double>(std::max(self.size(-1), self.size(-2)));
}

Tensor number(const Tensor& self, double value) {
  return at::full({}, value, self.options().dtype(c10::toRealValueType(self.scalar_type())));
}

void check_tolerance(const Tensor& tolerance, const char* name, const char* argument) {
  TORCH_CHECK(!tolerance.is_complex(), name, ": ", argument, " tensor of complex type is not supported. Got ",
              tolerance.scalar_type());
}

// Absolute and relative tolerances. Without a relative one it is the rounding's, but 0 where the absolute one
// isn't.
std::tuple<Tensor, Tensor> tolerances(const Tensor& self, const OptionalTensor& atol,
                                      const OptionalTensor& rtol, const char* name) {
  const bool has_atol = atol.has_value() && atol->defined(), has_rtol = rtol.has_value() && rtol->defined();
  if (has_atol) check_tolerance(*atol, name, "atol");
  if (has_rtol) check_tolerance(*rtol, name, "rtol");
  const Tensor absolute = has_atol ? *atol : number(self, 0);
  if (has_rtol) return {absolute, *rtol};
  const Tensor usual = number(self, default_rtol(self));
  return {absolute, has_atol ? at::where(absolute.gt(0), number(self, 0), usual) : usual};
}

std::tuple<Tensor, Tensor> tolerances(const Tensor& self, std::optional<double> atol,
                                      std::optional<double> rtol) {
  const double absolute = atol.value_or(0);
  return {number(self, absolute), number(self, rtol.value_or(absolute > 0 ? 0 : default_rtol(self)))};
}

// Below this a singular value counts as 0; `sizes` are in the last dimension.
Tensor threshold(const Tensor& sizes, const Tensor& atol, const Tensor& rtol) {
  const Tensor greatest = at::amax(sizes, -1, /*keepdim=*/true);
  return at::maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1).mul(greatest));
}

// 1 / values where `sizes`, their absolute values, are above the threshold, else 0; as a factor of columns.
Tensor inverted(const Tensor& values, const Tensor& sizes, const Tensor& limit, ScalarType dtype) {
  const Tensor zero = at::zeros({}, values.options());
  return at::where(sizes.gt(limit), values.reciprocal(), zero).to(dtype).unsqueeze(-2);
}

void check_matrix(const Tensor& self, const char* name) { check_is_matrix(self, name, "input"); }

}  // namespace

Tensor linalg_pinv(const Tensor& self, const OptionalTensor& atol, const OptionalTensor& rtol,
                   bool hermitian) {
  const ScalarType dtype = self.scalar_type();
  TORCH_CHECK(self.dim() >= 2 &&
                  (dtype == kFloat || dtype == kDouble || dtype == kComplexFloat || dtype == kComplexDouble),
              "linalg.pinv(", dtype, "{", self.sizes(),
              "}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types");
  if (hermitian) check_square(self, "linalg.eigh");
  const auto [absolute, relative] = tolerances(self, atol, rtol, "torch.linalg.pinv");
  if (self.numel() == 0) {
    return at::empty(with_matrix(batch_sizes(self), self.size(-1), self.size(-2)), self.options());
  }
  if (hermitian) {
    const auto [L, V] = at::linalg_eigh(self);
    const Tensor sizes = L.abs();
    const Tensor factors = inverted(L, sizes, threshold(sizes, absolute, relative), dtype);
    return at::matmul(V.mul(factors), conjugate_transpose(V));
  }
  const auto [U, S, Vh] = at::linalg_svd(self, /*full_matrices=*/false);
  const Tensor factors = inverted(S, S, threshold(S, absolute, relative), dtype);
  return at::matmul(conjugate_transpose(Vh).mul(factors), conjugate_transpose(U));
}

Tensor linalg_pinv(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                   bool hermitian) {
  check_matrix(self, "linalg.pinv");
  const auto [absolute, relative] = tolerances(self, atol, rtol);
  return at::linalg_pinv(self, absolute, relative, hermitian);
}

Tensor linalg_pinv(const Tensor& self, const Tensor& rcond, bool hermitian) {
  check_tolerance(rcond, "torch.linalg.pinv", "rcond");
  return at::linalg_pinv(self, number(self, 0), rcond, hermitian);
}

Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian) {
  return at::linalg_pinv(self, /*atol=*/0.0, rcond, hermitian);
}

Tensor& linalg_pinv_out(const Tensor& self, const OptionalTensor& atol, const OptionalTensor& rtol,
                        bool hermitian, Tensor& result) {
  return write_result("linalg.pinv", result, at::linalg_pinv(self, atol, rtol, hermitian));
}

Tensor& linalg_pinv_out(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                        bool hermitian, Tensor& result) {
  return write_result("linalg.pinv", result, at::linalg_pinv(self, atol, rtol, hermitian));
}

Tensor& linalg_pinv_out(const Tensor& self, const Tensor& rcond, bool hermitian, Tensor& result) {
  return write_result("linalg.pinv", result, at::linalg_pinv(self, rcond, hermitian));
}

Tensor& linalg_pinv_out(const Tensor& self, double rcond, bool hermitian, Tensor& result) {
  return write_result("linalg.pinv", result, at::linalg_pinv(self, rcond, hermitian));
}

Tensor pinverse(const Tensor& self, double rcond) {
  return at::linalg_pinv(self, rcond, /*hermitian=*/false);
}

namespace {

Tensor rank_above(const Tensor& self, const Tensor& atol, const Tensor& rtol, bool hermitian) {
  if (self.numel() == 0) return at::zeros(batch_sizes(self), self.options().dtype(kLong));
  const Tensor sizes = hermitian ? at::linalg_eigvalsh(self).abs() : at::linalg_svdvals(self);
  return sizes.gt(threshold(sizes, atol, rtol)).sum(-1);
}

void check_rank(const Tensor& self, bool hermitian) {
  check_matrix(self, "torch.linalg.matrix_rank");
  check_float_or_complex(self, "torch.linalg.matrix_rank");
  if (hermitian) check_square(self, "linalg.eigh");
}

}  // namespace

Tensor linalg_matrix_rank(const Tensor& input, const OptionalTensor& atol, const OptionalTensor& rtol,
                          bool hermitian) {
  check_rank(input, hermitian);
  const auto [absolute, relative] = tolerances(input, atol, rtol, "torch.linalg.matrix_rank");
  return rank_above(input, absolute, relative, hermitian);
}

Tensor linalg_matrix_rank(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                          bool hermitian) {
  check_rank(self, hermitian);
  const auto [absolute, relative] = tolerances(self, atol, rtol);
  return rank_above(self, absolute, relative, hermitian);
}

Tensor linalg_matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian) {
  check_rank(input, hermitian);
  check_tolerance(tol, "torch.linalg.matrix_rank", "tol");
  return rank_above(input, tol, number(input, 0), hermitian);
}

Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian) {
  return at::linalg_matrix_rank(self, std::optional<double>(tol), std::optional<double>(0.0), hermitian);
}

Tensor& linalg_matrix_rank_out(const Tensor& input, const OptionalTensor& atol, const OptionalTensor& rtol,
                               bool hermitian, Tensor& result) {
  return write_result("linalg.matrix_rank", result, at::linalg_matrix_rank(input, atol, rtol, hermitian));
}

Tensor& linalg_matrix_rank_out(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                               bool hermitian, Tensor& result) {
  return write_result("linalg.matrix_rank", result, at::linalg_matrix_rank(self, atol, rtol, hermitian));
}

Tensor& linalg_matrix_rank_out(const Tensor& input, const Tensor& tol, bool hermitian, Tensor& result) {
  return write_result("linalg.matrix_rank", result, at::linalg_matrix_rank(input, tol, hermitian));
}

Tensor& linalg_matrix_rank_out(const Tensor& self, double tol, bool hermitian, Tensor& result) {
  return write_result("linalg.matrix_rank", result, at::linalg_matrix_rank(self, tol, hermitian));
}

}  // namespace at::native
