// grid_sampler around the devices' kernels.
#include <ATen/core/Tensor.h>
#include <ATen/native/resampling/grid_sampler.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/grid_sampler_2d.h>
#include <ATen/ops/grid_sampler_2d_backward_native.h>
#include <ATen/ops/grid_sampler_2d_native.h>
#include <ATen/ops/grid_sampler_3d.h>
#include <ATen/ops/grid_sampler_3d_backward_native.h>
#include <ATen/ops/grid_sampler_3d_native.h>
#include <ATen/ops/grid_sampler_native.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <limits>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(grid_sampler_stub);
DEFINE_DISPATCH(grid_sampler_backward_stub);

namespace {

void check_shapes(const Tensor& input, const Tensor& grid) {
  TORCH_CHECK(
      input.dim() == grid.dim() && input.dim() >= 3,
      "grid_sampler(): expected input and grid to have the same number of dimensions, but got input with "
      "sizes ",
      input.sizes(), " and grid with sizes ", grid.sizes());
  TORCH_CHECK(input.sizes()[0] == grid.sizes()[0],
              "grid_sampler(): expected grid and input to have same batch size, but got input with sizes ",
              input.sizes(), " and grid with sizes ", grid.sizes());
  TORCH_CHECK(grid.sizes().back() == input.dim() - 2, "grid_sampler(): expected grid to have size ",
              input.dim() - 2, " in last dimension, but got grid with sizes ", grid.sizes());
  int64_t plane = 1;
  for (int64_t d = 2; d < input.dim(); ++d) {
    TORCH_CHECK(input.sizes()[d] > 0,
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ",
                input.sizes(), " with dimension ", d, " being empty");
    TORCH_CHECK(!__builtin_mul_overflow(plane, input.sizes()[d], &plane) &&
                    plane < std::numeric_limits<int32_t>::max(),
                "grid_sampler(): inputs of 2^31 elements a channel and more are not supported, got sizes ",
                input.sizes());
  }
}

void check_operands(const Tensor& input, const Tensor& grid, int64_t dim) {
  TORCH_CHECK(input.dim() == dim && grid.dim() == dim, "grid_sampler_", dim - 2, "d(): expected ", dim,
              "D input and grid, but got input with sizes ", input.sizes(), " and grid with sizes ",
              grid.sizes());
  check_shapes(input, grid);
  TORCH_CHECK(input.device() == grid.device(),
              "grid_sampler(): expected input and grid to be on same device, but input is on ",
              input.device(), " and grid is on ", grid.device());
  TORCH_CHECK(input.scalar_type() == grid.scalar_type(), "grid_sampler(): expected scalar type ",
              input.scalar_type(), " for grid, that of input, but found ", grid.scalar_type());
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(input.scalar_type()), "\"grid_sampler\" not implemented for '",
                              input.scalar_type(), "'");
}

GridSampling make_sampling(int64_t interpolation, int64_t padding, bool align_corners, int64_t dim) {
  TORCH_CHECK(interpolation >= 0 && interpolation <= 2, "grid_sampler(): interpolation_mode ", interpolation,
              " is none of 0 (bilinear), 1 (nearest), 2 (bicubic)");
  TORCH_CHECK(padding >= 0 && padding <= 2, "grid_sampler(): padding_mode ", padding,
              " is none of 0 (zeros), 1 (border), 2 (reflection)");
  const auto mode = static_cast<GridSamplerInterpolation>(interpolation);
  TORCH_CHECK(dim == 4 || mode != GridSamplerInterpolation::Bicubic,
              "grid_sampler(): bicubic interpolation only supports 4D input");
  return {mode, static_cast<GridSamplerPadding>(padding), align_corners};
}

DimVector sampled_size(const Tensor& input, const Tensor& grid) {
  DimVector size{input.sizes()[0], input.sizes()[1]};
  for (int64_t d = 1; d + 1 < grid.dim(); ++d) size.push_back(grid.sizes()[d]);
  return size;
}

Tensor sample(const Tensor& input, const Tensor& grid, int64_t interpolation, int64_t padding,
              bool align_corners, int64_t dim) {
  check_operands(input, grid, dim);
  const GridSampling sampling = make_sampling(interpolation, padding, align_corners, dim);
  const Tensor output = at::empty(sampled_size(input, grid), input.options());
  if (output.is_meta() || output.numel() == 0) return output;
  grid_sampler_stub(input.device().type(), output, input.contiguous(), grid.contiguous(), sampling);
  return output;
}

std::tuple<Tensor, Tensor> gradients(const Tensor& grad_output, const Tensor& input, const Tensor& grid,
                                     int64_t interpolation, int64_t padding, bool align_corners, int64_t dim,
                                     bool wants_input) {
  check_operands(input, grid, dim);
  const GridSampling sampling = make_sampling(interpolation, padding, align_corners, dim);
  const DimVector expected = sampled_size(input, grid);
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(expected),
              "grid_sampler_backward(): expected grad_output of sizes ", IntArrayRef(expected), ", but got ",
              grad_output.sizes());
  TORCH_CHECK(grad_output.scalar_type() == input.scalar_type(),
              "grid_sampler_backward(): expected scalar type ", input.scalar_type(),
              " for grad_output but found ", grad_output.scalar_type());
  const Tensor grad_input = wants_input ? at::zeros_like(input, MemoryFormat::Contiguous) : Tensor();
  const Tensor grad_grid = at::empty_like(grid, MemoryFormat::Contiguous);
  if (grad_grid.is_meta() || grad_grid.numel() == 0) return {grad_input, grad_grid};
  grid_sampler_backward_stub(input.device().type(), grad_input, grad_grid, grad_output.contiguous(),
                             input.contiguous(), grid.contiguous(), sampling);
  return {grad_input, grad_grid};
}

}  // namespace

Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners) {
  check_shapes(input, grid);
  TORCH_CHECK(input.dim() == 4 || input.dim() == 5, "grid_sampler(): expected 4D or 5D input, but got sizes ",
              input.sizes());
  return input.dim() == 4 ? at::grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners)
                          : at::grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners);
}

Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                       int64_t padding_mode, bool align_corners) {
  return sample(input, grid, interpolation_mode, padding_mode, align_corners, 4);
}

Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                       int64_t padding_mode, bool align_corners) {
  return sample(input, grid, interpolation_mode, padding_mode, align_corners, 5);
}

std::tuple<Tensor, Tensor> grid_sampler_2d_backward(const Tensor& grad_output, const Tensor& input,
                                                    const Tensor& grid, int64_t interpolation_mode,
                                                    int64_t padding_mode, bool align_corners,
                                                    std::array<bool, 2> output_mask) {
  return gradients(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, 4,
                   output_mask[0]);
}

std::tuple<Tensor, Tensor> grid_sampler_3d_backward(const Tensor& grad_output, const Tensor& input,
                                                    const Tensor& grid, int64_t interpolation_mode,
                                                    int64_t padding_mode, bool align_corners,
                                                    std::array<bool, 2> output_mask) {
  return gradients(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, 5,
                   output_mask[0]);
}

}  // namespace at::native
