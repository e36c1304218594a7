// linalg_lstsq: the operator that allocates its results, and what kernels share.
#include <ATen/native/linalg/lstsq.h>

#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_lstsq.h>
#include <ATen/ops/linalg_lstsq_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>
#include <tuple>

namespace at::native {

LstsqDriver parse_lstsq_driver(std::optional<std::string_view> name) {
  if (!name.has_value() || *name == "gelsy") return LstsqDriver::Gelsy;
  if (*name == "gels") return LstsqDriver::Gels;
  if (*name == "gelsd") return LstsqDriver::Gelsd;
  TORCH_CHECK(
      *name == "gelss",
      "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss), but got '", *name,
      "'");
  return LstsqDriver::Gelss;
}

LstsqProblem make_lstsq_problem(const Tensor& self, const Tensor& b) {
  const char* name = "torch.linalg.lstsq";
  check_float_or_complex(self, name);
  TORCH_CHECK(self.dim() >= 2, name, ": input must have at least 2 dimensions.");
  TORCH_CHECK(b.dim() >= 1, name, ": other must have at least 1 dimension.");
  TORCH_CHECK(self.scalar_type() == b.scalar_type(), name,
              ": Expected input and other to have the same dtype, but got input's dtype ", self.scalar_type(),
              " and other's dtype ", b.scalar_type());
  const int64_t difference = self.dim() - b.dim();
  TORCH_CHECK(difference == 0 || difference == 1, name,
              ": input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1");
  LstsqProblem made;
  made.vector = is_vector_side(self, b);
  const Tensor right = made.vector ? b.unsqueeze(-1) : b;
  TORCH_CHECK(right.dim() >= 2 && self.size(-2) == right.size(-2), name,
              ": input.size(-2) should match other.size(", made.vector ? "-1" : "-2", ")");
  std::tie(made.a, made.b) = broadcast_batches(self, right);
  made.rows = self.size(-2);
  made.columns = self.size(-1);
  made.batch = batch_sizes(made.a);
  return made;
}

// The solution lies in the memory where LAPACK leaves the residuals behind it, as PyTorch's.
std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& self, const Tensor& b,
                                                        std::optional<double> rcond,
                                                        std::optional<std::string_view> driver) {
  const LstsqProblem problem = make_lstsq_problem(self, b);
  const DimVector sizes =
      with_matrix(problem.batch, std::max(problem.rows, problem.columns), problem.b.size(-1));
  Tensor solution = empty_column_major(sizes, self.options()).narrow(-2, 0, problem.columns);
  if (problem.vector) solution = solution.squeeze(-1);
  const c10::TensorOptions real = self.options().dtype(c10::toRealValueType(self.scalar_type()));
  Tensor residuals = at::empty({0}, real), rank = at::empty({0}, self.options().dtype(kLong)),
         singular_values = at::empty({0}, real);
  at::linalg_lstsq_outf(self, b, rcond, driver, solution, residuals, rank, singular_values);
  return {std::move(solution), std::move(residuals), std::move(rank), std::move(singular_values)};
}

}  // namespace at::native
