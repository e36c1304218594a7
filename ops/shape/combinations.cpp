// Products and subsets of vectors: cartesian_prod, combinations.
#include <ATen/core/Tensor.h>

#include <ATen/ops/cartesian_prod_native.h>
#include <ATen/ops/combinations_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/meshgrid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>

#include <algorithm>
#include <vector>

namespace at::native {

Tensor cartesian_prod(TensorList tensors) {
  for (const Tensor& t : tensors) {
    TORCH_CHECK(t.dim() == 1, "Expect a 1D vector, but got shape ", t.sizes());
  }
  if (tensors.size() == 1) return tensors[0];
  std::vector<Tensor> columns = at::meshgrid(tensors);
  for (Tensor& column : columns) column = column.flatten();
  return at::stack(columns, 1);
}

namespace {

// How many ways there are to choose `chosen` of `n`.
int64_t binomial_coefficient(int64_t n, int64_t chosen) {
  if (chosen > n) return 0;
  chosen = std::min(chosen, n - chosen);
  __int128 count = 1;
  for (int64_t i = 1; i <= chosen; ++i) {
    count = count * (n - chosen + i) / i;
    TORCH_CHECK(count <= INT64_MAX, "combinations: there are too many");
  }
  return static_cast<int64_t>(count);
}

// The positions of all combinations in lexicographic order, one row each.
void write_combinations(int64_t* rows, int64_t count, int64_t n, int64_t r, bool with_replacement) {
  for (int64_t i = 0; i < r; ++i) rows[i] = with_replacement ? 0 : i;
  for (int64_t row = 1; row < count; ++row) {
    const int64_t* const last = rows + (row - 1) * r;
    int64_t* const next = rows + row * r;
    int64_t place = r - 1;
    while (last[place] == n - 1 - (with_replacement ? 0 : r - 1 - place)) --place;
    std::copy_n(last, place, next);
    for (int64_t i = place; i < r; ++i) next[i] = last[place] + 1 + (with_replacement ? 0 : i - place);
  }
}

}  // namespace

Tensor combinations(const Tensor& self, int64_t r, bool with_replacement) {
  TORCH_CHECK(self.dim() == 1, "Expect a 1D vector, but got shape ", self.sizes());
  TORCH_CHECK(r >= 0, "Expect a non-negative number, but got ", r);
  if (r == 0) return at::empty({0}, self.options());
  const int64_t n = self.numel();
  if (n == 0) return at::empty({0, r}, self.options());
  int64_t from = n;
  TORCH_CHECK(!with_replacement || !__builtin_add_overflow(n - 1, r, &from),
              "combinations: there are too many");
  const int64_t count = binomial_coefficient(from, r);
  std::vector<int64_t> positions(count * r);
  if (count != 0) write_combinations(positions.data(), count, n, r, with_replacement);
  const Tensor on_host = at::from_blob(positions.data(), {count * r}, TensorOptions(kLong));
  return self.index_select(0, on_host.to(self.device(), kLong, /*non_blocking=*/false, /*copy=*/true))
      .view({count, r});
}

}  // namespace at::native
