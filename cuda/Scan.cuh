// Scans along lines. A block scans a long line, or a part of it where lines are few, in pieces and carries
// the last state over; a few lanes scan a short one, beside the next. Of lines that lie side by side each
// lane has its own, so that accesses coalesce.
//
//     a long line     threads  0 1 ... 255 | 0 1 ... 255 | ...    pieces, each after the carry of the last
//     one in parts    blocks   0 0 ... 0 1 1 ... 1 2 2 ... 2      lasts of parts first, then the parts
//     short lines     lanes    0 1 2 3 | 4 5 6 7 | ...            four for each line of three or four
//     side by side    lanes are lines, warps the next 8 elements of each
//
// A piece is scanned as by Hillis and Steele (1986). A line in parts is read twice, by two launches.
// Decoupled look-back (Merrill and Garland, 2016; cub::DeviceScan) reads it once, but combines states in an
// order that depends on which block comes first, and sums of floats would differ from run to run.
#pragma once

#include <ATen/native/cuda/Launch.h>
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace at::native::scan_cuda {

constexpr int threads = 256, warp = 32;

// An Op has a type State, identity(), combine(earlier, later), which is associative, line(number), load(line,
// i) and store(line, i, state).

/// The inclusive scan of the threads' states, in their order; all threads of the block call it. A barrier
/// must come before the next call.
template <class Op>
__device__ typename Op::State scan_block(const Op& op, typename Op::State state, typename Op::State* states) {
  const int t = static_cast<int>(threadIdx.x);
  states[t] = state;
  __syncthreads();
  for (int distance = 1; distance < threads; distance *= 2) {
    const typename Op::State earlier = t >= distance ? states[t - distance] : op.identity();
    __syncthreads();
    state = op.combine(earlier, state);
    states[t] = state;
    __syncthreads();
  }
  return state;
}

/// Scans the states load(i) of [begin, end), which come after `carry`, into store(i, state); returns the
/// last.
template <class Op, class Load, class Store>
__device__ typename Op::State scan_range(const Op& op, int64_t begin, int64_t end, typename Op::State carry,
                                         typename Op::State* states, const Load& load, const Store& store) {
  for (int64_t first = begin; first < end; first += threads) {
    const int64_t i = first + threadIdx.x;
    const typename Op::State state = scan_block(op, i < end ? load(i) : op.identity(), states);
    if (i < end) store(i, op.combine(carry, state));
    carry = op.combine(carry, states[threads - 1]);
    __syncthreads();
  }
  return carry;
}

template <class Op>
__global__ void __launch_bounds__(threads) scan_line_kernel(int64_t lines, int64_t n, Op op) {
  using State = typename Op::State;
  __shared__ alignas(16) char memory[threads * sizeof(State)];
  for (int64_t number = blockIdx.x; number < lines; number += gridDim.x) {
    const auto line = op.line(number);
    scan_range(
        op, 0, n, op.identity(), reinterpret_cast<State*>(memory),
        [&](int64_t i) { return op.load(line, i); },
        [&](int64_t i, const State& state) { op.store(line, i, state); });
  }
}

// Few long lines are scanned in parts, a block each: the first kernel finds the last state of each part but
// the last one, the second scans what comes before its part, then the part. Which states are combined depends
// on sizes only, so that sums have the same bits in each run. Blocks: parts by lines.
template <class Op>
__global__ void __launch_bounds__(threads)
    fold_parts_kernel(int64_t per_part, Op op, typename Op::State* lasts) {
  using State = typename Op::State;
  __shared__ alignas(16) char memory[threads * sizeof(State)];
  const auto line = op.line(blockIdx.y);
  const int64_t begin = blockIdx.x * per_part;
  const State last = scan_range(
      op, begin, begin + per_part, op.identity(), reinterpret_cast<State*>(memory),
      [&](int64_t i) { return op.load(line, i); }, [](int64_t, const State&) {});
  if (threadIdx.x == 0) lasts[blockIdx.y * gridDim.x + blockIdx.x] = last;
}

template <class Op>
__global__ void __launch_bounds__(threads)
    scan_parts_kernel(int64_t n, int64_t per_part, Op op, const typename Op::State* lasts) {
  using State = typename Op::State;
  __shared__ alignas(16) char memory[threads * sizeof(State)];
  auto* states = reinterpret_cast<State*>(memory);
  const auto line = op.line(blockIdx.y);
  const State* of_line = lasts + int64_t{blockIdx.y} * (gridDim.x - 1);
  const State before = scan_range(
      op, 0, blockIdx.x, op.identity(), states, [&](int64_t i) { return of_line[i]; },
      [](int64_t, const State&) {});
  const int64_t begin = blockIdx.x * per_part, end = begin + per_part < n ? begin + per_part : n;
  scan_range(
      op, begin, end, before, states, [&](int64_t i) { return op.load(line, i); },
      [&](int64_t i, const State& state) { op.store(line, i, state); });
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

constexpr int64_t least_per_part = 16 * threads;  // elements

template <class Op>
void scan_long_lines(int64_t lines, int64_t n, const Op& op) {
  using State = typename Op::State;
  constexpr int64_t wanted_blocks = 1024;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const int64_t most = std::max<int64_t>(std::min(wanted_blocks / lines, n / least_per_part), 1);
  const int64_t per_part = (n + most - 1) / most, parts = (n + per_part - 1) / per_part;
  if (parts == 1) {
    scan_line_kernel<<<blocks_for(lines, 1), threads, 0, stream>>>(lines, n, op);
    return;
  }
  const c10::DataPtr memory =
      c10::GetAllocator(c10::DeviceType::CUDA)->allocate(lines * (parts - 1) * sizeof(State));
  auto* lasts = static_cast<State*>(memory.get());
  const auto x = static_cast<unsigned>(parts), y = static_cast<unsigned>(lines);
  fold_parts_kernel<<<dim3(x - 1, y), threads, 0, stream>>>(per_part, op, lasts);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  scan_parts_kernel<<<dim3(x, y), threads, 0, stream>>>(n, per_part, op, lasts);
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
    scan_long_lines(lines, n, op);
  } else if (n <= warp || lines >= enough_lines) {
    scan_lines_kernel<<<blocks_for(lines, threads), threads, 0, stream>>>(lines, n, op);
  } else {
    scan_side_by_side_kernel<<<blocks_for(lines, warp), threads, 0, stream>>>(lines, n, op);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace at::native::scan_cuda
