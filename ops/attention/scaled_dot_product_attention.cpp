// scaled_dot_product_attention, which only chooses a backend, and the math backend, which computes the whole
// attention matrix.
#include <ATen/core/Tensor.h>
#include <ATen/native/attention/checks.h>
#include <c10/core/GradMode.h>

#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/_fused_sdp_choice_native.h>
#include <ATen/ops/_safe_softmax.h>
#include <ATen/ops/_safe_softmax_native.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/_scaled_dot_product_attention_math_native.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention.h>
#include <ATen/ops/_scaled_dot_product_flash_attention.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/add.h>
#include <ATen/ops/all.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/scaled_dot_product_attention_native.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/to.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/where.h>

#include <limits>
#include <tuple>

namespace at::native {

namespace {

void check_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                     const std::optional<Tensor>& attn_mask) {
  TORCH_CHECK(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2,
              "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ",
              query.dim(), " key.dim: ", key.dim(), " and value.dim: ", value.dim(), " instead.");
  TORCH_CHECK(
      query.scalar_type() == key.scalar_type() && query.scalar_type() == value.scalar_type(),
      "Expected query, key, and value to have the same dtype, but got query.dtype: ", query.scalar_type(),
      " key.dtype: ", key.scalar_type(), " and value.dtype: ", value.scalar_type(), " instead.");
  if (!has_mask(attn_mask)) return;
  const ScalarType dtype = attn_mask->scalar_type();
  TORCH_CHECK(
      dtype == kBool || dtype == kFloat || dtype == query.scalar_type(),
      "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ",
      dtype, " and  query.dtype: ", query.scalar_type(), " instead.");
  TORCH_CHECK(attn_mask->dim() >= 2, "Expected attn_mask to be at least 2 dimensional, but got ",
              attn_mask->dim(), " dimensions");
}

// A boolean mask as an additive one: minus infinity where it is false.
std::optional<Tensor> additive(const std::optional<Tensor>& mask, ScalarType dtype) {
  if (!has_mask(mask) || mask->scalar_type() != kBool) return mask;
  const TensorOptions options = mask->options().dtype(dtype);
  return at::where(*mask, at::scalar_tensor(0.0, options),
                   at::scalar_tensor(-std::numeric_limits<double>::infinity(), options));
}

// Repeats each head of key and value for all query heads that share it.
Tensor repeated_heads(const Tensor& t, int64_t heads) {
  const int64_t own = t.size(-3);
  TORCH_CHECK(own > 0 && heads % own == 0,
              "Number of heads in key and value must divide the number of heads in ", "query, got ", own,
              " and ", heads);
  if (own == heads) return t;
  DimVector sizes(t.sizes());
  const int64_t at = t.dim() - 3;
  sizes.insert(sizes.begin() + at + 1, heads / own);
  const Tensor expanded = t.unsqueeze(at + 1).expand(sizes);
  sizes.erase(sizes.begin() + at + 1);
  sizes[at] = heads;
  return expanded.reshape(sizes);
}

Tensor causal_mask(const Tensor& query, const Tensor& key) {
  const Tensor seen = at::ones({query.size(-2), key.size(-2)}, query.options().dtype(kBool)).tril();
  return *additive(seen, query.scalar_type());
}

bool any_requires_grad(const Tensor& query, const Tensor& key, const Tensor& value) {
  return c10::GradMode::is_enabled() &&
         (query.requires_grad() || key.requires_grad() || value.requires_grad());
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale, bool enable_gqa) {
  check_attention(query, key, value, attn_mask);
  const auto backend = static_cast<SDPBackend>(
      at::_fused_sdp_choice(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa));
  TORCH_CHECK(backend != SDPBackend::error, "No viable backend for scaled_dot_product_attention was found.");
  const std::optional<Tensor> mask = additive(attn_mask, query.scalar_type());
  if (backend == SDPBackend::math) {
    return std::get<0>(at::_scaled_dot_product_attention_math(query, key, value, mask, dropout_p, is_causal,
                                                              std::nullopt, scale, enable_gqa));
  }
  if (backend == SDPBackend::efficient_attention) {
    return std::get<0>(at::_scaled_dot_product_efficient_attention(
        query, key, value, mask, any_requires_grad(query, key, value), dropout_p, is_causal, scale));
  }
  if (query.device().type() == kCPU) {
    return std::get<0>(at::_scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p,
                                                                       is_causal, mask, scale));
  }
  return std::get<0>(at::_scaled_dot_product_flash_attention(query, key, value, dropout_p, is_causal,
                                                             /*return_debug_mask=*/false, scale));
}

