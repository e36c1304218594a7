// Batch and group normalisation on the Meta device: checks and shapes without values.

#include <ATen/core/Tensor.h>
#include <ATen/native/normalization/batch_norm.h>
#include <ATen/native/normalization/group_norm.h>

#include <ATen/ops/batch_norm_update_stats_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_batch_norm_backward_native.h>
#include <ATen/ops/native_batch_norm_native.h>
#include <ATen/ops/native_group_norm_backward_native.h>
#include <ATen/ops/native_group_norm_native.h>

#include <array>
#include <tuple>

namespace at::native {

namespace {

using OptionalTensor = std::optional<Tensor>;

Tensor defined_or_not(const OptionalTensor& t) { return t.value_or(Tensor()); }

Tensor vector_of(int64_t n, const Tensor& input, ScalarType dtype) {
  return at::empty({n}, input.options().dtype(dtype));
}

// The gradients of an input and of its channels' parameters.
std::tuple<Tensor, Tensor, Tensor> gradients(const Tensor& input, MemoryFormat format, int64_t channels,
                                             ScalarType dtype, std::array<bool, 3> output_mask) {
  const auto of_channels = [&](bool wanted) { return wanted ? vector_of(channels, input, dtype) : Tensor(); };
  return {output_mask[0] ? at::empty_like(input, format) : Tensor(), of_channels(output_mask[1]),
          of_channels(output_mask[2])};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> batch_norm_meta(const Tensor& input, const OptionalTensor& weight,
                                                   const OptionalTensor& bias,
                                                   const OptionalTensor& running_mean,
                                                   const OptionalTensor& running_var, bool train,
                                                   double /*momentum*/, double /*eps*/) {
  const BatchNormTraits traits =
      check_batch_norm(input, defined_or_not(weight), defined_or_not(bias), defined_or_not(running_mean),
                       defined_or_not(running_var), train);
  const int64_t saved = train ? traits.channels : 0;
  return {at::empty_like(input, traits.format), vector_of(saved, input, traits.dtype),
          vector_of(saved, input, traits.dtype)};
}

std::tuple<Tensor, Tensor> batch_norm_update_stats_meta(const Tensor& input,
                                                        const OptionalTensor& running_mean,
                                                        const OptionalTensor& running_var,
                                                        double /*momentum*/) {
  const BatchNormTraits traits = check_batch_norm(input, {}, {}, defined_or_not(running_mean),
                                                  defined_or_not(running_var), /*train=*/true);
  return {vector_of(traits.channels, input, traits.dtype), vector_of(traits.channels, input, traits.dtype)};
}

std::tuple<Tensor, Tensor, Tensor> batch_norm_backward_meta(
    const Tensor& grad_out, const Tensor& input, const OptionalTensor& weight,
    const OptionalTensor& running_mean, const OptionalTensor& running_var, const OptionalTensor& save_mean,
    const OptionalTensor& save_invstd, bool train, double /*eps*/, std::array<bool, 3> output_mask) {
  const BatchNormTraits traits = check_batch_norm_backward(
      grad_out, input, defined_or_not(weight), defined_or_not(train ? save_mean : running_mean),
      defined_or_not(train ? save_invstd : running_var), train);
  return gradients(input, traits.format, traits.channels, traits.dtype, output_mask);
}

std::tuple<Tensor, Tensor, Tensor> group_norm_meta(const Tensor& input, const OptionalTensor& weight_opt,
                                                   const OptionalTensor& bias_opt, int64_t N, int64_t C,
                                                   int64_t HxW, int64_t group, double /*eps*/) {
  const Tensor weight = defined_or_not(weight_opt), bias = defined_or_not(bias_opt);
  const GroupNormShape shape =
      check_group_norm(input, N, C, HxW, group, norm_parameter_dtype(input, {&weight, &bias}));
  check_group_norm_parameter("weight", weight, C, input);
  check_group_norm_parameter("bias", bias, C, input);
  const TensorOptions options = input.options().dtype(shape.dtype);
  return {at::empty_like(input, shape.format), at::empty({N, group}, options),
          at::empty({N, group}, options)};
}

std::tuple<Tensor, Tensor, Tensor> group_norm_backward_meta(const Tensor& grad_out, const Tensor& input,
                                                            const Tensor& mean, const Tensor& rstd,
                                                            const OptionalTensor& weight_opt, int64_t N,
                                                            int64_t C, int64_t HxW, int64_t group,
                                                            std::array<bool, 3> output_mask) {
  const Tensor weight = defined_or_not(weight_opt);
  const GroupNormShape shape =
      check_group_norm(input, N, C, HxW, group, norm_parameter_dtype(input, {&weight, &mean, &rstd}));
  check_group_norm_gradient(grad_out, input, mean, rstd, shape);
  check_group_norm_parameter("weight", weight, C, input);
  return gradients(input, shape.format, C, shape.dtype, output_mask);
}

}  // namespace at::native
