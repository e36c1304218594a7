// ctc_loss around the device's kernels.
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_ctc_loss.h>
#include <ATen/ops/_ctc_loss_backward.h>
#include <ATen/ops/_ctc_loss_backward_native.h>
#include <ATen/ops/_ctc_loss_native.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/ctc_loss_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

namespace at::native {

namespace {

std::vector<int64_t> lengths_of(const char* name, const Tensor& t) {
  TORCH_CHECK(isIntegralType(t.scalar_type(), /*includeBool=*/false), name, " must be integral, got ",
              t.scalar_type());
  const Tensor dense = t.to(Device(kCPU), kLong).contiguous();
  const int64_t* first = dense.const_data_ptr<int64_t>();
  return {first, first + dense.numel()};
}

}  // namespace

std::tuple<Tensor, Tensor> ctc_loss_tensor(const Tensor& log_probs, const Tensor& targets,
                                           const Tensor& input_lengths, const Tensor& target_lengths,
                                           int64_t blank, bool zero_infinity) {
  return at::_ctc_loss(log_probs, targets, lengths_of("input_lengths", input_lengths),
                       lengths_of("target_lengths", target_lengths), blank, zero_infinity);
}

Tensor ctc_loss_backward_tensor(const Tensor& grad, const Tensor& log_probs, const Tensor& targets,
                                const Tensor& input_lengths, const Tensor& target_lengths,
                                const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank,
                                bool zero_infinity) {
  return at::_ctc_loss_backward(grad, log_probs, targets, lengths_of("input_lengths", input_lengths),
                                lengths_of("target_lengths", target_lengths), neg_log_likelihood, log_alpha,
                                blank, zero_infinity);
}

std::tuple<Tensor, Tensor> ctc_loss_meta(const Tensor& log_probs, const Tensor& /*targets*/,
                                         IntArrayRef /*input_lengths*/, IntArrayRef target_lengths,
                                         int64_t blank, bool /*zero_infinity*/) {
  TORCH_CHECK(log_probs.dim() == 3, "ctc_loss: log_probs must have 3 dimensions (time, batch, labels), got ",
              log_probs.dim());
  TORCH_CHECK(blank >= 0 && blank < log_probs.size(2), "blank must be in label range, got ", blank, " for ",
              log_probs.size(2), " labels");
  int64_t longest = 0;
  for (int64_t length : target_lengths) longest = std::max(longest, length);
  TORCH_CHECK(longest < std::numeric_limits<int64_t>::max() / 2, "ctc_loss: a target_length of ", longest,
              " is too large");
  return {at::empty({log_probs.size(1)}, log_probs.options()),
          at::empty({log_probs.size(1), log_probs.size(0), 2 * longest + 1}, log_probs.options())};
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                IntArrayRef target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  const bool batched = log_probs.dim() == 3;
  Tensor loss = std::get<0>(at::_ctc_loss(batched ? log_probs : log_probs.unsqueeze(1), targets,
                                          input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity) {
    loss = at::masked_fill(loss, at::eq(loss, std::numeric_limits<double>::infinity()), 0);
  }
  if (reduction == Reduction::Mean) {
    Tensor lengths = at::empty({static_cast<int64_t>(target_lengths.size())}, TensorOptions().dtype(kLong));
    std::copy(target_lengths.begin(), target_lengths.end(), lengths.mutable_data_ptr<int64_t>());
    return at::mean(at::div(loss, at::clamp(lengths, 1).to(loss.device(), loss.scalar_type())));
  }
  if (reduction == Reduction::Sum) return at::sum(loss);
  return batched ? loss : loss.squeeze(0);
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  return at::ctc_loss(log_probs, targets, lengths_of("input_lengths", input_lengths),
                      lengths_of("target_lengths", target_lengths), blank, reduction, zero_infinity);
}

}  // namespace at::native
