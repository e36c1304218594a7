// _scaled_dot_product_flash_attention_for_cpu, its gradient, and when it is chosen.
#include <ATen/OpMathType.h>
#include <ATen/native/attention/checks.h>
#include <ATen/native/attention/layout.h>
#include <ATen/native/cpu/attention/attention.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/_fused_sdp_choice_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/to.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zero.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(attention_kernel);
DEFINE_DISPATCH(attention_backward_kernel);

namespace {

constexpr const char* forward_name = "_scaled_dot_product_flash_attention_for_cpu";
constexpr const char* backward_name = "_scaled_dot_product_flash_attention_for_cpu_backward";

Tensor dense_rows(const Tensor& t) { return t.stride(-1) == 1 || t.size(-1) == 0 ? t : t.contiguous(); }

AttentionTensor described(const Tensor& t) {
  return {const_cast<void*>(t.const_data_ptr()), t.stride(0), t.stride(1), t.stride(2)};
}

AttentionMask described_mask(const Tensor& mask) {
  if (!mask.defined()) return {};
  const auto stride = [&](int64_t d) { return d < 0 || mask.size(d) == 1 ? 0 : mask.stride(d); };
  const int64_t rows = mask.dim() - 2;
  return {mask.const_data_ptr(), stride(rows - 2), stride(rows - 1), stride(rows), stride(rows + 1)};
}

// Owns the memory that the problem points to.
struct Operands {
  Tensor query, key, value, mask;

  Operands(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Tensor>& attn_mask)
      : query(dense_rows(q)), key(dense_rows(k)), value(dense_rows(v)) {
    if (has_mask(attn_mask)) mask = attn_mask->to(at::toOpMathType(q.scalar_type()));
  }

  AttentionProblem problem(bool causal, std::optional<double> scale, const Tensor& out,
                           const Tensor& logsumexp) const {
    return {query.scalar_type(),
            query.size(0),
            query.size(1),
            key.size(1),
            query.size(2),
            key.size(2),
            query.size(3),
            attention_scale(query, scale),
            causal,
            described(query),
            described(key),
            described(value),
            described_mask(mask),
            described(out),
            described(logsumexp)};
  }
};

}  // namespace

std::tuple<Tensor, Tensor> _scaled_dot_product_flash_attention_cpu(const Tensor& query, const Tensor& key,
                                                                   const Tensor& value, double dropout_p,
                                                                   bool is_causal,
                                                                   const std::optional<Tensor>& attn_mask,
                                                                   std::optional<double> scale) {
  check_fused_attention(forward_name, query, key, value, dropout_p);
  check_attention_mask(forward_name, attn_mask, query, key);
  Tensor out = at::empty_like(dense_rows(query));
  Tensor logsumexp = empty_row_values(query, at::toOpMathType(query.scalar_type()));
  if (query.numel() == 0 || key.numel() == 0) {
    out.zero_();
    logsumexp.zero_();
  } else {
    const Operands operands(query, key, value, attn_mask);
    attention_kernel(kCPU, operands.problem(is_causal, scale, out, logsumexp));
  }
  return {std::move(out), std::move(logsumexp)};
}

std::tuple<Tensor, Tensor, Tensor> _scaled_dot_product_flash_attention_cpu_backward(
    const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& out,
    const Tensor& logsumexp, double dropout_p, bool is_causal, const std::optional<Tensor>& attn_mask,
    std::optional<double> scale) {
  check_fused_attention(backward_name, query, key, value, dropout_p);
  check_attention_mask(backward_name, attn_mask, query, key);
  check_attention_gradient(backward_name, grad_out, out, logsumexp, query);
  const ScalarType dtype = query.scalar_type();
  Tensor grad_query = empty_by_rows(query, dtype), grad_key = empty_by_rows(key, dtype),
         grad_value = empty_by_rows(value, dtype);
  if (query.numel() == 0 || key.numel() == 0) {
    for (Tensor* gradient : {&grad_query, &grad_key, &grad_value}) gradient->zero_();
    return {std::move(grad_query), std::move(grad_key), std::move(grad_value)};
  }
  const Operands operands(query, key, value, attn_mask);
  const Tensor grad = dense_rows(grad_out), result = dense_rows(out);
  const Tensor sums = logsumexp.to(at::toOpMathType(query.scalar_type()));
  attention_backward_kernel(
      kCPU, operands.problem(is_causal, scale, result, sums),
      AttentionGradients{described(grad), described(grad_query), described(grad_key), described(grad_value)});
  return {std::move(grad_query), std::move(grad_key), std::move(grad_value)};
}

int64_t _fused_sdp_choice_cpp(const Tensor& query, const Tensor& key, const Tensor& value,
                              const std::optional<Tensor>& attn_mask, double dropout_p, bool /*is_causal*/,
                              std::optional<double> /*scale*/, bool enable_gqa) {
  const bool masked = has_mask(attn_mask);
  // The fused backward computes no gradient of the mask.
  const bool mask_allowed = !masked || (query.dim() == 4 && key.dim() == 4 && !attn_mask->requires_grad() &&
                                        mask_fits(*attn_mask, query, key));
  const bool flash = is_enabled(SDPBackend::flash_attention) && dropout_p == 0.0 &&
                     isFloatingType(query.scalar_type()) && mask_allowed &&
                     fits_fused_attention(query, key, value, enable_gqa);
  const SDPBackend other = is_enabled(SDPBackend::math) ? SDPBackend::math : SDPBackend::error;
  return static_cast<int64_t>(flash ? SDPBackend::flash_attention : other);
}

}  // namespace at::native
