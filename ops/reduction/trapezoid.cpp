// trapezoid and cumulative_trapezoid.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/cumulative_trapezoid_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/select.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/trapezoid.h>
#include <ATen/ops/trapezoid_native.h>
#include <ATen/ops/trapz_native.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>

namespace at::native {

namespace {

void check_numbers(const char* name, const Tensor& y, ScalarType x) {
  TORCH_CHECK(y.scalar_type() != kBool && x != kBool, name,
              ": received a bool input for `x` or `y`, but bool is not supported");
}

double real_number(const char* name, const Scalar& dx) {
  TORCH_CHECK(!dx.isComplex() && !dx.isBoolean(), name, ": Currently, we only support dx as a real number.");
  return dx.toDouble();
}

// For each pair of neighbours along dim.
Tensor pair_sums(const Tensor& y, int64_t dim) { return y.slice(dim, 0, -1).add(y.slice(dim, 1)); }

// The distances of neighbours, in y's dimensions: x has an element for each of y, or for each index of dim.
Tensor distances(const char* name, const Tensor& y, const Tensor& x, int64_t dim) {
  DimVector sizes(x.sizes().begin(), x.sizes().end());
  if (x.dim() == 1) {
    TORCH_CHECK(x.size(0) == y.size(dim), name,
                ": There must be one `x` value for each sample point, but there are ", x.size(0), " for ",
                y.size(dim));
    sizes.assign(y.dim(), 1);
    sizes[dim] = x.size(0);
  } else if (x.dim() < y.dim()) {
    sizes.insert(sizes.begin(), y.dim() - x.dim(), 1);
  }
  const Tensor places = x.view(sizes);
  const int64_t along = dim + places.dim() - y.dim();
  return places.slice(along, 1).sub(places.slice(along, 0, -1));
}

Tensor no_samples(const Tensor& y, int64_t dim) {
  DimVector sizes(y.sizes().begin(), y.sizes().end());
  sizes.erase(sizes.begin() + dim);
  return at::zeros(sizes, y.options());
}

}  // namespace

Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim) {
  dim = maybe_wrap_dim(dim, y.dim());
  if (y.dim() > 0 && y.size(dim) == 0) return no_samples(y, dim);
  check_numbers("trapezoid", y, x.scalar_type());
  return pair_sums(y, dim).mul(distances("trapezoid", y, x, dim)).sum(dim).div(2.0);
}

Tensor trapezoid(const Tensor& y, const Scalar& dx, int64_t dim) {
  dim = maybe_wrap_dim(dim, y.dim());
  if (y.dim() > 0 && y.size(dim) == 0) return no_samples(y, dim);
  check_numbers("trapezoid", y, y.scalar_type());
  const double step = real_number("trapezoid", dx);
  const Tensor ends = y.select(dim, 0).add(y.select(dim, -1));
  return y.sum(dim).sub(ends.mul(0.5)).mul(step);
}

Tensor trapz(const Tensor& y, const Tensor& x, int64_t dim) { return at::trapezoid(y, x, dim); }

Tensor trapz(const Tensor& y, double dx, int64_t dim) { return at::trapezoid(y, dx, dim); }

Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim) {
  dim = maybe_wrap_dim(dim, y.dim());
  check_numbers("cumulative_trapezoid", y, x.scalar_type());
  return pair_sums(y, dim).mul(distances("cumulative_trapezoid", y, x, dim)).cumsum(dim).div(2.0);
}

Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx, int64_t dim) {
  dim = maybe_wrap_dim(dim, y.dim());
  check_numbers("cumulative_trapezoid", y, y.scalar_type());
  return pair_sums(y, dim).mul(real_number("cumulative_trapezoid", dx) / 2.0).cumsum(dim);
}

}  // namespace at::native
