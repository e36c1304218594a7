// The `.vec` overloads of upsampling: by a size or by factors, whichever is given.
#include <ATen/core/Tensor.h>
#include <c10/util/OptionalArrayRef.h>

#include <ATen/ops/_upsample_bicubic2d_aa.h>
#include <ATen/ops/_upsample_bicubic2d_aa_native.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/_upsample_bilinear2d_aa_native.h>
#include <ATen/ops/_upsample_nearest_exact1d.h>
#include <ATen/ops/_upsample_nearest_exact1d_native.h>
#include <ATen/ops/_upsample_nearest_exact2d.h>
#include <ATen/ops/_upsample_nearest_exact2d_native.h>
#include <ATen/ops/_upsample_nearest_exact3d.h>
#include <ATen/ops/_upsample_nearest_exact3d_native.h>
#include <ATen/ops/upsample_bicubic2d.h>
#include <ATen/ops/upsample_bicubic2d_native.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_bilinear2d_native.h>
#include <ATen/ops/upsample_linear1d.h>
#include <ATen/ops/upsample_linear1d_native.h>
#include <ATen/ops/upsample_nearest1d.h>
#include <ATen/ops/upsample_nearest1d_native.h>
#include <ATen/ops/upsample_nearest2d.h>
#include <ATen/ops/upsample_nearest2d_native.h>
#include <ATen/ops/upsample_nearest3d.h>
#include <ATen/ops/upsample_nearest3d_native.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <ATen/ops/upsample_trilinear3d_native.h>

#include <optional>

namespace at::native {

namespace {

using ScaleFactors = std::optional<ArrayRef<double>>;

DimVector output_size_of(const Tensor& input, OptionalIntArrayRef output_size, const ScaleFactors& factors,
                         size_t axes) {
  TORCH_CHECK(output_size.has_value() != factors.has_value(),
              "Must specify exactly one of output_size and scale_factors");
  TORCH_CHECK(static_cast<size_t>(input.dim()) == axes + 2, "Expected an input of ", axes + 2,
              " dimensions: batch, channels and ", axes, " to be resampled; got ", input.sizes());
  const size_t given = output_size ? output_size->size() : factors->size();
  TORCH_CHECK(given == axes, "Expected ", axes, output_size ? " output sizes" : " scale factors", ", got ",
              given);
  if (output_size) return DimVector(output_size->begin(), output_size->end());
  DimVector sizes;
  for (size_t i = 0; i < axes; ++i) {
    const double size = static_cast<double>(input.sizes()[i + 2]) * (*factors)[i];
    TORCH_CHECK(size > -9e18 && size < 9e18, "The scale factor ", (*factors)[i], " makes dimension ", i + 2,
                " of size ", input.sizes()[i + 2], " too large");
    sizes.push_back(static_cast<int64_t>(size));
  }
  return sizes;
}

std::optional<double> factor(const ScaleFactors& factors, size_t axis) {
  return factors ? std::optional<double>((*factors)[axis]) : std::nullopt;
}

}  // namespace

Tensor upsample_nearest1d(const Tensor& input, OptionalIntArrayRef output_size, ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 1);
  return at::upsample_nearest1d(input, size, factor(scale_factors, 0));
}

Tensor upsample_nearest2d(const Tensor& input, OptionalIntArrayRef output_size, ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 2);
  return at::upsample_nearest2d(input, size, factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor upsample_nearest3d(const Tensor& input, OptionalIntArrayRef output_size, ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 3);
  return at::upsample_nearest3d(input, size, factor(scale_factors, 0), factor(scale_factors, 1),
                                factor(scale_factors, 2));
}

Tensor _upsample_nearest_exact1d(const Tensor& input, OptionalIntArrayRef output_size,
                                 ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 1);
  return at::_upsample_nearest_exact1d(input, size, factor(scale_factors, 0));
}

Tensor _upsample_nearest_exact2d(const Tensor& input, OptionalIntArrayRef output_size,
                                 ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 2);
  return at::_upsample_nearest_exact2d(input, size, factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor _upsample_nearest_exact3d(const Tensor& input, OptionalIntArrayRef output_size,
                                 ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 3);
  return at::_upsample_nearest_exact3d(input, size, factor(scale_factors, 0), factor(scale_factors, 1),
                                       factor(scale_factors, 2));
}

Tensor upsample_linear1d(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
                         ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 1);
  return at::upsample_linear1d(input, size, align_corners, factor(scale_factors, 0));
}

Tensor upsample_bilinear2d(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
                           ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 2);
  return at::upsample_bilinear2d(input, size, align_corners, factor(scale_factors, 0),
                                 factor(scale_factors, 1));
}

Tensor upsample_trilinear3d(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
                            ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 3);
  return at::upsample_trilinear3d(input, size, align_corners, factor(scale_factors, 0),
                                  factor(scale_factors, 1), factor(scale_factors, 2));
}

Tensor upsample_bicubic2d(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
                          ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 2);
  return at::upsample_bicubic2d(input, size, align_corners, factor(scale_factors, 0),
                                factor(scale_factors, 1));
}

Tensor _upsample_bilinear2d_aa(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
                               ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 2);
  return at::_upsample_bilinear2d_aa(input, size, align_corners, factor(scale_factors, 0),
                                     factor(scale_factors, 1));
}

Tensor _upsample_bicubic2d_aa(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,
                              ScaleFactors scale_factors) {
  const DimVector size = output_size_of(input, output_size, scale_factors, 2);
  return at::_upsample_bicubic2d_aa(input, size, align_corners, factor(scale_factors, 0),
                                    factor(scale_factors, 1));
}

}  // namespace at::native
