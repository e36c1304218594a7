// Batch normalisation around native_batch_norm, and instance_norm, which normalises each sample.

#include <ATen/AccumulateType.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/AutogenKernels.h>
#include <ATen/native/normalization/batch_norm.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_batch_norm_impl_index.h>
#include <ATen/ops/_batch_norm_impl_index_backward_native.h>
#include <ATen/ops/_batch_norm_impl_index_native.h>
#include <ATen/ops/_batch_norm_no_update_native.h>
#include <ATen/ops/_batch_norm_with_update_native.h>
#include <ATen/ops/_native_batch_norm_legit_native.h>
#include <ATen/ops/_native_batch_norm_legit_no_training_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/alias.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/batch_norm_backward_native.h>
#include <ATen/ops/batch_norm_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/instance_norm_native.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_batch_norm_backward.h>
#include <ATen/ops/native_batch_norm_native.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/view.h>

#include <array>
#include <tuple>

namespace at::native {

namespace {

using Results = std::tuple<Tensor, Tensor, Tensor>;
using OptionalTensor = std::optional<Tensor>;

bool is_defined(const OptionalTensor& t) { return t && t->defined(); }

// The reserve of other libraries' kernels for their backward pass; empty here.
Tensor no_reserve(const Tensor& input) { return at::empty({0}, input.options().dtype(kByte)); }

void copy_results(const Results& results, const Tensor& out, const Tensor& save_mean,
                  const Tensor& save_invstd) {
  impl::copy_to_out(std::get<0>(results), out);
  impl::copy_to_out(std::get<1>(results), save_mean);
  impl::copy_to_out(std::get<2>(results), save_invstd);
}

}  // namespace

// -------------------- Variants of native_batch_norm

std::tuple<Tensor&, Tensor&, Tensor&> batch_norm_out(const Tensor& input, const OptionalTensor& weight,
                                                     const OptionalTensor& bias,
                                                     const OptionalTensor& running_mean,
                                                     const OptionalTensor& running_var, bool training,
                                                     double momentum, double eps, Tensor& out,
                                                     Tensor& save_mean, Tensor& save_invstd) {
  copy_results(at::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps),
               out, save_mean, save_invstd);
  return {out, save_mean, save_invstd};
}

Results _batch_norm_legit(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                          Tensor& running_mean, Tensor& running_var, bool training, double momentum,
                          double eps) {
  return at::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
}

std::tuple<Tensor&, Tensor&, Tensor&> _batch_norm_legit_out(const Tensor& input, const OptionalTensor& weight,
                                                            const OptionalTensor& bias, Tensor& running_mean,
                                                            Tensor& running_var, bool training,
                                                            double momentum, double eps, Tensor& out,
                                                            Tensor& save_mean, Tensor& save_invstd) {
  copy_results(_batch_norm_legit(input, weight, bias, running_mean, running_var, training, momentum, eps),
               out, save_mean, save_invstd);
  return {out, save_mean, save_invstd};
}

Results _batch_norm_legit_no_stats(const Tensor& input, const OptionalTensor& weight,
                                   const OptionalTensor& bias, bool training, double momentum, double eps) {
  return at::native_batch_norm(input, weight, bias, {}, {}, training, momentum, eps);
}

std::tuple<Tensor&, Tensor&, Tensor&> _batch_norm_legit_no_stats_out(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, bool training,
    double momentum, double eps, Tensor& out, Tensor& save_mean, Tensor& save_invstd) {
  copy_results(_batch_norm_legit_no_stats(input, weight, bias, training, momentum, eps), out, save_mean,
               save_invstd);
  return {out, save_mean, save_invstd};
}

