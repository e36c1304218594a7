// What the operators of linear algebra share.
#include <ATen/native/linalg/matrices.h>

#include <ATen/ExpandUtils.h>

#include <ATen/ops/conj_physical.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace at::native {

DimVector column_major_strides(IntArrayRef sizes) {
  const size_t dims = sizes.size();
  DimVector strides(dims);
  int64_t step = 1;
  const auto set = [&](size_t dim) {
    strides[dim] = step;
    step *= std::max<int64_t>(sizes[dim], 1);
  };
  if (dims == 1) set(0);
  if (dims < 2) return strides;
  set(dims - 2);
  set(dims - 1);
  for (size_t dim = dims - 2; dim-- > 0;) set(dim);
  return strides;
}

DimVector row_major_strides(IntArrayRef sizes) {
  DimVector strides(sizes.size());
  int64_t step = 1;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = step;
    step *= std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

bool is_column_major(const Tensor& self) {
  const DimVector expected = column_major_strides(self.sizes());
  for (int64_t dim = 0; dim < self.dim(); ++dim) {
    if (self.size(dim) != 1 && self.stride(dim) != expected[dim]) return false;
  }
  return true;
}

Tensor empty_column_major(IntArrayRef sizes, const c10::TensorOptions& options) {
  return at::empty_strided(sizes, column_major_strides(sizes), options);
}

Tensor copy_column_major(const Tensor& self) {
  return empty_column_major(self.sizes(), self.options()).copy_(self);
}

Tensor as_column_major(const Tensor& self) { return is_column_major(self) ? self : copy_column_major(self); }

int64_t matrix_count(const Tensor& self) {
  int64_t count = 1;
  for (int64_t dim = 0; dim + 2 < self.dim(); ++dim) count *= self.size(dim);
  return count;
}

DimVector batch_sizes(const Tensor& self, int64_t n) {
  return DimVector(self.sizes().slice(0, static_cast<size_t>(self.dim() - n)));
}

DimVector with_matrix(IntArrayRef batch, int64_t rows, int64_t columns) {
  DimVector sizes(batch);
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}

Tensor conjugate_transpose(const Tensor& self) {
  return (self.is_complex() ? at::conj_physical(self) : self).transpose(-2, -1);
}

Tensor identity_matrix(int64_t rows, int64_t columns, const c10::TensorOptions& options) {
  Tensor made = at::zeros({rows, columns}, options);
  made.diagonal().fill_(1);
  return made;
}

void check_float_or_complex(const Tensor& self, const char* name, bool low_precision) {
  const ScalarType dtype = self.scalar_type();
  TORCH_CHECK(self.is_floating_point() || self.is_complex(), name,
              ": Expected a floating point or complex tensor as input. Got ", dtype);
  TORCH_CHECK(low_precision || dtype == kFloat || dtype == kDouble || dtype == kComplexFloat ||
                  dtype == kComplexDouble,
              name, ": Low precision dtypes not supported. Got ", dtype);
}

void check_is_matrix(const Tensor& self, const char* name, const char* argument) {
  TORCH_CHECK(self.dim() >= 2, name, ": The input tensor ", argument, " must have at least 2 dimensions.");
}

void check_square(const Tensor& self, const char* name, const char* argument) {
  check_is_matrix(self, name, argument);
  TORCH_CHECK(self.size(-1) == self.size(-2), name, ": ", argument,
              " must be batches of square matrices, but they are ", self.size(-2), " by ", self.size(-1),
              " matrices");
}

void check_one_dtype(const Tensor& a, const Tensor& b, const char* name) {
  TORCH_CHECK(a.scalar_type() == b.scalar_type(), name,
              ": Expected A and B to have the same dtype, but found ", "A of type ", a.scalar_type(),
              " and B of type ", b.scalar_type(), " instead");
}

void check_solve_sizes(const Tensor& a, const Tensor& b, bool left, const char* name) {
  check_square(a, name);
  check_is_matrix(b, name, "B");
  TORCH_CHECK(left ? a.size(-2) == b.size(-2) : a.size(-1) == b.size(-1), name,
              ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (",
              a.size(-2), "x", a.size(-1), " and ", b.size(-2), "x", b.size(-1), ")");
}

bool is_vector_side(const Tensor& a, const Tensor& b) {
  return b.dim() == 1 ||
         (a.dim() == b.dim() + 1 && b.sizes() == a.sizes().slice(0, static_cast<size_t>(a.dim() - 1)));
}

std::tuple<bool, bool> parse_qr_mode(std::string_view mode) {
  TORCH_CHECK(mode == "reduced" || mode == "complete" || mode == "r", "qr received unrecognized mode '", mode,
              "' but expected one of 'reduced' (default), 'r', or 'complete'");
  return {mode != "r", mode != "complete"};
}

std::tuple<DimVector, DimVector> broadcast_batch_sizes(const Tensor& a, const Tensor& b) {
  const DimVector batch = infer_size_dimvector(batch_sizes(a), batch_sizes(b));
  return {with_matrix(batch, a.size(-2), a.size(-1)), with_matrix(batch, b.size(-2), b.size(-1))};
}

std::tuple<Tensor, Tensor> broadcast_batches(const Tensor& a, const Tensor& b) {
  const auto [a_sizes, b_sizes] = broadcast_batch_sizes(a, b);
  return {a.expand(a_sizes), b.expand(b_sizes)};
}

}  // namespace at::native
