// Reductions on the device. An operation Op has
//   using acc_t;  acc_t identity() const;  acc_t combine(acc_t, acc_t) const;
//   acc_t reduce(acc_t, In value, int64_t index) const;    index: the element's number among those reduced
//   Out project(acc_t, int64_t count) const;
// and Reduce is that of a Reducer. Blocks fold many elements of one output (rows) or one of each of many
// outputs (columns), whichever reads memory in order; where there are few outputs, several blocks share one
// and a second launch merges what they found.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/reduction/reducers.h>
#include <c10/core/Allocator.h>
#include <c10/core/DynamicCast.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace at::native {
namespace cuda_reduce {

constexpr int threads = 256;
constexpr int max_dims = 16;

// Dimensions, the fastest first; offsets in bytes.
struct Dims {
  int count = 0;
  int64_t sizes[max_dims];
  int64_t in_strides[max_dims];
  int64_t out_strides[max_dims];

  void push(int64_t size, int64_t in_stride, int64_t out_stride) {
    TORCH_CHECK(count < max_dims, "reductions over tensors of more than ", max_dims,
                " dimensions that can't be merged are not supported on CUDA");
    sizes[count] = size;
    in_strides[count] = in_stride;
    out_strides[count++] = out_stride;
  }
  int64_t numel() const {
    int64_t n = 1;
    for (int d = 0; d < count; ++d) n *= sizes[d];
    return n;
  }
  // Most indices fit 32 bits, whose division is many times faster.
  static __device__ int64_t divide(int64_t a, int64_t b) {
    const bool narrow = (static_cast<uint64_t>(a | b) >> 32) == 0;
    return narrow ? static_cast<int64_t>(static_cast<uint32_t>(a) / static_cast<uint32_t>(b)) : a / b;
  }
  __device__ void offsets(int64_t index, int64_t& in, int64_t& out) const {
    in = out = 0;
    for (int d = 0; d < count; ++d) {
      int64_t position = index;
      if (d + 1 < count) {
        const int64_t quotient = divide(index, sizes[d]);
        position = index - quotient * sizes[d];
        index = quotient;
      }
      in += position * in_strides[d];
      out += position * out_strides[d];
    }
  }
};

struct Plan {
  Dims folded, kept;
  const char* in;
  char* out;
  int64_t outputs, length;
  int rows, lanes;  // rows * lanes threads: `lanes` outputs per block, `rows` threads reduce each
  bool by_columns;  // neighbouring threads have neighbouring outputs
  int splits;       // blocks per output
  int64_t per_split;
};

inline int power_of_two_below(int64_t n, int most) {
  int p = 1;
  while (p < most && 2 * p <= n) p *= 2;
  return p;
}

// How threads and blocks share the elements of each output.
inline void share_elements(Plan& plan) {
  if (plan.by_columns) {
    plan.lanes = 32;
    plan.rows = power_of_two_below(plan.length, threads / plan.lanes);
  } else {
    plan.rows = power_of_two_below(plan.length, threads);
  }
  plan.lanes = threads / plan.rows;
  // Enough blocks to fill a device, as long as each has enough elements.
  constexpr int64_t wanted_blocks = 1024, least_per_thread = 16;
  const int64_t blocks = (plan.outputs + plan.lanes - 1) / plan.lanes;
  const int64_t most = plan.length / (int64_t{plan.rows} * least_per_thread);
  plan.splits =
      static_cast<int>(std::clamp<int64_t>(std::min((wanted_blocks + blocks - 1) / blocks, most), 1, 1024));
  plan.per_split = (plan.length + plan.splits - 1) / plan.splits;
}

inline Plan make_plan(const TensorIteratorBase& iter) {
  Plan plan{};
  plan.in = static_cast<const char*>(iter.data_ptr(1));
  plan.out = static_cast<char*>(iter.data_ptr(0));
  for (int d = 0; d < iter.ndim(); ++d) {
    const int64_t size = iter.shape()[d], in = iter.strides(1)[d], out = iter.strides(0)[d];
    if (size != 1) (out == 0 ? plan.folded : plan.kept).push(size, in, out);
  }
  plan.outputs = plan.kept.numel();
  plan.length = plan.folded.numel();
  const int64_t item = iter.element_size(1);
  plan.by_columns = plan.kept.count > 0 && plan.kept.in_strides[0] == item && plan.kept.sizes[0] >= 8 &&
                    plan.folded.count > 0 && plan.folded.in_strides[0] != item;
  share_elements(plan);
  return plan;
}

template <class In>
__device__ In load(const char* from, ScalarType dtype, bool converts) {
  return converts ? c10::fetch_and_cast<In>(dtype, from) : c10::load<In>(from);
}

// An accumulator as words: in shared memory those of neighbouring threads lie side by side.
template <class A>
struct Words {
  static constexpr int count = (sizeof(A) + 3) / 4;
  uint32_t word[count];

