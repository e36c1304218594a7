// Fused attention and its gradients, on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

#include <cstdint>

namespace at::native {

/// Larger heads don't fit in the shared memory that every device has.
constexpr int64_t max_attention_head_size = 128;

/// Query, out and logsumexp have `heads` heads, key and value may have fewer, which divide them; last
/// dimensions are contiguous. The mask (Float) may be undefined, else it is expanded to [batch, heads,
/// queries, keys].
struct AttentionOperands {
  TensorBase query, key, value, mask, out, logsumexp;
  double scale;
  bool causal;
};

/// Contiguous, of the dtype of query; `mask` (Float, [batch, heads, queries, keys]) may be undefined.
/// `delta` is a buffer with a Float for each row of `out`: that row times its gradient, summed.
struct AttentionBackwardOperands {
  TensorBase out, query, key, value, mask, delta;
};

void attention_on_device(const AttentionOperands& operands);
void attention_backward_on_device(const AttentionOperands& operands,
                                  const AttentionBackwardOperands& gradients);

/// Whether the kernels on tensor cores take this dtype on the current device; those above then call them.
bool attention_has_tensor_cores(ScalarType dtype);
void attention_by_tensor_cores(const AttentionOperands& operands);
/// Reads `delta`.
void attention_backward_by_tensor_cores(const AttentionOperands& operands,
                                        const AttentionBackwardOperands& gradients);

}  // namespace at::native
