// Unique elements and rows. The CPU has kernels for elements; the rest is made of operators, on every device.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/sorting/stubs.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_unique2.h>
#include <ATen/ops/_unique2_native.h>
#include <ATen/ops/_unique_native.h>
#include <ATen/ops/any.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/unique_consecutive_native.h>
#include <ATen/ops/unique_dim_consecutive.h>
#include <ATen/ops/unique_dim_consecutive_native.h>
#include <ATen/ops/unique_dim_native.h>
#include <ATen/ops/view.h>

#include <algorithm>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(sort_values_stub);
DEFINE_DISPATCH(find_runs_stub);
DEFINE_DISPATCH(order_rows_stub);

namespace {

using Unique = std::tuple<Tensor, Tensor, Tensor>;

struct Wanted {
  bool inverse, counts;
};

void check_order(const Tensor& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "\"unique\" not implemented for '", self.scalar_type(),
                              "'");
}

Tensor no_indices(const Tensor& self) { return at::empty({0}, self.options().dtype(kLong)); }

// Runs of equal elements of a vector, or of equal rows of a matrix; of at least one.
Unique runs_by_operators(const Tensor& rows, const Tensor& order, Wanted wanted) {
  const int64_t n = rows.size(0);
  Tensor differs = rows.narrow(0, 1, n - 1).ne(rows.narrow(0, 0, n - 1));
  if (differs.dim() == 2) differs = differs.any(1);
  const Tensor is_first = at::cat({at::ones({1}, differs.options()), differs});
  const Tensor firsts = is_first.nonzero().view({-1});
  Tensor inverse = no_indices(rows), counts = inverse;
  if (wanted.inverse) {
    const Tensor runs = is_first.cumsum(0).sub_(1);
    inverse = order.defined() ? at::empty_like(runs).scatter_(0, order, runs) : runs;
  }
  if (wanted.counts) {
    const Tensor ends =
        at::cat({firsts.narrow(0, 1, firsts.size(0) - 1), at::full({1}, n, firsts.options())});
    counts = ends.sub(firsts);
  }
  return {rows.index_select(0, firsts), inverse, counts};
}

// The first n elements. Those of a small part are copied, so that the rest of the memory is free again.
Tensor shortened(const Tensor& t, int64_t n) {
  return 2 * n < t.size(0) ? t.narrow(0, 0, n).clone() : t.resize_({n});
}

// The same for a vector. `values` may be written to.
Unique runs_of(const Tensor& self, const Tensor& values, const Tensor& order, Wanted wanted) {
  if (!self.is_cpu()) return runs_by_operators(self, order, wanted);
  const TensorOptions options = self.options().dtype(kLong);
  const Tensor counts = wanted.counts ? at::empty({self.numel()}, options) : Tensor();
  const Tensor inverse = wanted.inverse ? at::empty({self.numel()}, options) : Tensor();
  const int64_t runs = find_runs_stub(kCPU, values, counts, inverse, self, order);
  return {shortened(values, runs), wanted.inverse ? inverse : no_indices(self),
          wanted.counts ? shortened(counts, runs) : no_indices(self)};
}

Unique unique_of_nothing(const Tensor& self, Wanted wanted) {
  const TensorOptions options = self.options().dtype(kLong);
  return {at::empty({0}, self.options()),
          wanted.inverse ? at::empty(self.sizes(), options) : no_indices(self), no_indices(self)};
}

Unique with_shape(Unique found, const Tensor& self, Wanted wanted) {
  if (wanted.inverse) std::get<1>(found) = std::get<1>(found).view(self.sizes());
  return found;
}

// -------------------- along a dimension

// The slices along dim as rows of a matrix.
struct Rows {
  Tensor matrix;
  DimVector sizes, back;  // the slices come first; the permutation that undoes this
};

Rows rows_along(const Tensor& self, int64_t dim) {
  Rows rows;
  DimVector forth{dim};
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) forth.push_back(d);
    rows.back.push_back(d < dim ? d + 1 : d == dim ? 0 : d);
  }
  const Tensor moved = self.permute(forth);
  rows.sizes.assign(moved.sizes().begin(), moved.sizes().end());
  rows.matrix = moved.contiguous().view({self.size(dim), self.numel() / self.size(dim)});
  return rows;
}

