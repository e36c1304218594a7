// gradient: finite differences along dimensions.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/gradient.h>
#include <ATen/ops/gradient_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sub.h>

#include <vector>

namespace at::native {

namespace {

DimVector dims_of(const Tensor& self, OptionalIntArrayRef given) {
  DimVector dims;
  if (!given) {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
    return dims;
  }
  for (const int64_t dim : *given) {
    const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
    for (const int64_t other : dims) {
      TORCH_CHECK(other != wrapped, "dim ", wrapped, " appears multiple times in the list of dims");
    }
    dims.push_back(wrapped);
  }
  return dims;
}

// The dims, checked together with the number of spacings.
DimVector checked_dims(const Tensor& self, OptionalIntArrayRef given, std::optional<size_t> spacings,
                       int64_t edge_order) {
  TORCH_CHECK(self.scalar_type() != kByte, "gradient() does not support uint8 input.");
  TORCH_CHECK(edge_order == 1 || edge_order == 2, "gradient() only supports edge_order=1 and edge_order=2.");
  DimVector dims = dims_of(self, given);
  TORCH_CHECK(
      !spacings || *spacings == dims.size(),
      "gradient() expected spacing to be unspecified, a scalar, or a list with one entry for each of ",
      dims.size(), " dimensions, but got a list of length ", spacings.value_or(0));
  for (const int64_t dim : dims) {
    TORCH_CHECK((self.dim() == 0 ? 1 : self.size(dim)) > edge_order,
                "gradient() expected each dimension size to be at least edge_order+1");
  }
  return dims;
}

std::vector<Tensor> all(const DimVector& dims, const auto& along) {
  std::vector<Tensor> result;
  result.reserve(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) result.push_back(along(dims[i], i));
  return result;
}

// -------------------- equal distances

Tensor along_grid(const Tensor& self, int64_t dim, const Scalar& spacing, int64_t edge_order) {
  const int64_t n = self.size(dim);
  const auto plane = [&](int64_t i) { return self.narrow(dim, i, 1); };
  const auto edge = [&](int64_t first, int64_t second, int64_t third) {
    const Tensor difference = plane(second).sub(plane(first));
    if (edge_order == 1) return difference.div(spacing);
    return plane(second).mul(2).sub(plane(first).mul(1.5)).sub(plane(third).mul(0.5)).div(spacing);
  };
  const int64_t third = edge_order == 1 ? 0 : 2;
  const Tensor inner = self.narrow(dim, 2, n - 2).sub(self.narrow(dim, 0, n - 2)).div(spacing).div(2);
  return at::cat({edge(0, 1, third), inner, edge(n - 1, n - 2, n - 1 - third).neg()}, dim);
}

// -------------------- coordinates

// The weights of three neighbours in the derivative at one of them, from the distances between them.
struct PointWeights {
  Tensor first, second, third;

  Tensor apply(const Tensor& a, const Tensor& b, const Tensor& c) const {
    return a.mul(first).add(b.mul(second)).add(c.mul(third));
  }
};

PointWeights at_middle(const Tensor& h, const Tensor& k) {
  const Tensor both = h.add(k);
  return {k.neg().div(h.mul(both)), k.sub(h).div(h.mul(k)), h.div(k.mul(both))};
}

// At the first of three; at the last one the order and the signs are reversed.
PointWeights at_first(const Tensor& h, const Tensor& k) {
  const Tensor both = h.add(k);
  return {h.add(both).neg().div(h.mul(both)), both.div(h.mul(k)), h.neg().div(k.mul(both))};
}

Tensor along_coordinates(const Tensor& self, int64_t dim, const Tensor& coordinates, int64_t edge_order) {
  const int64_t n = self.size(dim);
  DimVector shape(static_cast<size_t>(self.dim()), 1);
  shape[dim] = n - 1;
  const Tensor steps = coordinates.narrow(0, 1, n - 1).sub(coordinates.narrow(0, 0, n - 1)).reshape(shape);
  const auto plane = [&](int64_t i) { return self.narrow(dim, i, 1); };
  const auto step = [&](int64_t i) { return steps.narrow(dim, i, 1); };
  Tensor front, back;
  if (edge_order == 1) {
    front = plane(1).sub(plane(0)).div(step(0));
    back = plane(n - 1).sub(plane(n - 2)).div(step(n - 2));
  } else {
    front = at_first(step(0), step(1)).apply(plane(0), plane(1), plane(2));
    back = at_first(step(n - 2), step(n - 3)).apply(plane(n - 1), plane(n - 2), plane(n - 3)).neg();
  }
  const PointWeights inner = at_middle(steps.narrow(dim, 0, n - 2), steps.narrow(dim, 1, n - 2));
  const auto from = [&](int64_t i) { return self.narrow(dim, i, n - 2); };
  return at::cat({front, inner.apply(from(0), from(1), from(2)), back}, dim);
}

std::vector<Tensor> along_all_coordinates(const Tensor& self, TensorList spacing, const DimVector& dims,
                                          int64_t edge_order) {
  for (size_t i = 0; i < dims.size(); ++i) {
    TORCH_CHECK(spacing[i].dim() == 1,
                "gradient() expected each tensor of spacing to have one dimension, but got ",
                spacing[i].dim());
    TORCH_CHECK(spacing[i].size(0) == self.size(dims[i]), "gradient() expected spacing to have ",
                self.size(dims[i]), " coordinates for dimension ", dims[i], ", but got ", spacing[i].size(0));
  }
  return all(dims,
             [&](int64_t dim, size_t i) { return along_coordinates(self, dim, spacing[i], edge_order); });
}

OptionalIntArrayRef one_dim(const std::optional<int64_t>& dim) {
  return dim ? OptionalIntArrayRef(IntArrayRef(*dim)) : std::nullopt;
}

}  // namespace

std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing,
                             std::optional<int64_t> dim, int64_t edge_order) {
  const DimVector dims = checked_dims(self, one_dim(dim), std::nullopt, edge_order);
  const Scalar distance = spacing.value_or(1);
  return all(dims, [&](int64_t d, size_t) { return along_grid(self, d, distance, edge_order); });
}

std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArrayRef dim, int64_t edge_order) {
  const DimVector dims = checked_dims(self, dim, std::nullopt, edge_order);
  return all(dims, [&](int64_t d, size_t) { return along_grid(self, d, spacing, edge_order); });
}

std::vector<Tensor> gradient(const Tensor& self, IntArrayRef dim, int64_t edge_order) {
  return at::gradient(self, /*spacing=*/Scalar(1), dim, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, std::optional<int64_t> dim,
                             int64_t edge_order) {
  const DimVector dims = checked_dims(self, one_dim(dim), spacing.size(), edge_order);
  return all(dims, [&](int64_t d, size_t i) { return along_grid(self, d, spacing[i], edge_order); });
}

std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim,
                             int64_t edge_order) {
  const DimVector dims = checked_dims(self, dim, spacing.size(), edge_order);
  return all(dims, [&](int64_t d, size_t i) { return along_grid(self, d, spacing[i], edge_order); });
}

std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<int64_t> dim,
                             int64_t edge_order) {
  const DimVector dims = checked_dims(self, one_dim(dim), spacing.size(), edge_order);
  return along_all_coordinates(self, spacing, dims, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArrayRef dim, int64_t edge_order) {
  const DimVector dims = checked_dims(self, dim, spacing.size(), edge_order);
  return along_all_coordinates(self, spacing, dims, edge_order);
}

}  // namespace at::native
