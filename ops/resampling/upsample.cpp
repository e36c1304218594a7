// Upsampling and its gradients around the devices' kernels: an operator is a rule for positions and weights
// along each axis.
#include <ATen/core/Tensor.h>
#include <ATen/native/DenseFormat.h>
#include <ATen/native/resampling/stubs.h>

#include <ATen/ops/_upsample_bicubic2d_aa_backward_native.h>
#include <ATen/ops/_upsample_bicubic2d_aa_native.h>
#include <ATen/ops/_upsample_bilinear2d_aa_backward_native.h>
#include <ATen/ops/_upsample_bilinear2d_aa_native.h>
#include <ATen/ops/_upsample_nearest_exact1d_backward_native.h>
#include <ATen/ops/_upsample_nearest_exact1d_native.h>
#include <ATen/ops/_upsample_nearest_exact2d_backward_native.h>
#include <ATen/ops/_upsample_nearest_exact2d_native.h>
#include <ATen/ops/_upsample_nearest_exact3d_backward_native.h>
#include <ATen/ops/_upsample_nearest_exact3d_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/upsample_bicubic2d_backward_native.h>
#include <ATen/ops/upsample_bicubic2d_native.h>
#include <ATen/ops/upsample_bilinear2d_backward_native.h>
#include <ATen/ops/upsample_bilinear2d_native.h>
#include <ATen/ops/upsample_linear1d_backward_native.h>
#include <ATen/ops/upsample_linear1d_native.h>
#include <ATen/ops/upsample_nearest1d_backward_native.h>
#include <ATen/ops/upsample_nearest1d_native.h>
#include <ATen/ops/upsample_nearest2d_backward_native.h>
#include <ATen/ops/upsample_nearest2d_native.h>
#include <ATen/ops/upsample_nearest3d_backward_native.h>
#include <ATen/ops/upsample_nearest3d_native.h>
#include <ATen/ops/upsample_trilinear3d_backward_native.h>
#include <ATen/ops/upsample_trilinear3d_native.h>

#include <array>
#include <utility>

namespace at::native {

DEFINE_DISPATCH(resample_stub);
DEFINE_DISPATCH(resample_bytes_stub);
DEFINE_DISPATCH(pick_stub);

namespace {

template <size_t axes>
using Factors = std::array<std::optional<double>, axes>;

// For a result in that memory format: channels are runs of elements in channels-last tensors, further blocks
// in others.
ResamplePlan make_plan(IntArrayRef sizes, MemoryFormat format) {
  ResamplePlan plan;
  const bool channels_last = format != MemoryFormat::Contiguous;
  plan.outer = channels_last ? sizes[0] : sizes[0] * sizes[1];
  plan.inner = channels_last ? sizes[1] : 1;
  return plan;
}

bool is_nearest(UpsampleMode mode) {
  return mode == UpsampleMode::Nearest || mode == UpsampleMode::NearestExact;
}

// Images that double or keep their size use the sizes' ratio, whatever the given factor was before rounding.
UpsampleScale make_scale(UpsampleMode mode, bool align_corners, std::optional<double> factor, int64_t input,
                         int64_t output, size_t axes) {
  const bool by_size = mode == UpsampleMode::Nearest && axes == 2 && (output == input || output == 2 * input);
  return {align_corners, by_size ? std::nullopt : factor};
}

void run(UpsampleMode mode, const Tensor& output, const Tensor& input, const ResamplePlan& plan,
         size_t axes) {
  const ScalarType dtype = input.scalar_type();
  const auto device = input.device().type();
  const bool bytes = dtype == kByte;
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(dtype) || (bytes && (is_nearest(mode) || axes == 2)),
                              "\"upsample\" not implemented for '", dtype, "'");
  if (is_nearest(mode)) return pick_stub(device, output, input, plan);
  if (bytes) return resample_bytes_stub(device, output, input, plan);
  resample_stub(device, output, input, plan);
}

template <size_t axes>
void upsample(UpsampleMode mode, const Tensor& self, bool align_corners, const Factors<axes>& factors,
              const Tensor& out) {
  if (out.numel() == 0) return;
  const auto format = dense_format(out);
  const auto order = format.value_or(MemoryFormat::Contiguous);
  const Tensor dense = format ? out : at::empty_like(out, MemoryFormat::Contiguous);
  ResamplePlan plan = make_plan(out.sizes(), order);
  for (size_t i = 0; i < axes; ++i) {
    const int64_t from = self.sizes()[i + 2], to = out.sizes()[i + 2];
    plan.axes[max_upsample_axes - axes + i] = make_resample_rule(
        mode, from, to, make_scale(mode, align_corners, factors[i], from, to, axes), self.scalar_type());
  }
  run(mode, dense, self.contiguous(order), plan, axes);
  if (!format) out.copy_(dense);
}

template <size_t axes>
void upsample_gradient(UpsampleMode mode, const Tensor& grad_output, bool align_corners,
                       const Factors<axes>& factors, const Tensor& grad_input) {
  if (grad_input.numel() == 0) return;
  const auto format = dense_format(grad_input);
  const auto order = format.value_or(MemoryFormat::Contiguous);
  const Tensor dense = format ? grad_input : at::empty_like(grad_input, MemoryFormat::Contiguous);
  ResamplePlan plan = make_plan(grad_input.sizes(), order);
  plan.is_gradient = true;
  for (size_t i = 0; i < axes; ++i) {
    const int64_t from = grad_input.sizes()[i + 2], to = grad_output.sizes()[i + 2];
    const UpsampleScale scale = make_scale(mode, align_corners, factors[i], from, to, axes);
    plan.axes[max_upsample_axes - axes + i] =
        make_resample_rule(mode, from, to, scale, grad_output.scalar_type());
  }
  resample_stub(grad_output.device().type(), dense, grad_output.contiguous(order), plan);
  if (!format) grad_input.copy_(dense);
}

}  // namespace

