// Norms of matrices, and linalg_norm, which takes those of vectors, too.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>
#include <ATen/native/reduction/norm_dtype.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/frobenius_norm.h>
#include <ATen/ops/frobenius_norm_native.h>
#include <ATen/ops/linalg_matrix_norm.h>
#include <ATen/ops/linalg_matrix_norm_native.h>
#include <ATen/ops/linalg_norm.h>
#include <ATen/ops/linalg_norm_native.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/nuclear_norm.h>
#include <ATen/ops/nuclear_norm_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace at::native {

namespace {

using MatrixDims = std::array<int64_t, 2>;

MatrixDims check_matrix_norm(const Tensor& self, IntArrayRef dim, std::optional<ScalarType> dtype,
                             bool low_precision) {
  constexpr const char* name = "linalg.matrix_norm";
  check_is_matrix(self, name);
  check_norm_dtype(name, dtype, self.scalar_type());
  check_float_or_complex(self, name, low_precision);
  TORCH_CHECK(dim.size() == 2, name, ": dim must be a 2-tuple. Got ", dim);
  const MatrixDims dims = {maybe_wrap_dim(dim[0], self.dim()), maybe_wrap_dim(dim[1], self.dim())};
  TORCH_CHECK(dims[0] != dims[1], name, ": dims must be different. Got (", dims[0], ", ", dims[1], ")");
  return dims;
}

// The singular values, with the matrices of `dims` last.
Tensor singular_values(const Tensor& self, const MatrixDims& dims) {
  DimVector order;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dims[0] && d != dims[1]) order.push_back(d);
  }
  order.push_back(dims[0]);
  order.push_back(dims[1]);
  return at::linalg_svdvals(self.permute(order));
}

// The reduced dimensions as ones, where keepdim asks for them.
Tensor with_dims(Tensor norm, const MatrixDims& dims, bool keepdim) {
  if (!keepdim) return norm;
  const auto [first, second] = std::minmax(dims[0], dims[1]);
  return norm.unsqueeze(first).unsqueeze(second);
}

Tensor extremum(const Tensor& values, int64_t dim, bool keepdim, bool greatest) {
  if (!greatest) return at::amin(values, dim, keepdim);
  if (values.size(dim) > 0) return at::amax(values, dim, keepdim);
  // Of nothing the greatest norm is 0.
  DimVector sizes(values.sizes());
  if (keepdim) {
    sizes[dim] = 1;
  } else {
    sizes.erase(sizes.begin() + dim);
  }
  return values.new_zeros(sizes);
}

}  // namespace

Tensor linalg_matrix_norm(const Tensor& self, const Scalar& ord, IntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  const double order = ord.toDouble(), size = std::abs(order);
  const MatrixDims dims = check_matrix_norm(self, dim, dtype, /*low_precision=*/size != 2);
  TORCH_CHECK(size == 1 || size == 2 || std::isinf(size), "linalg.matrix_norm: Order ", ord,
              " not supported.");
  const Tensor in = self.to(dtype.value_or(self.scalar_type()));
  const bool greatest = order > 0;
  if (size == 2) {
    const Tensor values = singular_values(in, dims);
    return with_dims(extremum(values, values.dim() - 1, /*keepdim=*/false, greatest), dims, keepdim);
  }
  // Sums along columns for 1, along rows for infinity.
  const int64_t along = size == 1 ? dims[0] : dims[1], across = size == 1 ? dims[1] : dims[0];
  const Tensor sums = at::linalg_vector_norm(in, 1, along, keepdim);
  return extremum(sums, !keepdim && across > along ? across - 1 : across, keepdim, greatest);
}

Tensor linalg_matrix_norm(const Tensor& self, std::string_view ord, IntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  TORCH_CHECK(ord == "fro" || ord == "nuc", "linalg.matrix_norm: Order ", ord, " not supported.");
  const MatrixDims dims = check_matrix_norm(self, dim, dtype, /*low_precision=*/ord == "fro");
  if (ord == "fro") return at::linalg_vector_norm(self, 2, dims, keepdim, dtype);
  const Tensor in = self.to(dtype.value_or(self.scalar_type()));
  return with_dims(singular_values(in, dims).sum(-1), dims, keepdim);
}

