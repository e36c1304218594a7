// Connectionist temporal classification of CUDA tensors: computed on the CPU, as it has no CUDA kernel.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_ctc_loss.h>
#include <ATen/ops/_ctc_loss_backward.h>
#include <ATen/ops/_ctc_loss_backward_native.h>
#include <ATen/ops/_ctc_loss_native.h>
#include <ATen/ops/to.h>

#include <tuple>

namespace at::native {

namespace {

Tensor on_cpu(const Tensor& t) { return t.to(Device(kCPU), t.scalar_type()); }

}  // namespace

std::tuple<Tensor, Tensor> ctc_loss_gpu(const Tensor& log_probs, const Tensor& targets,
                                        IntArrayRef input_lengths, IntArrayRef target_lengths, int64_t blank,
                                        bool zero_infinity) {
  const auto [loss, alpha] =
      at::_ctc_loss(on_cpu(log_probs), on_cpu(targets), input_lengths, target_lengths, blank, zero_infinity);
  const Device device = log_probs.device();
  return {loss.to(device, loss.scalar_type()), alpha.to(device, alpha.scalar_type())};
}

Tensor ctc_loss_backward_gpu(const Tensor& grad, const Tensor& log_probs, const Tensor& targets,
                             IntArrayRef input_lengths, IntArrayRef target_lengths,
                             const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank,
                             bool zero_infinity) {
  const Tensor gradient =
      at::_ctc_loss_backward(on_cpu(grad), on_cpu(log_probs), on_cpu(targets), input_lengths, target_lengths,
                             on_cpu(neg_log_likelihood), on_cpu(log_alpha), blank, zero_infinity);
  return gradient.to(log_probs.device(), gradient.scalar_type());
}

}  // namespace at::native
