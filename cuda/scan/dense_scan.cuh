// Scans of contiguous tensors.
#pragma once

#include <ATen/AccumulateType.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/Lines.h>
#include <c10/core/DynamicCast.h>
#include <ATen/native/cuda/Scan.cuh>

namespace at::native {
namespace scan_cuda {

// The positions of a line's elements in a contiguous tensor.
struct Dense {
  int64_t n, inner;

  explicit Dense(const Lines& lines) : n(lines.n), inner(lines.inner) {}
  __device__ int64_t line(int64_t number) const { return number / inner * n * inner + number % inner; }
  __device__ int64_t at(int64_t line, int64_t i) const { return line + i * inner; }
};

template <class T, class Combine>
struct Running : Dense {
  using State = at::acc_type<T, true>;
  const T* in;
  T* out;
  State start;
  Combine combine_states;

  Running(const Lines& lines, const TensorBase& self, const TensorBase& result, State start)
      : Dense(lines), in(self.const_data_ptr<T>()), out(result.mutable_data_ptr<T>()), start(start) {}
  __device__ State identity() const { return start; }
  __device__ State combine(State earlier, State later) const { return combine_states(earlier, later); }
  __device__ State load(int64_t line, int64_t i) const {
    return static_cast<State>(c10::load<T>(in + at(line, i)));
  }
  __device__ void store(int64_t line, int64_t i, State state) const {
    out[at(line, i)] = static_cast<T>(state);
  }
};

template <class Op>
void scan_dense(const Lines& lines, const Op& op) {
  scan(lines.outer * lines.inner, lines.n, lines.inner == 1, op);
}

}  // namespace scan_cuda
}  // namespace at::native
