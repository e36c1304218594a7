// Solutions of linear systems, by LU factors.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/_linalg_solve_ex.h>
#include <ATen/ops/_linalg_solve_ex_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/linalg_lu_factor_ex.h>
#include <ATen/ops/linalg_lu_solve.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_solve_ex_native.h>
#include <ATen/ops/linalg_solve_native.h>
#include <ATen/ops/linalg_tensorsolve.h>
#include <ATen/ops/linalg_tensorsolve_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace at::native {

TORCH_IMPL_FUNC(_linalg_solve_ex_out)
(const Tensor& A, const Tensor& B, bool left, bool check_errors, const Tensor& result, const Tensor& LU,
 const Tensor& pivots, const Tensor& info) {
  at::linalg_lu_factor_ex_outf(A, /*pivot=*/true, /*check_errors=*/false, const_cast<Tensor&>(LU),
                               const_cast<Tensor&>(pivots), const_cast<Tensor&>(info));
  if (check_errors) at::_linalg_check_errors(info, "torch.linalg.solve_ex", A.dim() == 2);
  const bool vector = is_vector_side(A, B);
  Tensor solution = vector ? result.unsqueeze(-1) : result;
  at::linalg_lu_solve_outf(LU, pivots, vector ? B.unsqueeze(-1) : B, left, /*adjoint=*/false, solution);
}

std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  auto [result, LU, pivots, info] = at::_linalg_solve_ex(A, B, left, check_errors);
  return {std::move(result), std::move(info)};
}

std::tuple<Tensor&, Tensor&> linalg_solve_ex_out(const Tensor& A, const Tensor& B, bool left,
                                                 bool check_errors, Tensor& result, Tensor& info) {
  Tensor LU = at::empty({0}, A.options()), pivots = at::empty({0}, A.options().dtype(kInt));
  at::_linalg_solve_ex_outf(A, B, left, check_errors, result, LU, pivots, info);
  return {result, info};
}

Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left) {
  auto [result, LU, pivots, info] = at::_linalg_solve_ex(A, B, left, /*check_errors=*/false);
  at::_linalg_check_errors(info, "torch.linalg.solve", A.dim() == 2);
  return result;
}

Tensor& linalg_solve_out(const Tensor& A, const Tensor& B, bool left, Tensor& out) {
  Tensor info = at::empty({0}, A.options().dtype(kInt));
  Tensor LU = at::empty({0}, A.options()), pivots = at::empty({0}, A.options().dtype(kInt));
  at::_linalg_solve_ex_outf(A, B, left, /*check_errors=*/false, out, LU, pivots, info);
  at::_linalg_check_errors(info, "torch.linalg.solve", A.dim() == 2);
  return out;
}

namespace {

int64_t elements_of(IntArrayRef sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return count;
}

Tensor with_last_dims(const Tensor& self, IntArrayRef dims) {
  std::vector<int64_t> last(dims.begin(), dims.end()), order;
  for (int64_t& dim : last) dim = maybe_wrap_dim(dim, self.dim());
  for (int64_t dim = 0; dim < self.dim(); ++dim) {
    if (std::find(last.begin(), last.end(), dim) == last.end()) order.push_back(dim);
  }
  order.insert(order.end(), last.begin(), last.end());
  return self.permute(order);  // which finds a dimension that is named twice
}

}  // namespace

Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims) {
  const Tensor moved = dims.has_value() ? with_last_dims(self, *dims) : self;
  TORCH_CHECK(moved.dim() >= other.dim(),
              "Expected self to have at least as many dimensions as other, but got ", moved.dim(), " and ",
              other.dim());
  const DimVector sizes(moved.sizes().slice(static_cast<size_t>(other.dim())));
  const int64_t unknowns = elements_of(sizes), equations = elements_of(other.sizes());
  TORCH_CHECK(unknowns == equations,
              "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
              "prod(self.shape[:other.ndim]), but got ",
              unknowns, " != ", equations);
  return at::linalg_solve(moved.reshape({unknowns, unknowns}), other.flatten()).reshape(sizes);
}

Tensor& linalg_tensorsolve_out(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims,
                               Tensor& out) {
  return write_same_dtype("tensorsolve", out, at::linalg_tensorsolve(self, other, dims));
}

}  // namespace at::native
