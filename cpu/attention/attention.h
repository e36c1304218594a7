// Attention on the CPU: softmax(scale * Q K^T + mask) V, block by block, and its gradients.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// A tensor [batch, heads, rows, head size] whose last dimension is contiguous; strides in elements.
struct AttentionTensor {
  void* data = nullptr;
  int64_t batch_stride = 0, head_stride = 0, row_stride = 0;
};

// Added to the scores [batch, heads, queries, keys]; in the kernel's compute type.
struct AttentionMask {
  const void* data = nullptr;
  int64_t batch_stride = 0, head_stride = 0, row_stride = 0, column_stride = 0;
};

struct AttentionProblem {
  c10::ScalarType dtype;
  int64_t batch, heads, key_heads;  // each key head serves heads / key_heads query heads
  int64_t queries, keys, head_size;
  double scale;
  bool causal;  // query i sees the keys up to i
  AttentionTensor query, key, value;
  AttentionMask mask;
  AttentionTensor out;
  // [batch, heads, queries] in the kernel's compute type; row_stride steps over queries.
  AttentionTensor logsumexp;
};

// The gradients are tensors of the dtype; those of key and value have `key_heads` heads.
struct AttentionGradients {
  AttentionTensor out, query, key, value;
};

using attention_fn = void (*)(const AttentionProblem& problem);
using attention_backward_fn = void (*)(const AttentionProblem& problem, const AttentionGradients& gradients);
DECLARE_DISPATCH(attention_fn, attention_kernel)
DECLARE_DISPATCH(attention_backward_fn, attention_backward_kernel)

}  // namespace at::native
