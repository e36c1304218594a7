// linalg_multi_dot: a chain of matrix products in the order that takes the fewest multiplications.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/chain_matmul.h>
#include <ATen/ops/chain_matmul_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/linalg_multi_dot.h>
#include <ATen/ops/linalg_multi_dot_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

#include <limits>
#include <vector>

namespace at::native {

namespace {

// split[i][j]: the matrix after which the product of i..j is best split.
std::vector<std::vector<size_t>> best_splits(const std::vector<Tensor>& matrices) {
  const size_t n = matrices.size();
  std::vector<double> sizes{static_cast<double>(matrices[0].size(0))};
  for (const Tensor& m : matrices) sizes.push_back(static_cast<double>(m.size(1)));
  std::vector<std::vector<double>> costs(n, std::vector<double>(n, 0));
  std::vector<std::vector<size_t>> split(n, std::vector<size_t>(n, 0));
  for (size_t length = 1; length < n; ++length) {
    for (size_t i = 0; i + length < n; ++i) {
      const size_t j = i + length;
      costs[i][j] = std::numeric_limits<double>::infinity();
      for (size_t k = i; k < j; ++k) {
        const double cost = costs[i][k] + costs[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1];
        if (cost < costs[i][j]) {
          costs[i][j] = cost;
          split[i][j] = k;
        }
      }
    }
  }
  return split;
}

Tensor multiplied(const std::vector<Tensor>& matrices, const std::vector<std::vector<size_t>>& split,
                  size_t i, size_t j) {
  if (i == j) return matrices[i];
  const size_t k = split[i][j];
  return at::mm(multiplied(matrices, split, i, k), multiplied(matrices, split, k + 1, j));
}

}  // namespace

Tensor linalg_multi_dot(TensorList tensors) {
  const size_t n = tensors.size();
  TORCH_CHECK(n >= 2, "multi_dot(): expected at least 2 tensors but got ", n);
  std::vector<Tensor> matrices(tensors.begin(), tensors.end());
  DimVector sizes;
  for (size_t i = 0; i < n; ++i) {
    const bool end = i == 0 || i + 1 == n;
    const int64_t dim = tensors[i].dim();
    TORCH_CHECK(dim == 2 || (end && dim == 1), "multi_dot(): the ",
                i == 0       ? "first"
                : i + 1 == n ? "last"
                             : "inner",
                " tensor must be ", end ? "1D or 2D" : "2D", " but got ", dim, "D");
    TORCH_CHECK(tensors[i].scalar_type() == tensors[0].scalar_type(),
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is ",
                tensors[0].scalar_type(), " and tensor ", i, " ", tensors[i].scalar_type());
    TORCH_CHECK(tensors[i].device() == tensors[0].device(),
                "multi_dot(): all tensors must be on the same device but tensor 0 is on ",
                tensors[0].device(), " and tensor ", i, " on ", tensors[i].device());
  }
  if (tensors[0].dim() == 1) matrices[0] = tensors[0].unsqueeze(0);
  if (tensors[n - 1].dim() == 1) matrices[n - 1] = tensors[n - 1].unsqueeze(1);
  for (size_t i = 0; i + 1 < n; ++i) {
    TORCH_CHECK(matrices[i].size(1) == matrices[i + 1].size(0), "multi_dot(): tensors ", i, " and ", i + 1,
                " with shapes ", matrices[i].sizes(), " and ", matrices[i + 1].sizes(),
                " cannot be multiplied");
  }
  if (tensors[0].dim() == 2) sizes.push_back(tensors[0].size(0));
  if (tensors[n - 1].dim() == 2) sizes.push_back(tensors[n - 1].size(1));
  return multiplied(matrices, best_splits(matrices), 0, n - 1).view(sizes);
}

Tensor& linalg_multi_dot_out(TensorList tensors, Tensor& out) {
  const Tensor result = at::linalg_multi_dot(tensors);
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), "multi_dot(): expected out tensor to have dtype ",
              result.scalar_type(), " but got ", out.scalar_type());
  TORCH_CHECK(out.device() == result.device(), "multi_dot(): expected out tensor to be on device ",
              result.device(), " but got ", out.device());
  resize_output(out, result.sizes());
  return out.copy_(result);
}

Tensor chain_matmul(TensorList matrices) {
  for (const Tensor& m : matrices) {
    TORCH_CHECK(m.dim() == 2, "Tensor dimension is ", m.dim(), ", expected 2 instead.");
  }
  TORCH_CHECK(!matrices.empty(), "chain_matmul(): Expected one or more matrices");
  return matrices.size() == 1 ? matrices[0] : at::linalg_multi_dot(matrices);
}

Tensor& chain_matmul_out(TensorList matrices, Tensor& out) {
  const Tensor result = at::chain_matmul(matrices);
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), "chain_matmul(): expected out of dtype ",
              result.scalar_type(), ", got ", out.scalar_type());
  resize_output(out, result.sizes());
  return out.copy_(result);
}

}  // namespace at::native
