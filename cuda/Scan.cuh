// Scans along lines: a block scans a line in pieces and carries the last state over; where neighbouring lines
// are adjacent in memory, each thread scans a line, so that accesses coalesce.
#pragma once

#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <cstdint>

namespace at::native::scan_cuda {

constexpr int threads = 256;

// An Op has a type State, identity(), combine(earlier, later), which is associative, line(number), load(line,
// i) and store(line, i, state).

template <class Op>
__global__ void __launch_bounds__(threads) scan_line_kernel(int64_t lines, int64_t n, Op op) {
  using State = typename Op::State;
  __shared__ alignas(16) char memory[threads * sizeof(State)];
  auto* states = reinterpret_cast<State*>(memory);
  const int t = static_cast<int>(threadIdx.x);
  for (int64_t number = blockIdx.x; number < lines; number += gridDim.x) {
    const auto line = op.line(number);
    State carry = op.identity();
    for (int64_t first = 0; first < n; first += threads) {
      const int64_t i = first + t;
      State state = i < n ? op.load(line, i) : op.identity();
      states[t] = state;
      __syncthreads();
      for (int distance = 1; distance < threads; distance *= 2) {
        const State earlier = t >= distance ? states[t - distance] : op.identity();
        __syncthreads();
        state = op.combine(earlier, state);
        states[t] = state;
        __syncthreads();
      }
      if (i < n) op.store(line, i, op.combine(carry, state));
      carry = op.combine(carry, states[threads - 1]);
      __syncthreads();
    }
  }
}

template <class Op>
__global__ void __launch_bounds__(threads) scan_lines_kernel(int64_t lines, int64_t n, Op op) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * threads;
  for (int64_t number = static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x; number < lines;
       number += step) {
    const auto line = op.line(number);
    auto state = op.identity();
    for (int64_t i = 0; i < n; ++i) {
      state = op.combine(state, op.load(line, i));
      op.store(line, i, state);
    }
  }
}

/// Scans `lines` lines of `n` elements; `adjacent`: a line's elements are contiguous.
template <class Op>
void scan(int64_t lines, int64_t n, bool adjacent, const Op& op) {
  if (lines == 0 || n == 0) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  if ((!adjacent && lines >= 128) || n < 32) {
    scan_lines_kernel<<<blocks_for(lines, threads), threads, 0, stream>>>(lines, n, op);
  } else {
    scan_line_kernel<<<blocks_for(lines, 1), threads, 0, stream>>>(lines, n, op);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace at::native::scan_cuda
