// The argument checks of group normalisation, shared by all its kernels.
#pragma once

#include <ATen/native/normalization/parameters.h>

#include <cstdint>

namespace at::native {

struct GroupNormShape {
  int64_t samples, channels, inner, groups;  // of the input, as samples x channels x inner
  ScalarType dtype;                          // of parameters and statistics
  MemoryFormat format;                       // of input and output

  int64_t elements_per_group() const { return channels / groups * inner; }
};

inline void check_group_norm_parameter(const char* name, const TensorBase& parameter, int64_t channels,
                                       const TensorBase& input) {
  TORCH_CHECK(!parameter.defined() || (parameter.dim() == 1 && parameter.numel() == channels), "Expected ",
              name, " to be a vector of size equal to the number of channels in input, but got ", name,
              " of shape ", parameter.sizes(), " and input of shape ", input.sizes());
}

/// Throws unless `groups` divides the input's channels.
inline void check_group_norm_groups(const TensorBase& input, int64_t channels, int64_t groups) {
  TORCH_CHECK(groups > 0, "Expected num groups to be greater than 0, got ", groups);
  TORCH_CHECK(channels % groups == 0, "Expected number of channels in input to be divisible by num_groups, ",
              "but got input of shape ", input.sizes(), " and num_groups=", groups);
}

inline GroupNormShape check_group_norm(const TensorBase& input, int64_t samples, int64_t channels,
                                       int64_t inner, int64_t groups, ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(input.scalar_type()), "\"GroupNorm\" not implemented for '",
                              input.scalar_type(), "'");
  check_group_norm_groups(input, channels, groups);
  const bool as_it_lies = input.dim() >= 2 && input.size(0) == samples && input.size(1) == channels;
  int64_t numbers = 0, statistics = 0;
  const bool fits = samples >= 0 && channels >= 0 && inner >= 0 &&
                    !__builtin_mul_overflow(samples, channels, &numbers) &&
                    !__builtin_mul_overflow(numbers, inner, &numbers) &&
                    !__builtin_mul_overflow(samples, groups, &statistics);
  TORCH_CHECK(fits && numbers == input.numel() && (numbers > 0 || as_it_lies),
              "Expected an input of N * C * HxW elements, but got shape ", input.sizes(), " with N=", samples,
              ", C=", channels, " and HxW=", inner);
  const MemoryFormat format = input.suggest_memory_format();
  return {samples, channels, inner, groups, dtype, as_it_lies ? format : MemoryFormat::Contiguous};
}

/// The further arguments of the backward pass: a gradient of input's shape, one mean and rstd for each group.
inline void check_group_norm_gradient(const TensorBase& grad_out, const TensorBase& input,
                                      const TensorBase& mean, const TensorBase& rstd,
                                      const GroupNormShape& shape) {
  TORCH_CHECK(grad_out.sizes() == input.sizes(), "Expected grad_out to be of the input's shape ",
              input.sizes(), ", but got ", grad_out.sizes());
  TORCH_CHECK(grad_out.scalar_type() == input.scalar_type(), "Expected grad_out to have the input's dtype ",
              input.scalar_type(), ", but got ", grad_out.scalar_type());
  const int64_t statistics = shape.samples * shape.groups;
  TORCH_CHECK(mean.numel() == statistics && rstd.numel() == statistics, "Expected mean and rstd to have ",
              statistics, " elements, but got ", mean.numel(), " and ", rstd.numel());
}

}  // namespace at::native