// -------------------- nearest neighbours

TORCH_IMPL_FUNC(upsample_nearest1d_out)
(const Tensor& self, IntArrayRef /*output_size*/, std::optional<double> scales, const Tensor& out) {
  upsample<1>(UpsampleMode::Nearest, self, false, {scales}, out);
}

TORCH_IMPL_FUNC(upsample_nearest1d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/,
 std::optional<double> scales, const Tensor& grad_input) {
  upsample_gradient<1>(UpsampleMode::Nearest, grad_output, false, {scales}, grad_input);
}

TORCH_IMPL_FUNC(upsample_nearest2d_out)
(const Tensor& self, IntArrayRef /*output_size*/, std::optional<double> scales_h,
 std::optional<double> scales_w, const Tensor& out) {
  upsample<2>(UpsampleMode::Nearest, self, false, {scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(upsample_nearest2d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& grad_input) {
  upsample_gradient<2>(UpsampleMode::Nearest, grad_output, false, {scales_h, scales_w}, grad_input);
}

TORCH_IMPL_FUNC(upsample_nearest3d_out)
(const Tensor& self, IntArrayRef /*output_size*/, std::optional<double> scales_d,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  upsample<3>(UpsampleMode::Nearest, self, false, {scales_d, scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(upsample_nearest3d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/,
 std::optional<double> scales_d, std::optional<double> scales_h, std::optional<double> scales_w,
 const Tensor& grad_input) {
  upsample_gradient<3>(UpsampleMode::Nearest, grad_output, false, {scales_d, scales_h, scales_w}, grad_input);
}

// -------------------- nearest neighbours of the centers

TORCH_IMPL_FUNC(_upsample_nearest_exact1d_out)
(const Tensor& self, IntArrayRef /*output_size*/, std::optional<double> scales, const Tensor& out) {
  upsample<1>(UpsampleMode::NearestExact, self, false, {scales}, out);
}

TORCH_IMPL_FUNC(_upsample_nearest_exact1d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/,
 std::optional<double> scales, const Tensor& grad_input) {
  upsample_gradient<1>(UpsampleMode::NearestExact, grad_output, false, {scales}, grad_input);
}

TORCH_IMPL_FUNC(_upsample_nearest_exact2d_out)
(const Tensor& self, IntArrayRef /*output_size*/, std::optional<double> scales_h,
 std::optional<double> scales_w, const Tensor& out) {
  upsample<2>(UpsampleMode::NearestExact, self, false, {scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(_upsample_nearest_exact2d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& grad_input) {
  upsample_gradient<2>(UpsampleMode::NearestExact, grad_output, false, {scales_h, scales_w}, grad_input);
}

TORCH_IMPL_FUNC(_upsample_nearest_exact3d_out)
(const Tensor& self, IntArrayRef /*output_size*/, std::optional<double> scales_d,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  upsample<3>(UpsampleMode::NearestExact, self, false, {scales_d, scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(_upsample_nearest_exact3d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/,
 std::optional<double> scales_d, std::optional<double> scales_h, std::optional<double> scales_w,
 const Tensor& grad_input) {
  upsample_gradient<3>(UpsampleMode::NearestExact, grad_output, false, {scales_d, scales_h, scales_w},
                       grad_input);
}

// -------------------- linear

TORCH_IMPL_FUNC(upsample_linear1d_out)
(const Tensor& self, IntArrayRef /*output_size*/, bool align_corners, std::optional<double> scales,
 const Tensor& out) {
  upsample<1>(UpsampleMode::Linear, self, align_corners, {scales}, out);
}

TORCH_IMPL_FUNC(upsample_linear1d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/, bool align_corners,
 std::optional<double> scales, const Tensor& grad_input) {
  upsample_gradient<1>(UpsampleMode::Linear, grad_output, align_corners, {scales}, grad_input);
}

TORCH_IMPL_FUNC(upsample_bilinear2d_out)
(const Tensor& self, IntArrayRef /*output_size*/, bool align_corners, std::optional<double> scales_h,
 std::optional<double> scales_w, const Tensor& out) {
  upsample<2>(UpsampleMode::Linear, self, align_corners, {scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(upsample_bilinear2d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/, bool align_corners,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& grad_input) {
  upsample_gradient<2>(UpsampleMode::Linear, grad_output, align_corners, {scales_h, scales_w}, grad_input);
}

TORCH_IMPL_FUNC(upsample_trilinear3d_out)
(const Tensor& self, IntArrayRef /*output_size*/, bool align_corners, std::optional<double> scales_d,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  upsample<3>(UpsampleMode::Linear, self, align_corners, {scales_d, scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(upsample_trilinear3d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/, bool align_corners,
 std::optional<double> scales_d, std::optional<double> scales_h, std::optional<double> scales_w,
 const Tensor& grad_input) {
  upsample_gradient<3>(UpsampleMode::Linear, grad_output, align_corners, {scales_d, scales_h, scales_w},
                       grad_input);
}

// -------------------- cubic

TORCH_IMPL_FUNC(upsample_bicubic2d_out)
(const Tensor& self, IntArrayRef /*output_size*/, bool align_corners, std::optional<double> scales_h,
 std::optional<double> scales_w, const Tensor& out) {
  upsample<2>(UpsampleMode::Cubic, self, align_corners, {scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(upsample_bicubic2d_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/, bool align_corners,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& grad_input) {
  upsample_gradient<2>(UpsampleMode::Cubic, grad_output, align_corners, {scales_h, scales_w}, grad_input);
}

// -------------------- with antialiasing

TORCH_IMPL_FUNC(_upsample_bilinear2d_aa_out)
(const Tensor& self, IntArrayRef /*output_size*/, bool align_corners, std::optional<double> scales_h,
 std::optional<double> scales_w, const Tensor& out) {
  upsample<2>(UpsampleMode::LinearAntialias, self, align_corners, {scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(_upsample_bilinear2d_aa_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/, bool align_corners,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& grad_input) {
  upsample_gradient<2>(UpsampleMode::LinearAntialias, grad_output, align_corners, {scales_h, scales_w},
                       grad_input);
}

TORCH_IMPL_FUNC(_upsample_bicubic2d_aa_out)
(const Tensor& self, IntArrayRef /*output_size*/, bool align_corners, std::optional<double> scales_h,
 std::optional<double> scales_w, const Tensor& out) {
  upsample<2>(UpsampleMode::CubicAntialias, self, align_corners, {scales_h, scales_w}, out);
}

TORCH_IMPL_FUNC(_upsample_bicubic2d_aa_backward_out)
(const Tensor& grad_output, IntArrayRef /*output_size*/, IntArrayRef /*input_size*/, bool align_corners,
 std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& grad_input) {
  upsample_gradient<2>(UpsampleMode::CubicAntialias, grad_output, align_corners, {scales_h, scales_w},
                       grad_input);
}

}  // namespace at::native