  __device__ explicit Words(const A& acc) { memcpy(word, &acc, sizeof(A)); }
  __device__ Words(const uint32_t (&shared)[count][threads], int thread) {
    for (int w = 0; w < count; ++w) word[w] = shared[w][thread];
  }
  __device__ void put(uint32_t (&shared)[count][threads], int thread) const {
    for (int w = 0; w < count; ++w) shared[w][thread] = word[w];
  }
  // Of the lane that many places behind this one.
  __device__ void shuffle_down(int distance) {
    for (int w = 0; w < count; ++w) word[w] = __shfl_down_sync(0xffffffffu, word[w], distance);
  }
  __device__ A acc() const {
    A result;
    memcpy(static_cast<void*>(&result), word, sizeof(A));
    return result;
  }
};
template <class A>
using SharedWords = uint32_t[Words<A>::count][threads];

// The accumulators of a block's threads, reduced over `rows`, of which the next one is `step` threads behind;
// row 0 has the results. Neighbours within a warp exchange theirs without shared memory. The last barrier
// comes after the last access to `shared`, which the next call may write at once.
template <class Op>
__device__ typename Op::acc_t fold_block(const Op& op, typename Op::acc_t acc,
                                         SharedWords<typename Op::acc_t>& shared, int row, int rows,
                                         int step) {
  using Acc = Words<typename Op::acc_t>;
  constexpr int warp = 32;
  const int t = static_cast<int>(threadIdx.x), least = step == 1 ? warp : 1;
  int half = rows / 2;
  if (half >= least) Acc(acc).put(shared, t);
  for (; half >= least; half /= 2) {
    __syncthreads();
    if (row < half) {
      acc = op.combine(acc, Acc(shared, t + half * step).acc());
      if (half > least) Acc(acc).put(shared, t);
    }
  }
  if (rows / 2 >= least) __syncthreads();
  for (; half > 0; half /= 2) {
    Acc other(acc);
    other.shuffle_down(half);
    acc = op.combine(acc, other.acc());
  }
  return acc;
}

// What one thread folds: element `i`, and every `rows`-th after it, before `end`; at(i) reads one.
template <class Op, class At>
__device__ typename Op::acc_t fold_elements(const Op& op, int64_t i, int64_t end, int rows, const At& at) {
  typename Op::acc_t acc = op.identity();
  typename Op::acc_t other = op.identity();  // a second, independent chain of additions
  for (; i + rows < end; i += 2 * rows) {
    acc = op.reduce(acc, at(i), i);
    other = op.reduce(other, at(i + rows), i + rows);
  }
  if (i < end) acc = op.reduce(acc, at(i), i);
  return op.combine(acc, other);
}

// Merges the parts of an output; thread 0 has the result.
template <class Op>
__device__ typename Op::acc_t merge_parts(const Op& op, const typename Op::acc_t* parts, int splits,
                                          SharedWords<typename Op::acc_t>& shared) {
  const int t = static_cast<int>(threadIdx.x);
  typename Op::acc_t acc = op.identity();
  for (int i = t; i < splits; i += threads) acc = op.combine(acc, parts[i]);
  return fold_block(op, acc, shared, t, threads, 1);
}

template <class In, class Out, class Op>
__global__ void __launch_bounds__(threads)
    fold_kernel(Plan plan, Op op, ScalarType in_dtype, bool converts, typename Op::acc_t* parts) {
  using acc_t = typename Op::acc_t;
  __shared__ SharedWords<acc_t> shared;
  const int t = static_cast<int>(threadIdx.x);
  const int row = plan.by_columns ? t / plan.lanes : t % plan.rows;
  const int lane = plan.by_columns ? t % plan.lanes : t / plan.rows;
  const int64_t begin = blockIdx.y * plan.per_split;
  const int64_t end = begin + plan.per_split < plan.length ? begin + plan.per_split : plan.length;
  // All threads of a block take part in every round.
  for (int64_t first = int64_t{blockIdx.x} * plan.lanes; first < plan.outputs;
       first += int64_t{gridDim.x} * plan.lanes) {
    const int64_t output = first + lane;
    acc_t acc = op.identity();
    int64_t in_base = 0, out_offset = 0;
    if (output < plan.outputs) {
      plan.kept.offsets(output, in_base, out_offset);
      const char* in = plan.in + in_base;
      acc = fold_elements(op, begin + row, end, plan.rows, [&](int64_t i) {
        int64_t at = 0, unused = 0;
        plan.folded.offsets(i, at, unused);
        return load<In>(in + at, in_dtype, converts);
      });
    }
    acc = fold_block(op, acc, shared, row, plan.rows, plan.by_columns ? plan.lanes : 1);
    if (row == 0 && output < plan.outputs) {
      if (plan.splits > 1) {
        parts[output * plan.splits + blockIdx.y] = acc;
      } else {
        *reinterpret_cast<Out*>(plan.out + out_offset) = op.project(acc, plan.length);
      }
    }
  }
}

// Merges the parts of one output per block.
template <class Out, class Op>
__global__ void __launch_bounds__(threads) merge_kernel(Plan plan, Op op, const typename Op::acc_t* parts) {
  using acc_t = typename Op::acc_t;
  __shared__ SharedWords<acc_t> shared;
  for (int64_t output = blockIdx.x; output < plan.outputs; output += gridDim.x) {
    const acc_t acc = merge_parts(op, parts + output * plan.splits, plan.splits, shared);
    if (threadIdx.x == 0) {
      int64_t unused = 0, out_offset = 0;
      plan.kept.offsets(output, unused, out_offset);
      *reinterpret_cast<Out*>(plan.out + out_offset) = op.project(acc, plan.length);
    }
  }
}

}  // namespace cuda_reduce