// query and key are each scaled by the square root of the factor, to avoid overflow.
std::tuple<Tensor, Tensor> _scaled_dot_product_attention_math(const Tensor& query, const Tensor& key,
                                                              const Tensor& value,
                                                              const std::optional<Tensor>& attn_mask,
                                                              double dropout_p, bool is_causal,
                                                              const std::optional<Tensor>& dropout_mask,
                                                              std::optional<double> scale, bool enable_gqa) {
  const ScalarType dtype = query.scalar_type();
  if (isReducedFloatingType(dtype)) {
    const auto wide = [](const std::optional<Tensor>& t) {
      return has_mask(t) && t->scalar_type() != kBool ? std::optional<Tensor>(t->to(kFloat)) : t;
    };
    const auto [out, weights] = at::_scaled_dot_product_attention_math(
        query.to(kFloat), key.to(kFloat), value.to(kFloat), wide(attn_mask), dropout_p, is_causal,
        dropout_mask, scale, enable_gqa);
    return {out.to(dtype), weights.to(dtype)};
  }
  TORCH_CHECK(!is_causal || !has_mask(attn_mask),
              "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  const double factor = attention_scale(query, scale), root = std::sqrt(std::abs(factor));
  const Tensor keys = enable_gqa ? repeated_heads(key, query.size(-3)) : key;
  const Tensor values = enable_gqa ? repeated_heads(value, query.size(-3)) : value;
  // One call after the other: what is captured must not depend on the compiler's order of arguments.
  const Tensor scaled_query = at::mul(query, factor < 0 ? -root : root);
  const Tensor scaled_keys = at::mul(keys.transpose(-2, -1), root);
  Tensor weights = at::matmul(scaled_query, scaled_keys);
  const std::optional<Tensor> mask = is_causal ? causal_mask(query, key) : additive(attn_mask, dtype);
  if (has_mask(mask)) weights = at::add(weights, *mask);
  weights = at::_safe_softmax(weights, -1);
  if (dropout_p > 0.0 && has_mask(dropout_mask)) {
    weights = at::masked_fill(weights, at::logical_not(*dropout_mask), 0.0);
    return {at::matmul(weights, at::mul(values, 1.0 / (1.0 - dropout_p))), weights};
  }
  if (dropout_p > 0.0) weights = at::dropout(weights, dropout_p, /*train=*/true);
  return {at::matmul(weights, values), weights};
}

// Rows of minus infinities only give zeros, not NaN.
Tensor _safe_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  const Tensor out = at::softmax(self, dim, dtype);
  const Tensor masked = at::eq(self, -std::numeric_limits<double>::infinity());
  const Tensor empty = at::all(masked, dim, /*keepdim=*/true);
  return at::where(empty, at::scalar_tensor(0.0, out.options()), out);
}

int64_t _fused_sdp_choice_meta(const Tensor& /*query*/, const Tensor& /*key*/, const Tensor& /*value*/,
                               const std::optional<Tensor>& /*attn_mask*/, double /*dropout_p*/,
                               bool /*is_causal*/, std::optional<double> /*scale*/, bool /*enable_gqa*/) {
  return static_cast<int64_t>(SDPBackend::math);
}

}  // namespace at::native
