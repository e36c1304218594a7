// Meta functions of factorizations and solvers. Factors are column-major, as LAPACK leaves them.
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/_linalg_det_meta.h>
#include <ATen/ops/_linalg_slogdet_meta.h>
#include <ATen/ops/_linalg_solve_ex_meta.h>
#include <ATen/ops/linalg_cholesky_ex_meta.h>
#include <ATen/ops/linalg_inv_ex_meta.h>
#include <ATen/ops/linalg_ldl_factor_ex_meta.h>
#include <ATen/ops/linalg_ldl_solve_meta.h>
#include <ATen/ops/linalg_lu_factor_ex_meta.h>
#include <ATen/ops/linalg_lu_meta.h>
#include <ATen/ops/linalg_lu_solve_meta.h>
#include <ATen/ops/linalg_qr_meta.h>
#include <ATen/ops/lu_unpack_meta.h>
#include <ATen/ops/triangular_solve_meta.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>

namespace at::meta {

using native::batch_sizes;
using native::column_major_strides;
using native::with_matrix;

TORCH_META_FUNC(linalg_cholesky_ex)(const Tensor& A, bool /*upper*/, bool /*check_errors*/) {
  native::check_square(A, "linalg.cholesky");
  native::check_float_or_complex(A, "linalg.cholesky");
  set_output_strided(0, A.sizes(), column_major_strides(A.sizes()), A.options());
  set_output_contiguous(1, batch_sizes(A), A.options().dtype(kInt));
}

TORCH_META_FUNC(triangular_solve)
(const Tensor& self, const Tensor& A, bool /*upper*/, bool /*transpose*/, bool /*unitriangular*/) {
  native::check_is_matrix(self, "triangular_solve", "b");
  native::check_float_or_complex(A, "triangular_solve");
  native::check_one_dtype(A, self, "triangular_solve");
  native::check_solve_sizes(A, self, /*left=*/true, "triangular_solve");
  const auto [a_sizes, sizes] = native::broadcast_batch_sizes(A, self);
  set_output_strided(0, sizes, column_major_strides(sizes), self.options());
  set_output_strided(1, a_sizes, column_major_strides(a_sizes), A.options());
}

TORCH_META_FUNC(linalg_lu_factor_ex)(const Tensor& A, bool /*pivot*/, bool /*check_errors*/) {
  TORCH_CHECK(A.dim() >= 2,
              "linalg.lu_factor: Expected tensor with 2 or more dimensions. Got size: ", A.sizes(),
              " instead");
  native::check_float_or_complex(A, "linalg.lu_factor");
  set_output_strided(0, A.sizes(), column_major_strides(A.sizes()), A.options());
  DimVector sizes = batch_sizes(A);
  set_output_contiguous(2, sizes, A.options().dtype(kInt));
  sizes.push_back(std::min(A.size(-2), A.size(-1)));
  set_output_contiguous(1, sizes, A.options().dtype(kInt));
}

TORCH_META_FUNC(linalg_lu)(const Tensor& A, bool pivot) {
  TORCH_CHECK(A.dim() >= 2, "linalg.lu: Expected tensor with 2 or more dimensions. Got size: ", A.sizes(),
              " instead");
  native::check_float_or_complex(A, "linalg.lu");
  const int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n);
  const DimVector batch = batch_sizes(A);
  set_output_raw_strided(0, pivot ? with_matrix(batch, m, m) : DimVector{0}, {}, A.options());
  set_output_raw_strided(1, with_matrix(batch, m, k), {}, A.options());
  set_output_raw_strided(2, with_matrix(batch, k, n), {}, A.options());
}

TORCH_META_FUNC(lu_unpack)(const Tensor& LU, const Tensor& pivots, bool unpack_data, bool unpack_pivots) {
  TORCH_CHECK(LU.dim() >= 2,
              "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: ", LU.sizes(),
              " instead");
  const int64_t m = LU.size(-2), n = LU.size(-1), k = std::min(m, n);
  const DimVector batch = batch_sizes(LU);
  if (unpack_pivots) {
    DimVector expected = batch;
    expected.push_back(k);
    TORCH_CHECK(
        pivots.scalar_type() == kInt,
        "torch.lu_unpack: LU_pivots is expected to be a tensor of dtype int32, as linalg.lu_factor gives it, "
        "but got ",
        pivots.scalar_type());
    TORCH_CHECK(pivots.sizes() == IntArrayRef(expected), "torch.lu_unpack: expected LU_pivots of size ",
                IntArrayRef(expected), " for LU_data of size ", LU.sizes(), ", but got ", pivots.sizes());
  }
  const DimVector none{0};
  set_output_raw_strided(0, unpack_pivots ? with_matrix(batch, m, m) : none, {}, LU.options());
  set_output_raw_strided(1, unpack_data ? with_matrix(batch, m, k) : none, {}, LU.options());
  set_output_raw_strided(2, unpack_data ? with_matrix(batch, k, n) : none, {}, LU.options());
}

TORCH_META_FUNC(linalg_lu_solve)
(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool /*adjoint*/) {
  native::check_float_or_complex(LU, "linalg.lu_solve");
  TORCH_CHECK(LU.scalar_type() == B.scalar_type(),
              "linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type ",
              LU.scalar_type(), " and B of type ", B.scalar_type(), " instead");
  TORCH_CHECK(pivots.scalar_type() == kInt,
              "linalg.lu_solve: pivots should be a Tensor of dtype int32, but got ", pivots.scalar_type());
  native::check_solve_sizes(LU, B, left, "linalg.lu_solve");
  TORCH_CHECK(
      pivots.sizes() == LU.sizes().slice(0, static_cast<size_t>(LU.dim() - 1)),
      "linalg.lu_solve: the number of pivots per batch should be the dimension of the matrix, and their "
      "batches the same, but got LU of size ",
      LU.sizes(), " and pivots of size ", pivots.sizes());
  const DimVector sizes = std::get<1>(native::broadcast_batch_sizes(LU, B));
  set_output_strided(0, sizes, left ? column_major_strides(sizes) : native::row_major_strides(sizes),
                     B.options());
}