Tensor& linalg_matrix_norm_out(const Tensor& self, const Scalar& ord, IntArrayRef dim, bool keepdim,
                               std::optional<ScalarType> dtype, Tensor& result) {
  return write_same_dtype("linalg.matrix_norm", result,
                          at::linalg_matrix_norm(self, ord, dim, keepdim, dtype));
}

Tensor& linalg_matrix_norm_out(const Tensor& self, std::string_view ord, IntArrayRef dim, bool keepdim,
                               std::optional<ScalarType> dtype, Tensor& result) {
  return write_same_dtype("linalg.matrix_norm", result,
                          at::linalg_matrix_norm(self, ord, dim, keepdim, dtype));
}

namespace {

// Checks the number of dimensions of linalg_norm, whose input is a vector or a matrix.
void check_norm_dims(const Tensor& self, OptionalIntArrayRef dim, bool has_order) {
  if (dim.has_value()) {
    TORCH_CHECK(dim->size() == 1 || dim->size() == 2,
                "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ", *dim);
  } else if (has_order) {
    TORCH_CHECK(self.dim() == 1 || self.dim() == 2,
                "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ",
                self.dim(), "D.");
  }
}

constexpr MatrixDims both_dims = {0, 1};

}  // namespace

Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord, OptionalIntArrayRef dim,
                   bool keepdim, std::optional<ScalarType> dtype) {
  check_norm_dims(self, dim, ord.has_value());
  const bool of_matrices = dim.has_value() ? dim->size() == 2 : self.dim() == 2;
  if (ord.has_value() && of_matrices) {
    return at::linalg_matrix_norm(self, *ord, dim.has_value() ? *dim : IntArrayRef(both_dims), keepdim,
                                  dtype);
  }
  return at::linalg_vector_norm(self, ord.value_or(2), dim, keepdim, dtype);
}

Tensor linalg_norm(const Tensor& self, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype) {
  check_norm_dims(self, dim, /*has_order=*/true);
  return at::linalg_matrix_norm(self, ord, dim.has_value() ? *dim : IntArrayRef(both_dims), keepdim, dtype);
}

Tensor& linalg_norm_out(const Tensor& self, const std::optional<Scalar>& ord, OptionalIntArrayRef dim,
                        bool keepdim, std::optional<ScalarType> dtype, Tensor& result) {
  return write_same_dtype("linalg.norm", result, at::linalg_norm(self, ord, dim, keepdim, dtype));
}

Tensor& linalg_norm_out(const Tensor& self, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                        std::optional<ScalarType> dtype, Tensor& result) {
  return write_same_dtype("linalg.norm", result, at::linalg_norm(self, ord, dim, keepdim, dtype));
}

Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim) {
  TORCH_CHECK(dim.size() <= 2, "Expected at most 2 dimensions, but got ", dim.size(), " dimensions instead.");
  return at::norm(self, 2, dim, keepdim);
}

Tensor& frobenius_norm_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& result) {
  return write_same_dtype("frobenius_norm", result, at::frobenius_norm(self, dim, keepdim));
}

Tensor nuclear_norm(const Tensor& self, bool keepdim) {
  return at::linalg_matrix_norm(self, "nuc", {-2, -1}, keepdim);
}

Tensor nuclear_norm(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return at::linalg_matrix_norm(self, "nuc", dim, keepdim);
}

Tensor& nuclear_norm_out(const Tensor& self, bool keepdim, Tensor& result) {
  return at::linalg_matrix_norm_outf(self, "nuc", {-2, -1}, keepdim, std::nullopt, result);
}

Tensor& nuclear_norm_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& result) {
  return at::linalg_matrix_norm_outf(self, "nuc", dim, keepdim, std::nullopt, result);
}

}  // namespace at::native
