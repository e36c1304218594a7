// Connectionist temporal classification on the CPU: log probabilities of all alignments, by the forward and
// backward recurrences.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/_ctc_loss_backward_native.h>
#include <ATen/ops/_ctc_loss_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace at::native {

namespace {

// Log probabilities [time, batch, labels] with the sequences' targets.
struct Alignment {
  Tensor log_probs, targets;  // contiguous; targets of int64
  std::vector<int64_t> input_lengths, target_lengths, offsets;
  int64_t blank, longest = 0;

  int64_t steps() const { return log_probs.size(0); }
  int64_t batch() const { return log_probs.size(1); }
  int64_t labels() const { return log_probs.size(2); }
  // Blanks are between the labels, before and after them.
  int64_t states(int64_t b) const { return 2 * target_lengths[b] + 1; }
  int64_t label(int64_t b, int64_t state) const {
    return state % 2 == 0 ? blank : targets.const_data_ptr<int64_t>()[offsets[b] + state / 2];
  }
  // Whether the blank between two labels may be skipped.
  bool skips(int64_t b, int64_t state) const {
    return state % 2 == 1 && state > 1 && label(b, state) != label(b, state - 2);
  }
};

void check_lengths(const Alignment& a) {
  const int64_t batch = a.batch();
  TORCH_CHECK(static_cast<int64_t>(a.input_lengths.size()) == batch,
              "input_lengths must be of size batch_size, ", "expected ", batch, ", got ",
              a.input_lengths.size());
  TORCH_CHECK(static_cast<int64_t>(a.target_lengths.size()) == batch,
              "target_lengths must be of size batch_size, ", "expected ", batch, ", got ",
              a.target_lengths.size());
  for (int64_t b = 0; b < batch; ++b) {
    TORCH_CHECK(a.input_lengths[b] >= 0 && a.input_lengths[b] <= a.steps(),
                "Expected input_lengths to have value ", "between 0 and ", a.steps(), ", but got value ",
                a.input_lengths[b]);
    TORCH_CHECK(a.target_lengths[b] >= 0, "Expected target_lengths to have value at least 0, but got value ",
                a.target_lengths[b]);
  }
}

// Targets are a row per sequence, or concatenated.
void place_targets(Alignment& a, const Tensor& targets) {
  TORCH_CHECK(targets.dim() == 1 || targets.dim() == 2, "ctc_loss: targets must have 1 or 2 dimensions, got ",
              targets.dim());
  int64_t first = 0;
  for (int64_t b = 0; b < a.batch(); ++b) {
    const int64_t length = a.target_lengths[b],
                  available = targets.dim() == 2 ? targets.size(1) : targets.numel() - first;
    TORCH_CHECK(length <= available, "Expected tensor to have size at least ", length, " at dimension ",
                targets.dim() - 1, ", but got ", targets.sizes(), " for targets");
    a.offsets.push_back(targets.dim() == 2 ? b * targets.size(1) : first);
    first += length;
    a.longest = std::max(a.longest, length);
  }
  TORCH_CHECK(targets.dim() == 1 ? first == targets.numel() : targets.size(0) == a.batch(),
              "Expected targets for a batch of ", a.batch(), " with lengths that add up to ", first, ", got ",
              targets.sizes());
  const int64_t* labels = a.targets.const_data_ptr<int64_t>();
  for (int64_t b = 0; b < a.batch(); ++b) {
    for (int64_t i = 0; i < a.target_lengths[b]; ++i) {
      const int64_t label = labels[a.offsets[b] + i];
      TORCH_CHECK(label >= 0 && label < a.labels(), "ctc_loss: label ", label, " is out of range [0, ",
                  a.labels(), ")");
    }
  }
}

Alignment aligned(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                  IntArrayRef target_lengths, int64_t blank) {
  TORCH_CHECK(log_probs.dim() == 3, "ctc_loss: log_probs must have 3 dimensions (time, batch, labels), got ",
              log_probs.dim());
  TORCH_CHECK(targets.scalar_type() == kLong || targets.scalar_type() == kInt,
              "ctc_loss: targets must be of dtype Int or Long, got ", targets.scalar_type());
  TORCH_CHECK(blank >= 0 && blank < log_probs.size(2), "blank must be in label range, got ", blank, " for ",
              log_probs.size(2), " labels");
  Alignment a{log_probs.contiguous(),
              targets.to(kLong).contiguous(),
              input_lengths.vec(),
              target_lengths.vec(),
              {},
              blank};
  check_lengths(a);
  place_targets(a, targets);
  return a;
}

template <class T>
constexpr T nothing = -std::numeric_limits<T>::infinity();

template <class T>
T log_sum(T a, T b) {
  const T high = std::max(a, b);
  return high == nothing<T> ? high : high + std::log(std::exp(a - high) + std::exp(b - high));
}

// The data of sequence b: its log probabilities by time step.
template <class T>
struct Sequence {
  const Alignment& a;
  int64_t b;
  const T* log_probs;

