// The argument checks of batch normalisation, shared by all its kernels.
#pragma once

#include <ATen/native/normalization/channel_shape.h>
#include <ATen/native/normalization/parameters.h>

#include <algorithm>
#include <cstdint>

namespace at::native {

struct BatchNormTraits {
  int64_t channels;
  ScalarType dtype;     // of parameters and statistics
  MemoryFormat format;  // of input and output
};

inline void check_batch_norm_parameter(const char* name, const TensorBase& parameter, int64_t channels) {
  TORCH_CHECK(!parameter.defined() || parameter.numel() == channels, name, " should contain ", channels,
              " elements not ", parameter.defined() ? parameter.numel() : 0);
}

/// The first format in which the input is contiguous, whatever the strides of dimensions of size 1 are;
/// otherwise the one that its strides suggest.
inline MemoryFormat batch_norm_format(const TensorBase& input) {
  for (const auto format :
       {MemoryFormat::Contiguous, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d}) {
    if (input.is_contiguous(format)) return format;
  }
  return input.suggest_memory_format();
}

/// What follows from the input alone; `dtype` is that of parameters and statistics.
inline BatchNormTraits batch_norm_traits(const TensorBase& input, ScalarType dtype) {
  TORCH_CHECK_INDEX(input.dim() >= 2, "batch_norm: expected an input of at least 2 dimensions, the channels ",
                    "being dimension 1, but got shape ", input.sizes());
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(input.scalar_type()), "\"batch_norm\" not implemented for '",
                              input.scalar_type(), "'");
  return {input.size(1), dtype, batch_norm_format(input)};
}

/// Of an input in the memory format of its traits.
inline ChannelShape channel_shape(const TensorBase& input, const BatchNormTraits& traits) {
  const int64_t rows = input.size(0);
  const int64_t inner = input.numel() / std::max<int64_t>(1, rows * traits.channels);
  if (traits.format == MemoryFormat::Contiguous) return {1, rows, traits.channels, inner};
  return {1, rows * inner, traits.channels, 1};
}

/// Running statistics that are written to, or normalised with.
inline void check_running_statistics(const TensorBase& mean, const TensorBase& var, int64_t channels) {
  TORCH_CHECK_VALUE(mean.defined() == var.defined(),
                    "running_mean and running_var must either both be None or neither be None");
  check_batch_norm_parameter("running_mean", mean, channels);
  check_batch_norm_parameter("running_var", var, channels);
}

inline BatchNormTraits check_batch_norm(const TensorBase& input, const TensorBase& weight,
                                        const TensorBase& bias, const TensorBase& running_mean,
                                        const TensorBase& running_var, bool train) {
  const BatchNormTraits traits =
      batch_norm_traits(input, norm_parameter_dtype(input, {&weight, &bias, &running_mean, &running_var}));
  check_running_statistics(running_mean, running_var, traits.channels);
  check_batch_norm_parameter("weight", weight, traits.channels);
  check_batch_norm_parameter("bias", bias, traits.channels);
  TORCH_CHECK(train || running_mean.defined(), "running_mean must be defined in evaluation mode");
  TORCH_CHECK(!train || input.numel() > 0, "input tensor must have at least one element, but got ",
              "input_sizes = ", input.sizes());
  return traits;
}

/// Backward: `mean` and `scale` are save_mean and save_invstd in training, running_mean and running_var in
/// evaluation.
inline BatchNormTraits check_batch_norm_backward(const TensorBase& grad, const TensorBase& input,
                                                 const TensorBase& weight, const TensorBase& mean,
                                                 const TensorBase& scale, bool train) {
  const BatchNormTraits traits =
      batch_norm_traits(input, norm_parameter_dtype(input, {&weight, &mean, &scale}));
  TORCH_CHECK(grad.sizes() == input.sizes(), "batch_norm_backward: expected grad_out to be of the input's ",
              "shape ", input.sizes(), ", but got ", grad.sizes());
  TORCH_CHECK(grad.scalar_type() == input.scalar_type(), "batch_norm_backward: expected grad_out to have ",
              "the input's dtype ", input.scalar_type(), ", but got ", grad.scalar_type());
  TORCH_CHECK(mean.defined() && scale.defined(), "batch_norm_backward: ",
              train ? "save_mean and save_invstd must be defined in training"
                    : "running_mean and running_var must be defined in evaluation mode");
  check_batch_norm_parameter(train ? "save_mean" : "running_mean", mean, traits.channels);
  check_batch_norm_parameter(train ? "save_invstd" : "running_var", scale, traits.channels);
  check_batch_norm_parameter("weight", weight, traits.channels);
  return traits;
}

}  // namespace at::native