// A Reducer R (ops/reduction/reducers.h) of elements In, accumulated as A.
template <class R, class In, class Out, class A>
struct Reduce {
  using acc_t = A;
  __device__ A identity() const { return R::Combine::template identity<A>(); }
  __device__ A combine(A a, A b) const { return R::Combine::combine(a, b); }
  __device__ A reduce(A acc, In value, int64_t) const {
    return combine(acc, R::Map::of(static_cast<A>(value)));
  }
  __device__ Out project(A acc, int64_t count) const {
    return static_cast<Out>(R::Project::of(acc, static_cast<double>(count)));
  }
};

/// Reduces operand 1 of an iteration (see make_reduction) into operand 0. Elements are read as In, converted
/// where the operand has another dtype.
template <class In, class Out, class Op>
void gpu_reduce(TensorIteratorBase& iter, const Op& op) {
  using namespace cuda_reduce;
  using acc_t = typename Op::acc_t;
  if (iter.numel() == 0) return;
  const Plan plan = make_plan(iter);
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const bool converts = iter.dtype(1) != c10::CppTypeToScalarType<In>::value;
  c10::DataPtr parts;
  if (plan.splits > 1) {
    parts = c10::GetAllocator(c10::DeviceType::CUDA)->allocate(plan.outputs * plan.splits * sizeof(acc_t));
  }
  auto* parts_data = static_cast<acc_t*>(parts.get());
  const int64_t blocks = std::min<int64_t>((plan.outputs + plan.lanes - 1) / plan.lanes, int64_t{1} << 30);
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(plan.splits));
  fold_kernel<In, Out><<<grid, threads, 0, stream>>>(plan, op, iter.dtype(1), converts, parts_data);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  if (plan.splits > 1) {
    merge_kernel<Out>
        <<<static_cast<unsigned>(std::min<int64_t>(plan.outputs, int64_t{1} << 30)), threads, 0, stream>>>(
            plan, op, parts_data);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
}

}  // namespace at::native
