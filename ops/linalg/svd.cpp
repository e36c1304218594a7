// Singular values and vectors: what calls _linalg_svd.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/_linalg_svd.h>
#include <ATen/ops/_linalg_svd_meta.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_svd_native.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/linalg_svdvals_native.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/svd.h>
#include <ATen/ops/svd_native.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

namespace at::meta {

TORCH_META_FUNC(_linalg_svd)
(const Tensor& A, bool full_matrices, bool compute_uv, std::optional<std::string_view> driver) {
  native::check_is_matrix(A, "linalg.svd");
  native::check_float_or_complex(A, "linalg.svd");
  TORCH_CHECK(
      !driver.has_value() || A.is_cuda(),
      "linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  const int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n);
  const DimVector batch = native::batch_sizes(A);
  DimVector values(batch);
  values.push_back(k);
  if (compute_uv) {
    const DimVector left = native::with_matrix(batch, m, full_matrices ? m : k);
    const DimVector right = native::with_matrix(batch, full_matrices ? n : k, n);
    set_output_strided(0, left, native::column_major_strides(left), A.options());
    set_output_strided(2, right, native::column_major_strides(right), A.options());
  } else {
    set_output_raw_strided(0, {0}, {}, A.options());
    set_output_raw_strided(2, {0}, {}, A.options());
  }
  set_output_contiguous(1, values, A.options().dtype(c10::toRealValueType(A.scalar_type())));
}

}  // namespace at::meta

namespace at::native {

using Driver = std::optional<std::string_view>;
using Svd = std::tuple<Tensor, Tensor, Tensor>;

Svd linalg_svd(const Tensor& A, bool full_matrices, Driver driver) {
  return at::_linalg_svd(A, full_matrices, /*compute_uv=*/true, driver);
}

std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(const Tensor& A, bool full_matrices, Driver driver,
                                                     Tensor& U, Tensor& S, Tensor& Vh) {
  at::_linalg_svd_outf(A, full_matrices, /*compute_uv=*/true, driver, U, S, Vh);
  return {U, S, Vh};
}

Tensor linalg_svdvals(const Tensor& A, Driver driver) {
  return std::get<1>(at::_linalg_svd(A, /*full_matrices=*/false, may_need_derivative(A), driver));
}

Tensor& linalg_svdvals_out(const Tensor& A, Driver driver, Tensor& S) {
  Tensor U = at::empty({0}, A.options()), Vh = at::empty({0}, A.options());
  at::_linalg_svd_outf(A, /*full_matrices=*/false, /*compute_uv=*/false, driver, U, S, Vh);
  return S;
}

Svd svd(const Tensor& self, bool some, bool compute_uv) {
  TORCH_CHECK(self.dim() >= 2, "linalg.svd: The input tensor must have at least 2 dimensions, but got ",
              self.dim());
  if (compute_uv) {
    const auto [U, S, Vh] = at::linalg_svd(self, /*full_matrices=*/!some);
    return {U, S, conjugate_transpose(Vh)};
  }
  const DimVector batch = batch_sizes(self);
  const int64_t m = self.size(-2), n = self.size(-1);
  return {self.new_zeros(with_matrix(batch, m, m)), at::linalg_svdvals(self),
          self.new_zeros(with_matrix(batch, n, n))};
}

std::tuple<Tensor&, Tensor&, Tensor&> svd_out(const Tensor& self, bool some, bool compute_uv, Tensor& U,
                                              Tensor& S, Tensor& V) {
  const auto [u, s, v] = at::svd(self, some, compute_uv);
  return {write_result("svd", U, u), write_result("svd", S, s), write_result("svd", V, v)};
}

}  // namespace at::native
