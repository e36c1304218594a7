// The operands of the attention kernels.
#pragma once

#include <ATen/native/cuda/attention/attention.h>

#include <c10/util/Exception.h>

#include <type_traits>

namespace at::native::attention_cuda {

template <class T>
struct Heads {
  T* data;
  int64_t batch_stride, head_stride, row_stride;
  __device__ T* row(int64_t batch, int64_t head, int64_t row) const {
    return data + batch * batch_stride + head * head_stride + row * row_stride;
  }
};

struct Mask {
  const float* data;
  int64_t batch_stride, head_stride, row_stride, column_stride;
  __device__ float at(int64_t batch, int64_t head, int64_t row, int64_t column) const {
    if (data == nullptr) return 0.0f;
    return data[batch * batch_stride + head * head_stride + row * row_stride + column * column_stride];
  }
};

template <class T>
struct Problem {
  Heads<const T> query, key, value;
  Mask mask;
  Heads<T> out;
  Heads<float> logsumexp;
  int64_t heads, group, queries, keys;
  int size;
  float scale;
  bool causal;

  __device__ bool sees(int64_t query_row, int64_t key_row) const {
    return query_row < queries && key_row < keys && (!causal || key_row <= query_row);
  }
};

template <class T>
struct Gradients {
  Heads<const T> out;
  Heads<T> query, key, value;
  Heads<float> mask;  // null: not wanted
  float* delta;       // out times its gradient, summed by row: [batch, head, query]
};

template <class T>
Heads<T> heads_of(const TensorBase& t) {
  if (!t.defined()) return {};
  using Number = std::remove_const_t<T>;
  return {const_cast<Number*>(t.const_data_ptr<Number>()), t.stride(0), t.stride(1), t.stride(2)};
}

template <class T>
Problem<T> problem_of(const AttentionOperands& o) {
  Mask mask{};
  if (o.mask.defined()) {
    mask = {o.mask.const_data_ptr<float>(), o.mask.stride(0), o.mask.stride(1), o.mask.stride(2),
            o.mask.stride(3)};
  }
  return {heads_of<const T>(o.query),
          heads_of<const T>(o.key),
          heads_of<const T>(o.value),
          mask,
          heads_of<T>(o.out),
          heads_of<float>(o.logsumexp),
          o.query.size(1),
          o.query.size(1) / o.key.size(1),
          o.query.size(2),
          o.key.size(2),
          static_cast<int>(o.query.size(3)),
          static_cast<float>(o.scale),
          o.causal};
}

template <class T>
Gradients<T> gradients_of(const AttentionBackwardOperands& s) {
  return {heads_of<const T>(s.out), heads_of<T>(s.query),    heads_of<T>(s.key),
          heads_of<T>(s.value),     heads_of<float>(s.mask), s.delta.mutable_data_ptr<float>()};
}

inline dim3 grid_of(int64_t rows, int tile, int64_t heads) {
  TORCH_CHECK(heads <= 65535, "attention on CUDA: at most 65535 heads in all batches together, got ", heads);
  return dim3(static_cast<unsigned>((rows + tile - 1) / tile), static_cast<unsigned>(heads));
}

}  // namespace at::native::attention_cuda
