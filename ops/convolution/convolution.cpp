// The front ends of convolution: conv1d, conv2d, ... call convolution, and that the backend's kernel,
// convolution_overrideable.
#include <ATen/core/Tensor.h>
#include <ATen/native/convolution/parameters.h>
#include <c10/core/SymInt.h>
#include <c10/util/MaybeOwned.h>

#include <ATen/ops/_convolution.h>
#include <ATen/ops/_convolution_mode.h>
#include <ATen/ops/_convolution_mode_native.h>
#include <ATen/ops/_convolution_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv1d_native.h>
#include <ATen/ops/conv2d_native.h>
#include <ATen/ops/conv3d_native.h>
#include <ATen/ops/conv_transpose1d_native.h>
#include <ATen/ops/conv_transpose2d_native.h>
#include <ATen/ops/conv_transpose3d_native.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_native.h>
#include <ATen/ops/convolution_overrideable.h>
#include <ATen/ops/convolution_overrideable_native.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/real.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/zeros.h>

#include <optional>
#include <string_view>
#include <utility>

namespace at::native {

namespace {

using OptionalTensor = std::optional<Tensor>;

bool has_value(const OptionalTensor& t) { return t.has_value() && t->defined(); }

struct Arguments {
  IntArrayRef stride, padding, dilation, output_padding;
  bool transposed;
  int64_t groups;
  Tensor call(const Tensor& input, const Tensor& weight, const OptionalTensor& bias) const {
    return at::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding,
                           groups);
  }
};

// With x = a + bi and w = c + di, xw = (ac - bd) + ((a + b)(c + d) - ac - bd)i: three real convolutions.
Tensor complex_convolution(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                           const Arguments& arguments) {
  TORCH_CHECK(weight.scalar_type() == input.scalar_type(), "Input type (", input.scalar_type(),
              ") and weight type (", weight.scalar_type(), ") should be the same");
  TORCH_CHECK(!has_value(bias) || bias->scalar_type() == input.scalar_type(), "Input type (",
              input.scalar_type(), ") and bias type (", bias->scalar_type(), ") should be the same");
  const Tensor a = at::real(input), b = at::imag(input), c = at::real(weight), d = at::imag(weight);
  OptionalTensor real_bias, sum_of_bias;
  if (has_value(bias)) {
    real_bias = at::real(*bias);
    sum_of_bias = at::add(*real_bias, at::imag(*bias));
  }
  const Tensor ac = arguments.call(a, c, real_bias), bd = arguments.call(b, d, std::nullopt);
  const Tensor all = arguments.call(at::add(a, b), at::add(c, d), sum_of_bias);
  return at::view_as_complex(at::stack({at::sub(ac, bd), at::sub(at::sub(all, ac), bd)}, -1));
}

// The input of a function for `dims` spatial dimensions: batched or a single image.
c10::MaybeOwned<Tensor> as_batch(const Tensor& input, int64_t dims, const char* function) {
  TORCH_CHECK(input.dim() == dims + 1 || input.dim() == dims + 2, "Expected ", dims + 1, "D (unbatched) or ",
              dims + 2, "D (batched) input to ", function, ", but got input of size: ", input.sizes());
  if (input.dim() == dims + 2) return c10::MaybeOwned<Tensor>::borrowed(input);
  return c10::MaybeOwned<Tensor>::owned(at::unsqueeze(input, 0));
}

Tensor of_batch(Tensor&& output, const Tensor& input, int64_t dims) {
  if (input.dim() == dims + 1) return at::squeeze(output, 0);
  return std::move(output);
}

void check_bias(const Tensor& weight, const OptionalTensor& bias) {
  TORCH_CHECK(!has_value(bias) || bias->scalar_type() == weight.scalar_type(), "weight type (",
              weight.scalar_type(), ") and bias type (",
              has_value(bias) ? bias->scalar_type() : weight.scalar_type(), ") should be the same");
}

Tensor convolve(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, int64_t dims,
                const char* function, const Arguments& arguments) {
  const c10::MaybeOwned<Tensor> batch = as_batch(input, dims, function);
  Tensor output = batch->is_complex() ? complex_convolution(*batch, weight, bias, arguments)
                                      : arguments.call(*batch, weight, bias);
  return of_batch(std::move(output), input, dims);
}

Tensor convolve(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, int64_t dims,
                const char* function, c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
                c10::SymIntArrayRef dilation, const c10::SymInt& groups) {
  static constexpr int64_t none[3] = {0, 0, 0};
  return convolve(input, weight, bias, dims, function,
                  {C10_AS_INTARRAYREF_SLOW(stride), C10_AS_INTARRAYREF_SLOW(padding),
                   C10_AS_INTARRAYREF_SLOW(dilation), IntArrayRef(none, static_cast<size_t>(dims)),
                   /*transposed=*/false, groups.guard_int(__FILE__, __LINE__)});
}

Tensor convolve_transposed(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                           int64_t dims, const char* function, c10::SymIntArrayRef stride,
                           c10::SymIntArrayRef padding, c10::SymIntArrayRef output_padding,
                           const c10::SymInt& groups, c10::SymIntArrayRef dilation) {
  return convolve(
      input, weight, bias, dims, function,
      {C10_AS_INTARRAYREF_SLOW(stride), C10_AS_INTARRAYREF_SLOW(padding), C10_AS_INTARRAYREF_SLOW(dilation),
       C10_AS_INTARRAYREF_SLOW(output_padding), /*transposed=*/true, groups.guard_int(__FILE__, __LINE__)});
}

Tensor convolve_in_mode(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, int64_t dims,
                        const char* function, c10::SymIntArrayRef stride, std::string_view padding,
                        c10::SymIntArrayRef dilation, const c10::SymInt& groups) {
  const c10::MaybeOwned<Tensor> batch = as_batch(input, dims, function);
  if (batch->is_complex() && padding == "valid") {
    return convolve(input, weight, bias, dims, function, stride, {c10::SymInt(0)}, dilation, groups);
  }
  return of_batch(at::_convolution_mode_symint(*batch, weight, bias, stride, padding, dilation, groups),
                  input, dims);
}

// The input, zero-padded at the end by `more` in each spatial dimension.
Tensor with_zeros_behind(Tensor input, IntArrayRef more) {
  for (size_t d = 0; d < more.size(); ++d) {
    if (more[d] == 0) continue;
    DimVector sizes(input.sizes().begin(), input.sizes().end());
    sizes[d + 2] = more[d];
    input = at::cat({input, at::zeros(sizes, input.options())}, static_cast<int64_t>(d) + 2);
  }
  return input;
}

int64_t repeated(IntArrayRef values, size_t index) { return values.size() == 1 ? values[0] : values[index]; }

// The output has the input's size: where the total padding is odd, there is one more at the end.
Tensor convolution_same(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                        IntArrayRef stride, IntArrayRef dilation, int64_t groups) {
  TORCH_CHECK(weight.dim() >= 3, "weight should have at least three dimensions, but got weight of size ",
              weight.sizes());
  TORCH_CHECK(input.dim() == weight.dim(), "Expected ", weight.dim(),
              "-dimensional input for weight of size ", weight.sizes(), ", but got input of size ",
              input.sizes());
  const size_t dims = static_cast<size_t>(weight.dim() - 2);
  TORCH_CHECK(stride.size() == dims || stride.size() == 1, "stride cannot broadcast to ", dims,
              " dimensions: ", stride);
  TORCH_CHECK(dilation.size() == dims || dilation.size() == 1, "dilation cannot broadcast to ", dims,
              " dimensions: ", dilation);
  DimVector padding, more;
  for (size_t d = 0; d < dims; ++d) {
    TORCH_CHECK(repeated(stride, d) == 1, "padding='same' is not supported for strided convolutions");
    int64_t total = 0;
    TORCH_CHECK(!__builtin_mul_overflow(repeated(dilation, d), weight.size(static_cast<int64_t>(d) + 2) - 1,
                                        &total) &&
                    total >= 0,
                "padding='same': dilation ", dilation, " cannot be used with weight of size ",
                weight.sizes());
    padding.push_back(total / 2);
    more.push_back(total % 2);
  }
  const DimVector none(dims, 0);
  const Arguments arguments{stride, padding, dilation, none, /*transposed=*/false, groups};
  const Tensor padded = with_zeros_behind(input, more);
  return padded.is_complex() ? complex_convolution(padded, weight, bias, arguments)
                             : arguments.call(padded, weight, bias);
}

}  // namespace

