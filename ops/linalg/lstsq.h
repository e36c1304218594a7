// Least squares: what the operator and the kernels share.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <optional>
#include <string_view>

namespace at::native {

/// LAPACK's drivers: by QR, by QR with pivots, by the singular values, divided and conquered or not.
enum class LstsqDriver { Gels, Gelsy, Gelsd, Gelss };
TORCH_API LstsqDriver parse_lstsq_driver(std::optional<std::string_view> name);

/// The problem A X = B with its batches broadcast; a vector B is a matrix of one column.
struct LstsqProblem {
  Tensor a, b;
  bool vector = false;
  int64_t rows = 0, columns = 0;
  DimVector batch;
};
/// Throws unless the sizes and dtypes fit.
TORCH_API LstsqProblem make_lstsq_problem(const Tensor& self, const Tensor& b);

}  // namespace at::native
