// affine_grid_generator: the images of the pixels' (voxels') centers under affine maps.
#include <ATen/core/Tensor.h>

#include <ATen/ops/affine_grid_generator_backward_native.h>
#include <ATen/ops/affine_grid_generator_native.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros.h>

#include <vector>

namespace at::native {

namespace {

void check_size(IntArrayRef size) {
  TORCH_CHECK(size.size() == 4 || size.size() == 5,
              "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs, got size ", size);
  for (const int64_t n : size) {
    TORCH_CHECK(n >= 0, "affine_grid_generator(): Trying to create tensor with negative dimension ", n, ": ",
                size);
  }
}

// The coordinates of n positions between -1 and 1, which are the outermost centers or the outer edges.
Tensor coordinates(int64_t n, bool align_corners, const TensorOptions& options) {
  if (n <= 1) return at::zeros({n}, options);
  const Tensor places = at::arange(n, options);
  return align_corners ? places.mul(2.0 / static_cast<double>(n - 1)).sub(1)
                       : places.mul(2.0 / static_cast<double>(n)).sub(1 - 1.0 / static_cast<double>(n));
}

// Rows [x, y[, z], 1] for all positions, expanded to the batch.
Tensor homogeneous_places(IntArrayRef size, bool align_corners, const TensorOptions& options) {
  const IntArrayRef space = size.slice(2);
  std::vector<Tensor> parts;
  for (size_t i = 0; i < space.size(); ++i) {
    const size_t dim = space.size() - 1 - i;
    Tensor part = coordinates(space[dim], align_corners, options);
    for (size_t after = 0; after < i; ++after) part = part.unsqueeze(-1);
    parts.push_back(part.expand(space));
  }
  parts.push_back(at::ones(space, options));
  int64_t places = 1;
  for (const int64_t n : space) places *= n;
  const auto columns = static_cast<int64_t>(space.size()) + 1;
  return at::stack(parts, -1).view({1, places, columns}).expand({size[0], places, columns});
}

}  // namespace

Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners) {
  check_size(size);
  const auto axes = static_cast<int64_t>(size.size()) - 2;
  TORCH_CHECK(theta.dim() == 3 && theta.sizes()[0] == size[0] && theta.sizes()[1] == axes &&
                  theta.sizes()[2] == axes + 1,
              "affine_grid_generator(): expected theta of sizes [", size[0], ", ", axes, ", ", axes + 1,
              "] for size ", size, ", got ", theta.sizes());
  DimVector shape{size[0]};
  for (const int64_t n : size.slice(2)) shape.push_back(n);
  shape.push_back(axes);
  return at::bmm(homogeneous_places(size, align_corners, theta.options()), theta.transpose(1, 2)).view(shape);
}

Tensor affine_grid_generator_backward(const Tensor& grad, IntArrayRef size, bool align_corners) {
  check_size(size);
  const auto axes = static_cast<int64_t>(size.size()) - 2;
  TORCH_CHECK(grad.dim() == axes + 2 && grad.sizes().back() == axes && grad.sizes()[0] == size[0] &&
                  grad.sizes().slice(1, axes) == size.slice(2),
              "affine_grid_generator_backward(): expected the gradient of a grid for size ", size,
              ", got one of ", grad.sizes());
  const Tensor places = homogeneous_places(size, align_corners, grad.options());
  const Tensor points = grad.reshape({size[0], places.sizes()[1], axes});
  return places.transpose(1, 2).bmm(points).transpose(1, 2);
}

}  // namespace at::native