Tensor conv1d_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                     c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                     c10::SymInt groups) {
  return convolve(input, weight, bias, 1, "conv1d", stride, padding, dilation, groups);
}

Tensor conv2d_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                     c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                     c10::SymInt groups) {
  check_bias(weight, bias);
  return convolve(input, weight, bias, 2, "conv2d", stride, padding, dilation, groups);
}

Tensor conv3d_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                     c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                     c10::SymInt groups) {
  return convolve(input, weight, bias, 3, "conv3d", stride, padding, dilation, groups);
}

Tensor conv1d_padding_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                             c10::SymIntArrayRef stride, c10::string_view padding,
                             c10::SymIntArrayRef dilation, c10::SymInt groups) {
  return convolve_in_mode(input, weight, bias, 1, "conv1d", stride, padding, dilation, groups);
}

Tensor conv2d_padding_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                             c10::SymIntArrayRef stride, c10::string_view padding,
                             c10::SymIntArrayRef dilation, c10::SymInt groups) {
  return convolve_in_mode(input, weight, bias, 2, "conv2d", stride, padding, dilation, groups);
}

Tensor conv3d_padding_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                             c10::SymIntArrayRef stride, c10::string_view padding,
                             c10::SymIntArrayRef dilation, c10::SymInt groups) {
  return convolve_in_mode(input, weight, bias, 3, "conv3d", stride, padding, dilation, groups);
}

