// Meta functions of the fused attention backends.
#include <ATen/OpMathType.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/attention/checks.h>
#include <ATen/native/attention/layout.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_scaled_dot_product_efficient_attention_backward_native.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_backward_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/transpose.h>

#include <array>
#include <tuple>

namespace at::native {

// -------------------- On the CPU

std::tuple<Tensor, Tensor> _scaled_dot_product_flash_attention_cpu_meta(
    const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p, bool /*is_causal*/,
    const std::optional<Tensor>& attn_mask, std::optional<double> /*scale*/) {
  check_fused_attention("_scaled_dot_product_flash_attention_for_cpu", query, key, value, dropout_p);
  check_attention_mask("_scaled_dot_product_flash_attention_for_cpu", attn_mask, query, key);
  const TensorOptions options = query.options().dtype(at::toOpMathType(query.scalar_type()));
  const Tensor rows = query.stride(-1) == 1 || query.size(-1) == 0 ? query : query.contiguous();
  return {at::empty_like(rows),
          at::empty({query.size(0), query.size(2), query.size(1)}, options).transpose(1, 2)};
}

std::tuple<Tensor, Tensor, Tensor> _scaled_dot_product_flash_attention_cpu_backward_meta(
    const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& out,
    const Tensor& logsumexp, double dropout_p, bool /*is_causal*/, const std::optional<Tensor>& attn_mask,
    std::optional<double> /*scale*/) {
  const char* name = "_scaled_dot_product_flash_attention_for_cpu_backward";
  check_fused_attention(name, query, key, value, dropout_p);
  check_attention_mask(name, attn_mask, query, key);
  check_attention_gradient(name, grad_out, out, logsumexp, query);
  return {empty_by_rows(query), empty_by_rows(key), empty_by_rows(value)};
}

// -------------------- On CUDA

std::tuple<Tensor, Tensor, Tensor, Tensor, c10::SymInt, c10::SymInt, Tensor, Tensor, Tensor>
_scaled_dot_product_flash_attention_meta(const Tensor& query, const Tensor& key, const Tensor& value,
                                         double dropout_p, bool /*is_causal*/, bool /*return_debug_mask*/,
                                         std::optional<double> /*scale*/) {
  check_fused_attention("_scaled_dot_product_flash_attention", query, key, value, dropout_p);
  const Tensor logsumexp =
      at::empty({query.size(0), query.size(1), query.size(2)}, query.options().dtype(kFloat));
  return {empty_by_rows(query),
          logsumexp,
          Tensor(),
          Tensor(),
          query.size(2),
          key.size(2),
          at::empty({2}, query.options().dtype(kLong)),
          at::empty({}, query.options().dtype(kLong)),
          at::empty({0}, query.options())};
}

std::tuple<Tensor, Tensor, Tensor> _scaled_dot_product_flash_attention_backward_meta(
    const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& out,
    const Tensor& logsumexp, const Tensor& /*cum_seq_q*/, const Tensor& /*cum_seq_k*/, int64_t /*max_q*/,
    int64_t /*max_k*/, double dropout_p, bool /*is_causal*/, const Tensor& /*philox_seed*/,
    const Tensor& /*philox_offset*/, std::optional<double> /*scale*/) {
  const char* name = "_scaled_dot_product_flash_attention_backward";
  check_fused_attention(name, query, key, value, dropout_p);
  check_attention_gradient(name, grad_out, out, logsumexp, query);
  return {empty_by_rows(query), empty_by_rows(key), empty_by_rows(value)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _scaled_dot_product_efficient_attention_meta(
    const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& attn_bias,
    bool compute_log_sumexp, double dropout_p, bool /*is_causal*/, std::optional<double> /*scale*/) {
  const char* name = "_scaled_dot_product_efficient_attention";
  check_fused_attention(name, query, key, value, dropout_p);
  check_attention_mask(name, attn_bias, query, key);
  const int64_t rows = compute_log_sumexp ? (query.size(2) + 31) / 32 * 32 : 0;
  const TensorOptions seed = query.options().dtype(kLong);
  return {empty_by_rows(query),
          at::empty({query.size(0), query.size(1), rows}, query.options().dtype(kFloat)), at::empty({}, seed),
          at::empty({}, seed)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _scaled_dot_product_efficient_attention_backward_meta(
    const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value,
    const Tensor& attn_bias, const Tensor& /*out*/, const Tensor& /*logsumexp*/,
    const Tensor& /*philox_seed*/, const Tensor& /*philox_offset*/, double dropout_p,
    std::array<bool, 4> grad_input_mask, bool /*is_causal*/, std::optional<double> /*scale*/) {
  if (!grad_out.defined()) return {};
  const char* name = "_scaled_dot_product_efficient_attention_backward";
  check_fused_attention(name, query, key, value, dropout_p);
  TORCH_CHECK(grad_out.device() == query.device(), name, ": expected grad_out on query's device ",
              query.device(), ", got ", grad_out.device());
  return {empty_by_rows(query), empty_by_rows(key), empty_by_rows(value),
          grad_input_mask[3] && attn_bias.defined() ? at::empty_like(attn_bias) : Tensor()};
}

}  // namespace at::native