int64_t checked_dim(const Tensor& self, int64_t dim) {
  TORCH_CHECK_INDEX(self.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  check_order(self);
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  const auto empty_dims = std::count(self.sizes().begin(), self.sizes().end(), 0);
  TORCH_CHECK(empty_dims == (self.size(wrapped) == 0 ? 1 : 0),
              "unique can't be applied: there are dimensions of size 0 other than dim ", dim, ", got shape ",
              self.sizes());
  return wrapped;
}

Unique of_no_slices(const Tensor& self) { return {at::empty_like(self), no_indices(self), no_indices(self)}; }

// The lexicographic order of rows: on other devices than the CPU they are sorted by each column, the last one
// first.
Tensor order_of_rows(const Tensor& rows) {
  if (rows.size(1) == 1) return std::get<1>(rows.select(1, 0).sort(/*stable=*/true, 0, false));
  if (rows.is_cpu()) {
    const Tensor order = at::empty({rows.size(0)}, rows.options().dtype(kLong));
    order_rows_stub(kCPU, order, rows);
    return order;
  }
  Tensor order = at::arange(rows.size(0), rows.options().dtype(kLong));
  for (int64_t column = rows.size(1) - 1; column >= 0; --column) {
    const Tensor keys = rows.select(1, column).index_select(0, order);
    order = order.index_select(0, std::get<1>(keys.sort(/*stable=*/true, 0, false)));
  }
  return order;
}

Unique unique_slices(const Tensor& self, int64_t dim, bool consecutive) {
  const Rows rows = rows_along(self, dim);
  const Tensor order = consecutive ? Tensor() : order_of_rows(rows.matrix);
  const Tensor sorted = consecutive ? rows.matrix : rows.matrix.index_select(0, order);
  const Unique found = runs_by_operators(sorted, order, {true, true});
  DimVector sizes = rows.sizes;
  sizes[0] = std::get<0>(found).size(0);
  return {std::get<0>(found).view(sizes).permute(rows.back), std::get<1>(found), std::get<2>(found)};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& self, bool /*sorted: always*/, bool return_inverse,
                                            bool return_counts) {
  const Wanted wanted{return_inverse, return_counts};
  check_order(self);
  if (self.numel() == 0) return unique_of_nothing(self, wanted);
  Tensor values = self.reshape({-1}), order;
  if (self.is_cpu() && !return_inverse) {
    values = self.clone(MemoryFormat::Contiguous).view({-1});
    sort_values_stub(kCPU, values);
  } else {
    std::tie(values, order) = values.sort(/*stable=*/true, 0, false);
  }
  return with_shape(runs_of(values, values, order, wanted), self, wanted);
}

std::tuple<Tensor, Tensor> _unique(const Tensor& self, bool sorted, bool return_inverse) {
  auto [values, inverse, counts] = at::_unique2(self, sorted, return_inverse, /*return_counts=*/false);
  return {std::move(values), std::move(inverse)};
}

std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& self, int64_t dim, bool /*sorted: always*/,
                                              bool /*return_inverse*/, bool /*return_counts*/) {
  const int64_t wrapped = checked_dim(self, dim);
  return self.numel() == 0 ? of_no_slices(self) : unique_slices(self, wrapped, /*consecutive=*/false);
}

std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive(const Tensor& self, int64_t dim,
                                                          bool /*return_inverse*/, bool /*return_counts*/) {
  const int64_t wrapped = checked_dim(self, dim);
  return self.numel() == 0 ? of_no_slices(self) : unique_slices(self, wrapped, /*consecutive=*/true);
}

std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor& self, bool return_inverse,
                                                      bool return_counts, std::optional<int64_t> dim) {
  if (dim && !(*dim == 0 && self.dim() == 1)) {
    return at::unique_dim_consecutive(self, *dim, return_inverse, return_counts);
  }
  const Wanted wanted{return_inverse, return_counts};
  check_order(self);
  if (self.numel() == 0) return unique_of_nothing(self, wanted);
  const Tensor flat = self.reshape({-1}).contiguous();
  const Tensor values = self.is_cpu() ? at::empty_like(flat) : Tensor();
  return with_shape(runs_of(flat, values, Tensor(), wanted), self, wanted);
}

}  // namespace at::native