Tensor conv_transpose1d_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                               c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
                               c10::SymIntArrayRef output_padding, c10::SymInt groups,
                               c10::SymIntArrayRef dilation) {
  return convolve_transposed(input, weight, bias, 1, "conv_transpose1d", stride, padding, output_padding,
                             groups, dilation);
}

Tensor conv_transpose2d_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                               c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
                               c10::SymIntArrayRef output_padding, c10::SymInt groups,
                               c10::SymIntArrayRef dilation) {
  return convolve_transposed(input, weight, bias, 2, "conv_transpose2d", stride, padding, output_padding,
                             groups, dilation);
}

Tensor conv_transpose3d_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                               c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
                               c10::SymIntArrayRef output_padding, c10::SymInt groups,
                               c10::SymIntArrayRef dilation) {
  return convolve_transposed(input, weight, bias, 3, "conv_transpose3d", stride, padding, output_padding,
                             groups, dilation);
}

Tensor _convolution_mode_symint(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                                c10::SymIntArrayRef stride, c10::string_view padding,
                                c10::SymIntArrayRef dilation, c10::SymInt groups) {
  if (padding == "same") {
    return convolution_same(input, weight, bias, C10_AS_INTARRAYREF_SLOW(stride),
                            C10_AS_INTARRAYREF_SLOW(dilation), groups.guard_int(__FILE__, __LINE__));
  }
  TORCH_CHECK(padding == "valid", "Invalid padding string: '", padding, "'; expected 'valid' or 'same'");
  const int64_t none[] = {0};
  return at::convolution(input, weight, bias, C10_AS_INTARRAYREF_SLOW(stride), none,
                         C10_AS_INTARRAYREF_SLOW(dilation),
                         /*transposed=*/false, none, groups.guard_int(__FILE__, __LINE__));
}

// -------------------- Lower-level operators

Tensor convolution(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                   int64_t groups) {
  const Tensor no_bias;
  const ConvParams params = check_convolution(input, weight, bias.has_value() ? *bias : no_bias, stride,
                                              padding, dilation, transposed, output_padding, groups);
  return at::convolution_overrideable(input, weight, bias, params.stride, params.padding, params.dilation,
                                      transposed, params.output_padding, groups);
}

// The flags that select a library have no effect here.
Tensor _convolution(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, IntArrayRef stride,
                    IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                    int64_t groups, bool /*benchmark*/, bool /*deterministic*/, bool /*cudnn_enabled*/,
                    bool /*allow_tf32*/) {
  return at::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

Tensor _convolution(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, IntArrayRef stride,
                    IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                    int64_t groups, bool benchmark, bool deterministic, bool cudnn_enabled) {
  return at::_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups,
                          benchmark, deterministic, cudnn_enabled, /*allow_tf32=*/true);
}

Tensor convolution_overrideable(const Tensor& input, const Tensor&, const OptionalTensor&, IntArrayRef,
                                IntArrayRef, IntArrayRef, bool, IntArrayRef, int64_t) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "there is no convolution for tensors on ", input.device(),
                              ": a backend registers its kernel for aten::convolution_overrideable");
}

}  // namespace at::native
