// Eigenvalues and eigenvectors of Hermitian matrices: what calls _linalg_eigh.
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/_linalg_eigh.h>
#include <ATen/ops/_linalg_eigh_meta.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_eigh_native.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/linalg_eigvalsh_native.h>

#include <string_view>
#include <tuple>

namespace at::meta {

TORCH_META_FUNC(_linalg_eigh)(const Tensor& A, std::string_view UPLO, bool compute_v) {
  native::check_square(A, "linalg.eigh");
  native::check_float_or_complex(A, "linalg.eigh");
  TORCH_CHECK(UPLO.size() == 1 && std::string_view("LlUu").find(UPLO) != UPLO.npos,
              "Expected UPLO argument to be 'L' or 'U', but got ", UPLO);
  DimVector values = native::batch_sizes(A);
  values.push_back(A.size(-1));
  set_output_contiguous(0, values, A.options().dtype(c10::toRealValueType(A.scalar_type())));
  if (compute_v) {
    set_output_strided(1, A.sizes(), native::column_major_strides(A.sizes()), A.options());
  } else {
    set_output_raw_strided(1, {0}, {}, A.options());
  }
}

}  // namespace at::meta

namespace at::native {

std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& self, std::string_view UPLO) {
  return at::_linalg_eigh(self, UPLO, /*compute_v=*/true);
}

std::tuple<Tensor&, Tensor&> linalg_eigh_out(const Tensor& self, std::string_view UPLO, Tensor& eigvals,
                                             Tensor& eigvecs) {
  at::_linalg_eigh_outf(self, UPLO, /*compute_v=*/true, eigvals, eigvecs);
  return {eigvals, eigvecs};
}

Tensor linalg_eigvalsh(const Tensor& self, std::string_view UPLO) {
  return std::get<0>(at::_linalg_eigh(self, UPLO, may_need_derivative(self)));
}

Tensor& linalg_eigvalsh_out(const Tensor& self, std::string_view UPLO, Tensor& result) {
  Tensor vectors = at::empty({0}, self.options());
  at::_linalg_eigh_outf(self, UPLO, /*compute_v=*/false, result, vectors);
  return result;
}

}  // namespace at::native
