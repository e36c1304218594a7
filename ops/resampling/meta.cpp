// Meta functions of upsampling and its gradients.
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/_upsample_bicubic2d_aa_backward_meta.h>
#include <ATen/ops/_upsample_bicubic2d_aa_meta.h>
#include <ATen/ops/_upsample_bilinear2d_aa_backward_meta.h>
#include <ATen/ops/_upsample_bilinear2d_aa_meta.h>
#include <ATen/ops/_upsample_nearest_exact1d_backward_meta.h>
#include <ATen/ops/_upsample_nearest_exact1d_meta.h>
#include <ATen/ops/_upsample_nearest_exact2d_backward_meta.h>
#include <ATen/ops/_upsample_nearest_exact2d_meta.h>
#include <ATen/ops/_upsample_nearest_exact3d_backward_meta.h>
#include <ATen/ops/_upsample_nearest_exact3d_meta.h>
#include <ATen/ops/upsample_bicubic2d_backward_meta.h>
#include <ATen/ops/upsample_bicubic2d_meta.h>
#include <ATen/ops/upsample_bilinear2d_backward_meta.h>
#include <ATen/ops/upsample_bilinear2d_meta.h>
#include <ATen/ops/upsample_linear1d_backward_meta.h>
#include <ATen/ops/upsample_linear1d_meta.h>
#include <ATen/ops/upsample_nearest1d_backward_meta.h>
#include <ATen/ops/upsample_nearest1d_meta.h>
#include <ATen/ops/upsample_nearest2d_backward_meta.h>
#include <ATen/ops/upsample_nearest2d_meta.h>
#include <ATen/ops/upsample_nearest3d_backward_meta.h>
#include <ATen/ops/upsample_nearest3d_meta.h>
#include <ATen/ops/upsample_trilinear3d_backward_meta.h>
#include <ATen/ops/upsample_trilinear3d_meta.h>

#include <algorithm>
#include <optional>

namespace at::meta {

namespace {

// The sizes [batch, channels, output_size...].
DimVector full_size(IntArrayRef input, IntArrayRef output_size, size_t axes) {
  TORCH_CHECK(output_size.size() == axes, "It is expected output_size equals to ", axes, ", but got size ",
              output_size.size());
  TORCH_CHECK(input.size() == axes + 2, "It is expected input_size equals to ", axes + 2, ", but got size ",
              input.size());
  const auto positive = [](IntArrayRef sizes) {
    return std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size > 0; });
  };
  TORCH_CHECK(positive(input.slice(2)) && positive(output_size),
              "Input and output sizes should be greater than 0, but got input ", input.slice(2),
              " and output ", output_size);
  DimVector sizes{input[0], input[1]};
  sizes.append(output_size.begin(), output_size.end());
  return sizes;
}

TensorOptions options_in_format_of(const Tensor& t) {
  return t.options().memory_format(t.suggest_memory_format());
}

DimVector upsampled_size(const Tensor& self, IntArrayRef output_size, size_t axes) {
  TORCH_CHECK(static_cast<size_t>(self.dim()) == axes + 2 && self.sizes()[1] > 0, "Non-empty ", axes + 2,
              "D data tensor expected but got a tensor with sizes ", self.sizes());
  return full_size(self.sizes(), output_size, axes);
}

void check_gradient(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, size_t axes) {
  const DimVector expected = full_size(input_size, output_size, axes);
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(expected),
              "Expected grad_output to have the same shape as output; output.shape = ", IntArrayRef(expected),
              " but got grad_output.shape = ", grad_output.sizes());
}

}  // namespace

TORCH_META_FUNC(upsample_nearest1d)
(const Tensor& self, IntArrayRef output_size, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 1), {}, options_in_format_of(self));
}

TORCH_META_FUNC(upsample_nearest1d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 1);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(upsample_nearest2d)
(const Tensor& self, IntArrayRef output_size, std::optional<double>, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 2), {}, options_in_format_of(self));
}

TORCH_META_FUNC(upsample_nearest2d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, std::optional<double>,
 std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 2);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(upsample_nearest3d)
(const Tensor& self, IntArrayRef output_size, std::optional<double>, std::optional<double>,
 std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 3), {}, options_in_format_of(self));
}

TORCH_META_FUNC(upsample_nearest3d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, std::optional<double>,
 std::optional<double>, std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 3);
  set_output_raw_strided(0, input_size, {}, grad_output.options());  // row-major, whatever the gradient is
}

TORCH_META_FUNC(_upsample_nearest_exact1d)
(const Tensor& self, IntArrayRef output_size, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 1), {}, options_in_format_of(self));
}

TORCH_META_FUNC(_upsample_nearest_exact1d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 1);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(_upsample_nearest_exact2d)
(const Tensor& self, IntArrayRef output_size, std::optional<double>, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 2), {}, options_in_format_of(self));
}

TORCH_META_FUNC(_upsample_nearest_exact2d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, std::optional<double>,
 std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 2);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(_upsample_nearest_exact3d)
(const Tensor& self, IntArrayRef output_size, std::optional<double>, std::optional<double>,
 std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 3), {}, options_in_format_of(self));
}

TORCH_META_FUNC(_upsample_nearest_exact3d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, std::optional<double>,
 std::optional<double>, std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 3);
  set_output_raw_strided(0, input_size, {}, grad_output.options());  // row-major, whatever the gradient is
}

TORCH_META_FUNC(upsample_linear1d)
(const Tensor& self, IntArrayRef output_size, bool, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 1), {}, options_in_format_of(self));
}

TORCH_META_FUNC(upsample_linear1d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool, std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 1);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(upsample_bilinear2d)
(const Tensor& self, IntArrayRef output_size, bool, std::optional<double>, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 2), {}, options_in_format_of(self));
}

TORCH_META_FUNC(upsample_bilinear2d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool, std::optional<double>,
 std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 2);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(upsample_trilinear3d)
(const Tensor& self, IntArrayRef output_size, bool, std::optional<double>, std::optional<double>,
 std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 3), {}, options_in_format_of(self));
}

TORCH_META_FUNC(upsample_trilinear3d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool, std::optional<double>,
 std::optional<double>, std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 3);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(upsample_bicubic2d)
(const Tensor& self, IntArrayRef output_size, bool, std::optional<double>, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 2), {}, options_in_format_of(self));
}

TORCH_META_FUNC(upsample_bicubic2d_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool, std::optional<double>,
 std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 2);
  set_output_raw_strided(0, input_size, {}, grad_output.options());
}

TORCH_META_FUNC(_upsample_bilinear2d_aa)
(const Tensor& self, IntArrayRef output_size, bool, std::optional<double>, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 2), {}, options_in_format_of(self));
}

TORCH_META_FUNC(_upsample_bilinear2d_aa_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool, std::optional<double>,
 std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 2);
  set_output_raw_strided(0, input_size, {}, options_in_format_of(grad_output));
}

TORCH_META_FUNC(_upsample_bicubic2d_aa)
(const Tensor& self, IntArrayRef output_size, bool, std::optional<double>, std::optional<double>) {
  set_output_raw_strided(0, upsampled_size(self, output_size, 2), {}, options_in_format_of(self));
}

TORCH_META_FUNC(_upsample_bicubic2d_aa_backward)
(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size, bool, std::optional<double>,
 std::optional<double>) {
  check_gradient(grad_output, output_size, input_size, 2);
  set_output_raw_strided(0, input_size, {}, grad_output.options());
}

}  // namespace at::meta
