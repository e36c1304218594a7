// layer_norm, and native_layer_norm made of other operators for devices that have no kernel of their own.

#include <ATen/core/Tensor.h>
#include <ATen/native/layer_norm.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/add.h>
#include <ATen/ops/layer_norm_native.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/native_layer_norm_native.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>

#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor, Tensor> math_native_layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                                                          const std::optional<Tensor>& weight_opt,
                                                          const std::optional<Tensor>& bias_opt, double eps) {
  const Tensor weight = weight_opt.value_or(Tensor()), bias = bias_opt.value_or(Tensor());
  check_layer_norm_shape(input, normalized_shape, weight, bias);
  const bool reduced = isReducedFloatingType(input.scalar_type());
  // As the kernels do: the result is contiguous, whatever the input's strides are.
  const Tensor x = (reduced ? input.to(kFloat) : input).contiguous();

  DimVector dims;
  for (int64_t d = input.dim() - static_cast<int64_t>(normalized_shape.size()); d < input.dim(); ++d) {
    dims.push_back(d);
  }
  const Tensor mean = at::mean(x, dims, /*keepdim=*/true);
  const Tensor centred = at::sub(x, mean);
  const Tensor rstd = at::rsqrt(at::add(at::mean(at::mul(centred, centred), dims, /*keepdim=*/true), eps));
  Tensor y = at::mul(centred, rstd);
  if (weight.defined()) {
    y = at::mul(y, weight);
  }
  if (bias.defined()) {
    y = at::add(y, bias);
  }
  const ScalarType statistics = weight.defined() ? weight.scalar_type() : input.scalar_type();
  return {y.to(input.scalar_type()), mean.to(statistics), rstd.to(statistics)};
}

Tensor layer_norm_symint(const Tensor& input, c10::SymIntArrayRef normalized_shape,
                         const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, double eps,
                         bool /*cudnn_enable*/) {
  return std::get<0>(
      at::native_layer_norm(input, C10_AS_INTARRAYREF_SLOW(normalized_shape), weight, bias, eps));
}

}  // namespace at::native
