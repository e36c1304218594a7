// The fused attention backends on CUDA, their gradients, and when they are chosen. Both run one kernel for a
// dtype; efficient takes masks.
#include <ATen/core/Tensor.h>
#include <ATen/native/attention/checks.h>
#include <ATen/native/attention/layout.h>
#include <ATen/native/cuda/attention/attention.h>

#include <ATen/ops/_fused_sdp_choice_native.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention_backward_native.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_backward_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/sum_to_size.h>
#include <ATen/ops/to.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <tuple>

namespace at::native {

namespace {

void check_supported(const char* name, const Tensor& query, const Tensor& key, const Tensor& value,
                     double dropout_p) {
  check_fused_attention(name, query, key, value, dropout_p);
  TORCH_CHECK(query.scalar_type() != kDouble, name, ": there is no kernel for Double on CUDA; use ",
              "_scaled_dot_product_attention_math");
  TORCH_CHECK(query.size(3) <= max_attention_head_size, name, ": there is no kernel for heads larger than ",
              max_attention_head_size, " on CUDA, got ", query.size(3),
              "; use _scaled_dot_product_attention_math");
}

Tensor dense_rows(const Tensor& t) { return t.stride(-1) == 1 ? t : t.contiguous(); }

Tensor expanded_mask(const std::optional<Tensor>& mask, const Tensor& query, const Tensor& key) {
  if (!has_mask(mask)) return {};
  return mask->to(kFloat).expand({query.size(0), query.size(1), query.size(2), key.size(2)});
}

struct Forward {
  Tensor out, logsumexp;
};

// `rows` is the size of logsumexp's last dimension; 0: it isn't wanted.
Forward forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask, bool causal,
                std::optional<double> scale, int64_t rows) {
  const Tensor out = empty_by_rows(query);
  const TensorOptions floats = query.options().dtype(kFloat);
  const Tensor logsumexp = at::empty({query.size(0), query.size(1), rows}, floats);
  const bool is_written = out.numel() > 0 && key.numel() > 0;
  if (rows > 0 && (rows != query.size(2) || !is_written)) logsumexp.zero_();
  if (!is_written) {
    out.zero_();
    return {out, logsumexp};
  }
  attention_on_device({dense_rows(query), dense_rows(key), dense_rows(value), mask, out,
                       rows == 0 ? Tensor() : logsumexp, attention_scale(query, scale), causal});
  return {out, logsumexp};
}

struct Gradients {
  Tensor query, key, value, mask;
};

Gradients backward(const char* name, const Tensor& grad_out, const Tensor& query, const Tensor& key,
                   const Tensor& value, const Tensor& mask, const Tensor& out, const Tensor& logsumexp,
                   bool causal, std::optional<double> scale, bool wants_mask) {
  TORCH_CHECK(
      logsumexp.dim() == 3 && logsumexp.size(2) >= query.size(2), name,
      ": logsumexp is missing: compute_log_sumexp must be true where gradients are wanted, got sizes ",
      logsumexp.sizes());
  const Tensor sums = logsumexp.narrow(2, 0, query.size(2));
  check_attention_gradient(name, grad_out, out, sums, query);
  Gradients made{empty_by_rows(query), empty_by_rows(key), empty_by_rows(value), Tensor()};
  const TensorOptions floats = query.options().dtype(kFloat);
  if (wants_mask) made.mask = at::zeros({query.size(0), query.size(1), query.size(2), key.size(2)}, floats);
  if (query.numel() == 0 || key.numel() == 0) {
    for (Tensor* t : {&made.query, &made.key, &made.value}) t->zero_();
    return made;
  }
  const Tensor delta = at::empty({query.size(0), query.size(1), query.size(2)}, floats);
  attention_backward_on_device({dense_rows(query), dense_rows(key), dense_rows(value), mask, dense_rows(out),
                                sums.to(kFloat), attention_scale(query, scale), causal},
                               {dense_rows(grad_out), made.query, made.key, made.value, made.mask, delta});
  return made;
}

// Without dropout no seed is read; what is returned for one is not initialised, as in PyTorch.
Tensor no_seed(const Tensor& like, IntArrayRef sizes = {}) {
  return at::empty(sizes, like.options().dtype(kLong));
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor, c10::SymInt, c10::SymInt, Tensor, Tensor, Tensor>
_scaled_dot_product_flash_attention_cuda(const Tensor& query, const Tensor& key, const Tensor& value,
                                         double dropout_p, bool is_causal, bool return_debug_mask,
                                         std::optional<double> scale) {
  check_supported("_scaled_dot_product_flash_attention", query, key, value, dropout_p);
  TORCH_CHECK(!return_debug_mask, "_scaled_dot_product_flash_attention: return_debug_mask needs dropout, ",
              "which is not supported");
  const Forward made = forward(query, key, value, {}, is_causal, scale, query.size(2));
  return {made.out,
          made.logsumexp,
          Tensor(),
          Tensor(),
          query.size(2),
          key.size(2),
          no_seed(query, {2}),
          no_seed(query),
          at::empty({0}, query.options())};
}

std::tuple<Tensor, Tensor, Tensor> _scaled_dot_product_flash_attention_backward_cuda(
    const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& out,
    const Tensor& logsumexp, const Tensor& /*cum_seq_q*/, const Tensor& /*cum_seq_k*/, int64_t /*max_q*/,
    int64_t /*max_k*/, double dropout_p, bool is_causal, const Tensor& /*philox_seed*/,
    const Tensor& /*philox_offset*/, std::optional<double> scale) {
  const char* name = "_scaled_dot_product_flash_attention_backward";
  check_supported(name, query, key, value, dropout_p);
  Gradients made = backward(name, grad_out, query, key, value, {}, out, logsumexp, is_causal, scale, false);
  return {made.query, made.key, made.value};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _scaled_dot_product_efficient_attention_cuda(
    const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& attn_bias,
    bool compute_log_sumexp, double dropout_p, bool is_causal, std::optional<double> scale) {
  const char* name = "_scaled_dot_product_efficient_attention";
  check_supported(name, query, key, value, dropout_p);
  check_attention_mask(name, attn_bias, query, key);
  const int64_t rows = compute_log_sumexp ? (query.size(2) + 31) / 32 * 32 : 0;
  const Forward made =
      forward(query, key, value, expanded_mask(attn_bias, query, key), is_causal, scale, rows);
  return {made.out, made.logsumexp, no_seed(query), no_seed(query)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _scaled_dot_product_efficient_attention_backward_cuda(
    const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value,
    const Tensor& attn_bias, const Tensor& out, const Tensor& logsumexp, const Tensor& /*philox_seed*/,
    const Tensor& /*philox_offset*/, double dropout_p, std::array<bool, 4> grad_input_mask, bool is_causal,
    std::optional<double> scale) {
  if (!grad_out.defined()) return {};
  const char* name = "_scaled_dot_product_efficient_attention_backward";
  check_supported(name, query, key, value, dropout_p);
  const std::optional<Tensor> bias = attn_bias.defined() ? std::optional<Tensor>(attn_bias) : std::nullopt;
  check_attention_mask(name, bias, query, key);
  const bool wants_mask = grad_input_mask[3] && attn_bias.defined();
  Gradients made = backward(name, grad_out, query, key, value, expanded_mask(bias, query, key), out,
                            logsumexp, is_causal, scale, wants_mask);
  if (wants_mask) made.mask = made.mask.sum_to_size(attn_bias.sizes()).to(attn_bias.scalar_type());
  return {made.query, made.key, made.value, made.mask};
}

// The first enabled backend in the program's order that takes the arguments. Of the fused ones that is, by
// default, flash_attention for 16-bit floats without a mask where tensor cores take them, and
// efficient_attention for others and for Float: elsewhere the products of `math` are faster.
int64_t _fused_sdp_choice_cuda(const Tensor& query, const Tensor& key, const Tensor& value,
                               const std::optional<Tensor>& attn_mask, double dropout_p, bool /*is_causal*/,
                               std::optional<double> /*scale*/, bool enable_gqa) {
  const bool masked = has_mask(attn_mask);
  const ScalarType dtype = query.scalar_type();
  const bool halves = isReducedFloatingType(dtype) && attention_has_tensor_cores(dtype);
  const bool fits = dropout_p == 0.0 && fits_fused_attention(query, key, value, enable_gqa) &&
                    query.size(3) <= max_attention_head_size && query.size(0) * query.size(1) <= 65535 &&
                    (dtype == kFloat || halves) && (!masked || mask_fits(*attn_mask, query, key));
  for (uint32_t order = globalContext().sdpPriorityOrder(), i = 0; i < 8; ++i, order >>= 4) {
    const auto backend = static_cast<SDPBackend>(order & 15);
    const bool takes = backend == SDPBackend::flash_attention       ? fits && halves && !masked
                       : backend == SDPBackend::efficient_attention ? fits
                                                                    : backend == SDPBackend::math;
    if (takes && is_enabled(backend)) return order & 15;
  }
  return static_cast<int64_t>(SDPBackend::error);
}

}  // namespace at::native
