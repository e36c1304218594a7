// Scans along lines. A block scans a long line in pieces and carries the last state over; a few lanes scan a
// short one, beside the next. Of lines that lie side by side each lane has its own, so that accesses
// coalesce.
#pragma once

#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace at::native::scan_cuda {

constexpr int threads = 256, warp = 32;

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

// `width` lanes of a warp for each line, a power of two that isn't below n.
template <class Op>
__global__ void __launch_bounds__(threads) scan_short_lines_kernel(int64_t lines, int n, int width, Op op) {
  using State = typename Op::State;
  __shared__ alignas(16) char memory[threads * sizeof(State)];
  auto* states = reinterpret_cast<State*>(memory);
  const int t = static_cast<int>(threadIdx.x), i = t % width, per_block = threads / width;
  for (int64_t first = int64_t{blockIdx.x} * per_block; first < lines;
       first += int64_t{gridDim.x} * per_block) {
    const int64_t number = first + t / width;
    const bool is_used = number < lines && i < n;
    const auto line = op.line(is_used ? number : first);
    State state = is_used ? op.load(line, i) : op.identity();
    states[t] = state;
    __syncwarp();
    for (int distance = 1; distance < width; distance *= 2) {
      const State earlier = i >= distance ? states[t - distance] : op.identity();
      __syncwarp();
      state = op.combine(earlier, state);
      states[t] = state;
      __syncwarp();
    }
    if (is_used) op.store(line, i, state);
  }
}

// A warp's lanes have neighbouring lines, and each warp the next `steps` elements of them. What came before
// is known when all warps have scanned theirs.
template <class Op>
__global__ void __launch_bounds__(threads) scan_side_by_side_kernel(int64_t lines, int64_t n, Op op) {
  using State = typename Op::State;
  constexpr int steps = 8, warps = threads / warp;
  __shared__ alignas(16) char memory[threads * sizeof(State)];
  auto* totals = reinterpret_cast<State*>(memory);
  const int t = static_cast<int>(threadIdx.x), lane = t % warp;
  for (int64_t first = int64_t{blockIdx.x} * warp; first < lines; first += int64_t{gridDim.x} * warp) {
    const bool is_used = first + lane < lines;
    const auto line = op.line(is_used ? first + lane : first);
    State carry = op.identity();
    for (int64_t round = 0; round < n; round += warps * steps) {
      const int64_t begin = round + t / warp * steps;
      const int count = is_used ? static_cast<int>(std::clamp<int64_t>(n - begin, 0, steps)) : 0;
      State states[steps], running = op.identity(), before = op.identity();
      for (int k = 0; k < steps; ++k) {
        if (k < count) running = op.combine(running, op.load(line, begin + k));
        states[k] = running;
      }
      totals[t] = running;
      __syncthreads();
      for (int w = 0; w < warps; ++w) {
        if (w == t / warp) before = carry;
        carry = op.combine(carry, totals[w * warp + lane]);
      }
      for (int k = 0; k < steps; ++k) {
        if (k < count) op.store(line, begin + k, op.combine(before, states[k]));
      }
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
  constexpr int64_t enough_lines = 1 << 16;  // for a thread each
  if (adjacent && n <= warp) {
    const int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n)));
    scan_short_lines_kernel<<<blocks_for(lines, threads / width), threads, 0, stream>>>(
        lines, static_cast<int>(n), width, op);
  } else if (adjacent || (lines < 8 && n > warp)) {
    scan_line_kernel<<<blocks_for(lines, 1), threads, 0, stream>>>(lines, n, op);
  } else if (n <= warp || lines >= enough_lines) {
    scan_lines_kernel<<<blocks_for(lines, threads), threads, 0, stream>>>(lines, n, op);
  } else {
    scan_side_by_side_kernel<<<blocks_for(lines, warp), threads, 0, stream>>>(lines, n, op);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace at::native::scan_cuda
