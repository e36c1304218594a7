// What the attention backends share: their enum, the checks, and which arguments the fused kernels take.
#pragma once

#include <ATen/Context.h>
#include <ATen/core/TensorBase.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <cstdint>
#include <optional>

namespace at::native {

// What _fused_sdp_choice returns; the values are PyTorch's.
// NOLINTNEXTLINE(readability-identifier-naming): ATen's names
enum class SDPBackend : int64_t { error = -1, math = 0, flash_attention = 1, efficient_attention = 2 };

// Whether the program lets scaled_dot_product_attention choose it.
inline bool is_enabled(SDPBackend backend) {
  return (at::globalContext().enabledSDPBackends() >> static_cast<int64_t>(backend) & 1) != 0;
}

inline double attention_scale(const TensorBase& query, std::optional<double> scale) {
  return scale ? *scale : 1.0 / std::sqrt(static_cast<double>(query.size(-1)));
}

inline bool has_mask(const std::optional<TensorBase>& mask) { return mask && mask->defined(); }

// Whether [rows, columns] or [batch, heads, rows, columns] broadcasts to the scores.
inline bool mask_fits(const TensorBase& mask, const TensorBase& query, const TensorBase& key) {
  if (mask.dim() != 2 && mask.dim() != 4) return false;
  const int64_t scores[] = {query.size(0), query.size(1), query.size(2), key.size(2)};
  for (int64_t d = 0; d < mask.dim(); ++d) {
    const int64_t size = mask.size(d);
    if (size != 1 && size != scores[4 - mask.dim() + d]) return false;
  }
  return true;
}

// The requirements of every fused kernel: four dimensions of matching sizes, none of them empty, contiguous
// rows.
inline bool fits_fused_attention(const TensorBase& query, const TensorBase& key, const TensorBase& value,
                                 bool enable_gqa) {
  if (query.dim() != 4 || key.dim() != 4 || value.dim() != 4) return false;
  if (key.scalar_type() != query.scalar_type() || value.scalar_type() != query.scalar_type()) return false;
  if (key.size(0) != query.size(0) || value.size(0) != query.size(0)) return false;
  if (key.size(1) != value.size(1) || key.size(2) != value.size(2)) return false;
  if (key.size(3) != query.size(3) || value.size(3) != query.size(3)) return false;
  const bool grouped = enable_gqa && key.size(1) > 0 && query.size(1) % key.size(1) == 0;
  if (key.size(1) != query.size(1) && !grouped) return false;
  if (query.size(2) == 0 || key.size(2) == 0) return false;
  return query.stride(3) == 1 && key.stride(3) == 1 && value.stride(3) == 1;
}

// Throws unless the kernels can take these.
inline void check_fused_attention(const char* name, const TensorBase& query, const TensorBase& key,
                                  const TensorBase& value, double dropout_p) {
  TORCH_CHECK(query.dim() == 4 && key.dim() == 4 && value.dim() == 4, name,
              ": expected query, key and value of 4 dimensions (batch, heads, rows, head size), got ",
              query.sizes(), ", ", key.sizes(), " and ", value.sizes());
  TORCH_CHECK(key.device() == query.device() && value.device() == query.device(), name,
              ": expected query, key and value on one device, got ", query.device(), ", ", key.device(),
              " and ", value.device());
  TORCH_CHECK(dropout_p == 0.0, name, ": dropout is not supported, got dropout_p ", dropout_p);
  TORCH_CHECK(isFloatingType(query.scalar_type()), name, ": expected Float, Double, BFloat16 or Half, got ",
              query.scalar_type());
  TORCH_CHECK(key.scalar_type() == query.scalar_type() && value.scalar_type() == query.scalar_type(), name,
              ": expected query, key and value of one dtype, got ", query.scalar_type(), ", ",
              key.scalar_type(), " and ", value.scalar_type());
  TORCH_CHECK(key.size(3) == query.size(3) && value.size(3) == query.size(3), name,
              ": query, key and value should have the same head size, got ", query.size(3), ", ", key.size(3),
              " and ", value.size(3));
  TORCH_CHECK(key.size(0) == query.size(0) && value.size(0) == query.size(0), name,
              ": query, key and value should have the same batch size, got ", query.size(0), ", ",
              key.size(0), " and ", value.size(0));
  TORCH_CHECK(key.size(1) == value.size(1) && key.size(2) == value.size(2), name,
              ": key and value should have the same heads and rows, got ", key.sizes(), " and ",
              value.sizes());
  TORCH_CHECK(query.size(1) == key.size(1) || (key.size(1) > 0 && query.size(1) % key.size(1) == 0), name,
              ": the heads of key and value must divide those of query, got ", key.size(1), " and ",
              query.size(1));
}

inline void check_attention_mask(const char* name, const std::optional<TensorBase>& mask,
                                 const TensorBase& query, const TensorBase& key) {
  if (!has_mask(mask)) return;
  TORCH_CHECK(mask->device() == query.device(), name, ": expected attn_mask on query's device ",
              query.device(), ", got ", mask->device());
  TORCH_CHECK(mask->scalar_type() == query.scalar_type() || mask->scalar_type() == kFloat, name,
              ": expected attn_mask of query's dtype ", query.scalar_type(), " or Float, got ",
              mask->scalar_type());
  TORCH_CHECK(mask_fits(*mask, query, key), name, ": attn_mask of sizes ", mask->sizes(),
              " doesn't broadcast to (", query.size(0), ", ", query.size(1), ", ", query.size(2), ", ",
              key.size(2), ")");
}

// The sizes of the gradient and of the forward results.
inline void check_attention_gradient(const char* name, const TensorBase& grad, const TensorBase& out,
                                     const TensorBase& logsumexp, const TensorBase& query) {
  TORCH_CHECK(grad.sizes() == query.sizes() && out.sizes() == query.sizes(), name,
              ": expected grad_out and out of query's sizes ", query.sizes(), ", got ", grad.sizes(), " and ",
              out.sizes());
  TORCH_CHECK(grad.scalar_type() == query.scalar_type() && out.scalar_type() == query.scalar_type(), name,
              ": expected grad_out and out of query's dtype ", query.scalar_type(), ", got ",
              grad.scalar_type(), " and ", out.scalar_type());
  TORCH_CHECK(grad.device() == query.device() && out.device() == query.device() &&
                  logsumexp.device() == query.device(),
              name, ": expected grad_out, out and logsumexp on query's device ", query.device(), ", got ",
              grad.device(), ", ", out.device(), " and ", logsumexp.device());
  TORCH_CHECK(logsumexp.sizes() == query.sizes().slice(0, 3), name, ": expected logsumexp of sizes ",
              query.sizes().slice(0, 3), ", got ", logsumexp.sizes());
}

}  // namespace at::native
