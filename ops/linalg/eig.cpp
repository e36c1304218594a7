// Eigenvalues and eigenvectors of any square matrices, which are complex.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/linalg/eig.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/_linalg_eigvals.h>
#include <ATen/ops/_linalg_eigvals_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_eig.h>
#include <ATen/ops/linalg_eig_native.h>
#include <ATen/ops/linalg_eigvals_native.h>

#include <tuple>

namespace at::native {

void check_eig(const Tensor& self, const char* name) {
  check_square(self, name);
  check_float_or_complex(self, name);
}

std::tuple<Tensor, Tensor> empty_eig(const Tensor& self, bool vectors) {
  const c10::TensorOptions options = self.options().dtype(c10::toComplexType(self.scalar_type()));
  DimVector sizes = batch_sizes(self);
  sizes.push_back(self.size(-1));
  const Tensor values = at::empty(sizes, options);
  return {values, vectors ? empty_column_major(self.sizes(), options) : Tensor()};
}

std::tuple<Tensor, Tensor> linalg_eig_meta(const Tensor& self) {
  check_eig(self, "linalg.eig");
  return empty_eig(self, /*vectors=*/true);
}

Tensor _linalg_eigvals_meta(const Tensor& self) {
  check_eig(self, "linalg.eigvals");
  return std::get<0>(empty_eig(self, /*vectors=*/false));
}

std::tuple<Tensor&, Tensor&> linalg_eig_out(const Tensor& self, Tensor& eigenvalues, Tensor& eigenvectors) {
  const auto [values, vectors] = at::linalg_eig(self);
  return {write_result("linalg.eig", eigenvalues, values), write_result("linalg.eig", eigenvectors, vectors)};
}

Tensor linalg_eigvals(const Tensor& self) {
  if (may_need_derivative(self)) return std::get<0>(at::linalg_eig(self));
  return at::_linalg_eigvals(self);
}

Tensor& linalg_eigvals_out(const Tensor& self, Tensor& out) {
  return write_result("linalg.eigvals", out, at::_linalg_eigvals(self));
}

}  // namespace at::native