  Sequence(const Alignment& alignment, int64_t index)
      : a(alignment),
        b(index),
        log_probs(alignment.log_probs.const_data_ptr<T>() + index * alignment.labels()) {}
  T at(int64_t t, int64_t state) const { return log_probs[t * a.batch() * a.labels() + a.label(b, state)]; }
};

// alpha[t][s]: the log probability of all prefixes that are in state s at step t. Returns the negative log
// likelihood.
template <class T>
T forward(const Sequence<T>& sequence, T* alpha, int64_t width) {
  const Alignment& a = sequence.a;
  const int64_t b = sequence.b, steps = a.input_lengths[b], states = a.states(b);
  if (steps == 0) return states == 1 ? T(0) : -nothing<T>;
  alpha[0] = sequence.at(0, 0);
  if (states > 1) alpha[1] = sequence.at(0, 1);
  for (int64_t t = 1; t < steps; ++t) {
    const T* before = alpha + (t - 1) * width;
    for (int64_t s = 0; s < states; ++s) {
      T sum = before[s];
      if (s > 0) sum = log_sum(sum, before[s - 1]);
      if (a.skips(b, s)) sum = log_sum(sum, before[s - 2]);
      alpha[t * width + s] = sum + sequence.at(t, s);
    }
  }
  const T* last = alpha + (steps - 1) * width;
  return -(states > 1 ? log_sum(last[states - 1], last[states - 2]) : last[states - 1]);
}

// beta of one step from the next one's: the log probability of all suffixes that begin in state s.
template <class T>
void backward_step(const Sequence<T>& sequence, int64_t t, const T* next, T* beta) {
  const int64_t b = sequence.b, states = sequence.a.states(b);
  for (int64_t s = 0; s < states; ++s) {
    T sum;
    if (next == nullptr) {
      sum = s >= states - 2 ? T(0) : nothing<T>;
    } else {
      sum = next[s];
      if (s + 1 < states) sum = log_sum(sum, next[s + 1]);
      if (s + 2 < states && sequence.a.skips(b, s + 2)) sum = log_sum(sum, next[s + 2]);
    }
    beta[s] = sum + sequence.at(t, s);
  }
}

// The gradient of one sequence: exp(log_probs) minus each label's share of the alignments.
template <class T>
void sequence_gradient(const Sequence<T>& sequence, const T* alpha, int64_t width, T loss, T grad, T* out) {
  const Alignment& a = sequence.a;
  const int64_t states = a.states(sequence.b), step = a.batch() * a.labels();
  std::vector<T> beta(states), next(states), shares(a.labels());
  for (int64_t t = a.input_lengths[sequence.b]; t-- > 0;) {
    const bool last = t + 1 == a.input_lengths[sequence.b];
    backward_step(sequence, t, last ? nullptr : next.data(), beta.data());
    std::fill(shares.begin(), shares.end(), nothing<T>);
    for (int64_t s = 0; s < states; ++s) {
      T& share = shares[a.label(sequence.b, s)];
      share = log_sum(share, alpha[t * width + s] + beta[s]);
    }
    const T* log_probs = sequence.log_probs + t * step;
    for (int64_t c = 0; c < a.labels(); ++c) {
      out[t * step + c] = (std::exp(log_probs[c]) - std::exp(shares[c] + loss - log_probs[c])) * grad;
    }
    std::swap(beta, next);
  }
}

}  // namespace

std::tuple<Tensor, Tensor> ctc_loss_cpu(const Tensor& log_probs, const Tensor& targets,
                                        IntArrayRef input_lengths, IntArrayRef target_lengths, int64_t blank,
                                        bool /*zero_infinity*/) {
  const Alignment a = aligned(log_probs, targets, input_lengths, target_lengths, blank);
  const int64_t width = 2 * a.longest + 1;
  const Tensor loss = at::empty({a.batch()}, log_probs.options());
  const Tensor alpha =
      at::full({a.batch(), a.steps(), width}, -std::numeric_limits<double>::infinity(), log_probs.options());
  AT_DISPATCH_FLOATING_TYPES(log_probs.scalar_type(), "ctc_loss_cpu", [&] {
    scalar_t* losses = loss.mutable_data_ptr<scalar_t>();
    scalar_t* alphas = alpha.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, a.batch(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        losses[b] = forward(Sequence<scalar_t>(a, b), alphas + b * a.steps() * width, width);
      }
    });
  });
  return {loss, alpha};
}

Tensor ctc_loss_backward_cpu(const Tensor& grad, const Tensor& log_probs, const Tensor& targets,
                             IntArrayRef input_lengths, IntArrayRef target_lengths,
                             const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank,
                             bool zero_infinity) {
  const Alignment a = aligned(log_probs, targets, input_lengths, target_lengths, blank);
  const int64_t width = 2 * a.longest + 1, batch = a.batch();
  const int64_t alpha_sizes[] = {batch, a.steps(), width};
  TORCH_CHECK(log_alpha.sizes() == IntArrayRef(alpha_sizes),
              "_ctc_loss_backward: expected log_alpha of sizes ", IntArrayRef(alpha_sizes), ", got ",
              log_alpha.sizes());
  TORCH_CHECK(grad.numel() == batch && neg_log_likelihood.numel() == batch,
              "_ctc_loss_backward: expected grad and neg_log_likelihood of ", batch, " elements, got ",
              grad.sizes(), " and ", neg_log_likelihood.sizes());
  const Tensor grads = grad.to(log_probs.scalar_type()).contiguous();
  const Tensor losses = neg_log_likelihood.to(log_probs.scalar_type()).contiguous();
  const Tensor alphas = log_alpha.to(log_probs.scalar_type()).contiguous();
  const Tensor result = at::zeros(log_probs.sizes(), log_probs.options());
  AT_DISPATCH_FLOATING_TYPES(log_probs.scalar_type(), "ctc_loss_backward_cpu", [&] {
    const scalar_t* loss = losses.const_data_ptr<scalar_t>();
    at::parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        if (zero_infinity && std::isinf(loss[b])) continue;
        sequence_gradient(Sequence<scalar_t>(a, b), alphas.const_data_ptr<scalar_t>() + b * a.steps() * width,
                          width, loss[b], grads.const_data_ptr<scalar_t>()[b],
                          result.mutable_data_ptr<scalar_t>() + b * a.labels());
      }
    });
  });
  return result;
}

}  // namespace at::native