Results _batch_norm_legit_no_training(const Tensor& input, const OptionalTensor& weight,
                                      const OptionalTensor& bias, const Tensor& running_mean,
                                      const Tensor& running_var, double momentum, double eps) {
  return at::native_batch_norm(input, weight, bias, running_mean, running_var, /*training=*/false, momentum,
                               eps);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _batch_norm_with_update(const Tensor& input,
                                                                   const OptionalTensor& weight,
                                                                   const OptionalTensor& bias,
                                                                   Tensor& running_mean, Tensor& running_var,
                                                                   double momentum, double eps) {
  return std::tuple_cat(
      _batch_norm_legit(input, weight, bias, running_mean, running_var, /*training=*/true, momentum, eps),
      std::tuple(no_reserve(input)));
}

std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_with_update_out(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, Tensor& running_mean,
    Tensor& running_var, double momentum, double eps, Tensor& out, Tensor& save_mean, Tensor& save_invstd,
    Tensor& reserve) {
  copy_results(
      _batch_norm_legit(input, weight, bias, running_mean, running_var, /*training=*/true, momentum, eps),
      out, save_mean, save_invstd);
  impl::copy_to_out(no_reserve(input), reserve);
  return {out, save_mean, save_invstd, reserve};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _batch_norm_no_update(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
    const OptionalTensor& running_mean, const OptionalTensor& running_var, double momentum, double eps) {
  return std::tuple_cat(at::native_batch_norm(input, weight, bias, running_mean, running_var,
                                              /*training=*/false, momentum, eps),
                        std::tuple(no_reserve(input)));
}

Results _new_batch_norm_backward(const Tensor& grad_out, const Tensor& input, const Tensor& weight,
                                 const OptionalTensor& running_mean, const OptionalTensor& running_var,
                                 const OptionalTensor& save_mean, const OptionalTensor& save_var, bool update,
                                 double eps, std::array<bool, 3> output_mask, const Tensor& /*reserve*/) {
  return at::native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean,
                                        save_var, update, eps, output_mask);
}

// -------------------- batch_norm

namespace {

// No elements: the result still depends on weight and bias, so that these get gradients.
std::tuple<Tensor, Tensor, Tensor, Tensor, int64_t> batch_norm_of_nothing(const Tensor& input,
                                                                          const OptionalTensor& weight,
                                                                          const OptionalTensor& bias) {
  const TensorOptions options = input.options().dtype(toAccumulateType(input.scalar_type(), input.is_cuda()));
  const int64_t channels = input.dim() > 1 ? input.size(1) : 0;
  const Tensor mean = at::empty({channels}, options), invstd = at::empty({channels}, options);
  Tensor out = input.clone();
  if (is_defined(weight)) out = at::mul(out, weight->select(0, 0));
  if (is_defined(bias)) out = at::add(out, bias->select(0, 0));
  return {out, mean, invstd, no_reserve(input), 0};
}

void check_batch_norm_arguments(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                                const OptionalTensor& running_mean, const OptionalTensor& running_var,
                                bool training) {
  TORCH_CHECK(training || is_defined(running_mean), "running_mean must be defined in evaluation mode");
  TORCH_CHECK(training || is_defined(running_var), "running_var must be defined in evaluation mode");
  const auto check = [&](const char* name, const OptionalTensor& t) {
    check_batch_norm_parameter(name, t ? *t : Tensor(), input.size(1));
  };
  check("running_mean", running_mean);
  check("running_var", running_var);
  check("weight", weight);
  check("bias", bias);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor, int64_t> _batch_norm_impl_index(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
    const OptionalTensor& running_mean, const OptionalTensor& running_var, bool training, double momentum,
    double eps, bool /*cudnn_enabled*/) {
  if (input.numel() == 0) return batch_norm_of_nothing(input, weight, bias);
  TORCH_CHECK_INDEX(input.dim() >= 2, "batch_norm: expected an input of at least 2 dimensions, the channels ",
                    "being dimension 1, but got shape ", input.sizes());
  check_batch_norm_arguments(input, weight, bias, running_mean, running_var, training);
  return std::tuple_cat(
      at::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps),
      std::tuple(no_reserve(input), int64_t{0}));
}

namespace {

Results batch_norm_backward_of_nothing(const Tensor& input, const Tensor& grad_out,
                                       const OptionalTensor& weight, std::array<bool, 3> output_mask) {
  DimVector dims;
  for (int64_t d = 0; d < input.dim(); ++d) {
    if (d != 1) dims.push_back(d);
  }
  Results result;
  if (output_mask[0]) {
    std::get<0>(result) = is_defined(weight) ? at::mul(grad_out, weight->select(0, 0)) : grad_out.clone();
  }
  if (output_mask[1]) std::get<1>(result) = at::mul(grad_out, input).sum(dims);
  if (output_mask[2]) std::get<2>(result) = grad_out.sum(dims);
  return result;
}

}  // namespace

Results _batch_norm_impl_index_backward(int64_t impl_index, const Tensor& input, const Tensor& grad_output,
                                        const OptionalTensor& weight, const OptionalTensor& running_mean,
                                        const OptionalTensor& running_var, const OptionalTensor& save_mean,
                                        const OptionalTensor& save_var_transform, bool train, double eps,
                                        std::array<bool, 3> output_mask, const Tensor& /*reservedSpace*/) {
  if (input.numel() == 0) {
    return batch_norm_backward_of_nothing(input, grad_output, weight, output_mask);
  }
  TORCH_CHECK(impl_index == 0, "_batch_norm_impl_index_backward: the only implementation is 0, got ",
              impl_index);
  return at::native_batch_norm_backward(grad_output, input, weight, running_mean, running_var, save_mean,
                                        save_var_transform, train, eps, output_mask);
}

Tensor batch_norm(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                  const OptionalTensor& running_mean, const OptionalTensor& running_var, bool training,
                  double momentum, double eps, bool cudnn_enabled) {
  return std::get<0>(at::_batch_norm_impl_index(input, weight, bias, running_mean, running_var, training,
                                                momentum, eps, cudnn_enabled));
}

// -------------------- instance_norm

namespace {

OptionalTensor repeated(const OptionalTensor& t, int64_t times) {
  if (!is_defined(t)) return std::nullopt;
  const int64_t n = t->numel();
  return t->expand({times, n}).clone(MemoryFormat::Contiguous).view({times * n});
}

// Each sample has updated its own copy; the running value is their mean.
void take_mean(const OptionalTensor& running, const OptionalTensor& of_samples, IntArrayRef sizes) {
  if (is_defined(running)) at::alias(*running).copy_(of_samples->view(sizes).mean(0, /*keepdim=*/false));
}

}  // namespace

Tensor instance_norm(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                     const OptionalTensor& running_mean, const OptionalTensor& running_var,
                     bool use_input_stats, double momentum, double eps, bool cudnn_enabled) {
  TORCH_CHECK(use_input_stats || (is_defined(running_mean) && is_defined(running_var)),
              "Expected running_mean and running_var to be defined when use_input_stats is false");
  const int64_t samples = input.size(0), channels = input.size(1);
  DimVector shape(input.sizes().begin(), input.sizes().end());
  shape[0] = 1;
  shape[1] = samples * channels;
  const OptionalTensor means = repeated(running_mean, samples), vars = repeated(running_var, samples);
  const Tensor out =
      at::batch_norm(input.contiguous().view(shape), repeated(weight, samples), repeated(bias, samples),
                     means, vars, use_input_stats, momentum, eps, cudnn_enabled);
  take_mean(running_mean, means, {samples, channels});
  take_mean(running_var, vars, {samples, channels});
  return out.view(input.sizes());
}

}  // namespace at::native