TORCH_META_FUNC(_linalg_solve_ex)(const Tensor& A, const Tensor& B, bool left, bool /*check_errors*/) {
  native::check_float_or_complex(A, "linalg.solve");
  native::check_one_dtype(A, B, "linalg.solve");
  native::check_is_matrix(A, "linalg.solve");
  TORCH_CHECK(B.dim() > 0, "linalg.solve: B must have at least 1 dimension");
  const bool vector = native::is_vector_side(A, B);
  TORCH_CHECK(
      left || !vector,
      "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this "
      "case linalg.solve is equivalent to B / A.squeeze(-1)");
  const Tensor right = vector ? B.unsqueeze(-1) : B;
  native::check_solve_sizes(A, right, left, "linalg.solve");
  DimVector sizes = std::get<1>(native::broadcast_batch_sizes(A, right));
  if (vector) sizes.pop_back();
  // The vectors of a batch are laid out as the columns of a matrix, too, as in PyTorch.
  const bool by_columns = left && sizes.size() >= 2;
  set_output_strided(0, sizes, by_columns ? column_major_strides(sizes) : native::row_major_strides(sizes),
                     B.options());
  set_output_strided(1, A.sizes(), column_major_strides(A.sizes()), A.options());
  set_output_contiguous(2, batch_sizes(A, 1), A.options().dtype(kInt));
  set_output_contiguous(3, batch_sizes(A), A.options().dtype(kInt));
}

TORCH_META_FUNC(linalg_inv_ex)(const Tensor& A, bool /*check_errors*/) {
  native::check_square(A, "linalg.inv");
  native::check_float_or_complex(A, "linalg.inv");
  set_output_strided(0, A.sizes(), column_major_strides(A.sizes()), A.options());
  set_output_contiguous(1, batch_sizes(A), A.options().dtype(kInt));
}

TORCH_META_FUNC(_linalg_det)(const Tensor& A) {
  native::check_square(A, "linalg.det");
  native::check_float_or_complex(A, "linalg.det");
  set_output_contiguous(0, batch_sizes(A), A.options());
  set_output_strided(1, A.sizes(), column_major_strides(A.sizes()), A.options());
  set_output_contiguous(2, batch_sizes(A, 1), A.options().dtype(kInt));
}

TORCH_META_FUNC(_linalg_slogdet)(const Tensor& A) {
  native::check_square(A, "linalg.slogdet");
  native::check_float_or_complex(A, "linalg.slogdet");
  set_output_contiguous(0, batch_sizes(A), A.options());
  set_output_contiguous(1, batch_sizes(A), A.options().dtype(c10::toRealValueType(A.scalar_type())));
  set_output_strided(2, A.sizes(), column_major_strides(A.sizes()), A.options());
  set_output_contiguous(3, batch_sizes(A, 1), A.options().dtype(kInt));
}

TORCH_META_FUNC(linalg_ldl_factor_ex)(const Tensor& self, bool /*hermitian*/, bool /*check_errors*/) {
  native::check_square(self, "torch.linalg.ldl_factor_ex");
  native::check_float_or_complex(self, "torch.linalg.ldl_factor_ex");
  set_output_strided(0, self.sizes(), column_major_strides(self.sizes()), self.options());
  set_output_contiguous(1, batch_sizes(self, 1), self.options().dtype(kInt));
  set_output_contiguous(2, batch_sizes(self), self.options().dtype(kInt));
}

TORCH_META_FUNC(linalg_ldl_solve)
(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool /*hermitian*/) {
  native::check_square(LD, "torch.linalg.ldl_solve", "LD");
  native::check_float_or_complex(LD, "torch.linalg.ldl_solve");
  native::check_solve_sizes(LD, B, /*left=*/true, "torch.linalg.ldl_solve");
  TORCH_CHECK(
      pivots.sizes() == LD.sizes().slice(0, static_cast<size_t>(LD.dim() - 1)),
      "torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with "
      "shape ",
      pivots.sizes(), " instead");
  TORCH_CHECK(pivots.scalar_type() == kInt, "torch.linalg.ldl_solve: Expected pivots of dtype int32. Got ",
              pivots.scalar_type());
  TORCH_CHECK(LD.scalar_type() == B.scalar_type(), "torch.linalg.ldl_solve: LD dtype ", LD.scalar_type(),
              " does not match B dtype ", B.scalar_type());
  const DimVector sizes = std::get<1>(native::broadcast_batch_sizes(LD, B));
  set_output_strided(0, sizes, column_major_strides(sizes), B.options());
}

TORCH_META_FUNC(linalg_qr)(const Tensor& A, std::string_view mode) {
  native::check_is_matrix(A, "linalg.qr");
  native::check_float_or_complex(A, "linalg.qr");
  const auto [with_q, reduced] = native::parse_qr_mode(mode);
  const int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n);
  const DimVector batch = batch_sizes(A);
  if (with_q) {
    const DimVector sizes = with_matrix(batch, m, reduced ? k : m);
    set_output_strided(0, sizes, column_major_strides(sizes), A.options());
  } else {
    set_output_raw_strided(0, {0}, {}, A.options());
  }
  const DimVector sizes = with_matrix(batch, reduced ? k : m, n);
  set_output_strided(1, sizes, column_major_strides(sizes), A.options());
}

}  // namespace at::meta
