// Flash attention of 16-bit floats on tensor cores: FlashAttention-2 (Dao, 2023), with the online softmax of
// Milakov and Gimelshein (2018). Products and sums are floats, the factors of products 16-bit numbers.
//
// Each warp has 16 rows, of queries or, for the gradients of keys and values, of keys. A block goes through
// the rows of the other side, 32 at a time, which it loads for all of its warps. Rows in shared memory are
// padded by 8 numbers. Results of a warp, 16 rows of `size`, are accumulators in registers.
//
//     forward                                     gradients
//     query   64 rows                             own                     64 rows, 32 for heads beyond 64
//     key     32 rows                             own_grad_or_value       as many
//     value   32 rows                             other                   32 rows
//     scores  16 x 36 floats for each warp        other_grad_or_value     32 rows
//                                                 scores, score_grads     16 x 36 floats each for each warp
//
// The memory of 16 rows of scores is used again: their exponentials, or probabilities, are 16-bit numbers in
// the first half of each row; in the second half are 16 copies of the factor that scales the row's earlier
// sums.
#include <ATen/native/cuda/attention/tiles.cuh>

#include <ATen/Dispatch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <atomic>

namespace at::native {
namespace attention_cuda {

constexpr int forward_warps = 4, forward_rows = forward_warps * side;
// Four tiles are in shared memory: with heads beyond 64 for half of the warps.
template <int Parts>
constexpr int backward_warps = Parts <= 4 ? 4 : 2;

// -------------------- Forward

// Of a row of queries: the highest score so far, and the sum of the exponentials.
struct Softmax {
  float highest = -INFINITY, sum = 0.0f;
};

// scores = scores * scale + mask, by a lane for each key.
template <class T>
__device__ void add_mask(const Problem<T>& p, float* scores, int64_t batch, int64_t head, int64_t first_query,
                         int64_t first_key) {
  const int64_t key = first_key + lane_of_warp();
  for (int row = 0; row < side; ++row) {
    if (first_query + row >= p.queries || key >= p.keys) continue;
    float& score = scores[row * score_stride + lane_of_warp()];
    score = score * p.scale + p.mask.at(batch, head, first_query + row, key);
  }
}

// Two lanes have a row: its scores become 16-bit exponentials, in the first half of the row's memory, and 16
// times the factor by which the new highest score changes what was summed, behind them.
template <class T>
__device__ void online_softmax_step(float* scores, float scale, int64_t seen, Softmax& softmax) {
  constexpr int own = tile_columns / 2;
  const int part = lane_of_warp() % 2;
  float* row = scores + lane_of_warp() / 2 * score_stride;
  alignas(16) float values[own];
  float highest = softmax.highest, sum = 0.0f;
#pragma unroll
  for (int i = 0; i < own; i += 4) {
    *reinterpret_cast<float4*>(values + i) = *reinterpret_cast<const float4*>(row + part * own + i);
  }
#pragma unroll
  for (int i = 0; i < own; ++i) {
    values[i] = part * own + i < seen ? values[i] * scale : -INFINITY;
    highest = fmaxf(highest, values[i]);
  }
  highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, 1));
  const float shift = highest == -INFINITY ? 0.0f : highest, factor = expf(softmax.highest - shift);
  Chunk made[own / chunk];
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const float value = expf(values[i] - shift);
    sum += value;
    made[i / chunk].bits[i % chunk] = T(value).x;
  }
  softmax = {highest, softmax.sum * factor + sum + __shfl_xor_sync(~0u, sum, 1)};
  __syncwarp();  // all have read their scores
  for (int i = 0; i < own / chunk; ++i) reinterpret_cast<Chunk*>(row)[part * (own / chunk) + i] = made[i];
  for (int i = 0; i < side / 2; i += 4) {
    const float4 four{factor, factor, factor, factor};
    *reinterpret_cast<float4*>(row + side + part * (side / 2) + i) = four;
  }
}

template <class T, int Parts>
__device__ void attend(const Problem<T>& p, TileMemory* shared) {
  auto* memory = reinterpret_cast<Number<T>*>(shared);
  const int stride = row_stride(p.size), warp = static_cast<int>(threadIdx.x) / warpSize;
  const Tile<T> query{memory, p.size}, key{memory + forward_rows * stride, p.size},
      value{memory + (forward_rows + tile_columns) * stride, p.size};
  float* scores =
      reinterpret_cast<float*>(memory + (forward_rows + 2 * tile_columns) * stride) + warp * warp_scores;
  const int64_t batch = blockIdx.y / p.heads, head = blockIdx.y % p.heads,
                first_row = int64_t{blockIdx.x} * forward_rows, first_own = first_row + warp * side,
                own = first_own + lane_of_warp() / 2, end_own = min(p.queries, first_own + side);
  Softmax softmax;
  WarpRows<T, Parts> sums;
  sums.clear();
  query.load(p.query, batch, head, first_row, p.queries, forward_rows);
  const int64_t end = p.causal ? min(p.keys, first_row + forward_rows) : p.keys;
  for (int64_t first = 0; first < end; first += tile_columns) {
    __syncthreads();
    key.load(p.key, batch, head / p.group, first, p.keys, tile_columns);
    value.load(p.value, batch, head / p.group, first, p.keys, tile_columns);
    __syncthreads();
    if (first_own >= p.queries || (p.causal && first >= end_own)) continue;  // nothing for this warp
    multiply_rows(scores, query, warp * side, key);
    __syncwarp();
    const bool is_masked = p.mask.data != nullptr;
    if (is_masked) add_mask(p, scores, batch, head, first_own, first);
    if (is_masked) __syncwarp();
    const int64_t seen = (p.causal ? min(p.keys, own + 1) : p.keys) - first;
    online_softmax_step<T>(scores, is_masked ? 1.0f : p.scale, seen, softmax);
    __syncwarp();
    sums.scale(scores + side, p.size);
    sums.add(scores, value);
  }
  const float factor = softmax.sum == 0.0f ? 0.0f : 1.0f / softmax.sum;
  sums.write(p.out, batch, head, first_own, p.queries, p.size, factor, scores);
  if (p.logsumexp.data == nullptr || own >= p.queries || lane_of_warp() % 2 != 0) return;
  *p.logsumexp.row(batch, head, own) = softmax.sum == 0.0f ? 0.0f : softmax.highest + logf(softmax.sum);
}

template <class T, int Parts>
__global__ void __launch_bounds__(forward_warps * 32) attend_kernel(Problem<T> p) {
  extern __shared__ TileMemory shared[];
  if constexpr (WmmaType<T>::is_supported) attend<T, Parts>(p, shared);
}

// -------------------- Gradients

// What a warp knows of a query: by the lane that has it.
struct RowValues {
  float logsumexp = 0.0f, delta = 0.0f;

  template <class T>
  __device__ void read(const Problem<T>& p, const Gradients<T>& g, int64_t batch, int64_t head,
                       int64_t query) {
    *this = {};
    if (query >= p.queries) return;
    logsumexp = *p.logsumexp.row(batch, head, query);
    delta = g.delta[(batch * p.heads + head) * p.queries + query];
  }
  __device__ RowValues of_lane(int lane) const {
    RowValues result;
    result.logsumexp = __shfl_sync(~0u, logsumexp, lane);
    result.delta = __shfl_sync(~0u, delta, lane);
    return result;
  }
};

// Scores become probabilities, and `score_grads`, the gradients of probabilities, those of scores: 16-bit
// numbers in the first half of each row's memory. A lane has a column.
template <class T, bool ByKey>
__device__ void differentiate(const Problem<T>& p, const Gradients<T>& g, float* scores, float* score_grads,
                              const RowValues& known, int64_t batch, int64_t head, int64_t first_own,
                              int64_t first_other) {
  constexpr int rows = 8;
  const int lane = lane_of_warp();
  const int64_t other = first_other + lane;
  for (int begin = 0; begin < side; begin += rows) {
    T probabilities[rows], grads[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const int row = begin + i;
      const int64_t own = first_own + row, query = ByKey ? other : own, key = ByKey ? own : other;
      const RowValues of_query = ByKey ? known : known.of_lane(row);
      float probability = 0.0f, grad = 0.0f;
      if (p.sees(query, key)) {
        const float score = scores[row * score_stride + lane] * p.scale + p.mask.at(batch, head, query, key);
        probability = expf(score - of_query.logsumexp);
        grad = probability * (score_grads[row * score_stride + lane] - of_query.delta);
      }
      if (!ByKey && g.mask.data != nullptr && query < p.queries && key < p.keys) {
        g.mask.row(batch, head, query)[key] = grad;
      }
      probabilities[i] = T(probability);
      grads[i] = T(grad);
    }
    __syncwarp();  // all have read these rows
    for (int i = 0; i < rows; ++i) {
      const int at = (begin + i) * 2 * score_stride + lane;
      if (ByKey) reinterpret_cast<T*>(scores)[at] = probabilities[i];
      reinterpret_cast<T*>(score_grads)[at] = grads[i];
    }
  }
}

// What is in shared memory: rows that the block keeps, tiles of the others, and the scores of this warp.
template <class T>
struct GradientTiles {
  Tile<T> own, own_grad_or_value, other, other_grad_or_value;
  float *scores, *score_grads;

  __device__ GradientTiles(TileMemory* shared, int rows, int size, int warp) {
    auto* memory = reinterpret_cast<Number<T>*>(shared);
    const int stride = row_stride(size);
    own = {memory, size};
    own_grad_or_value = {memory + rows * stride, size};
    other = {memory + 2 * rows * stride, size};
    other_grad_or_value = {memory + (2 * rows + tile_columns) * stride, size};
    scores = reinterpret_cast<float*>(memory + 2 * (rows + tile_columns) * stride) + 2 * warp * warp_scores;
    score_grads = scores + warp_scores;
  }
};

// The gradients of queries or, ByKey, of keys and values: by rows of these, which a block keeps, and tiles of
// the others.
template <class T, int Parts, bool ByKey>
__device__ void find_gradients(const Problem<T>& p, const Gradients<T>& g, TileMemory* shared) {
  constexpr int rows = backward_warps<Parts> * side;
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  const GradientTiles<T> t(shared, rows, p.size, warp);
  const int64_t own_heads = ByKey ? p.heads / p.group : p.heads, group = ByKey ? p.group : 1,
                batch = blockIdx.y / own_heads, own_head = blockIdx.y % own_heads,
                first_row = int64_t{blockIdx.x} * rows, first_own = first_row + warp * side,
                own_end = ByKey ? p.keys : p.queries;
  t.own.load(ByKey ? p.key : p.query, batch, own_head, first_row, own_end, rows);
  t.own_grad_or_value.load(ByKey ? p.value : g.out, batch, own_head, first_row, own_end, rows);
  WarpRows<T, Parts> sums, value_sums;
  sums.clear();
  if (ByKey) value_sums.clear();
  RowValues known;
  if (!ByKey && lane_of_warp() < side) known.read(p, g, batch, own_head, first_own + lane_of_warp());
  const int64_t begin = ByKey && p.causal ? first_row / tile_columns * tile_columns : 0,
                end = ByKey      ? p.queries
                      : p.causal ? min(p.keys, first_row + rows)
                                 : p.keys;
  for (int64_t head = own_head * group; head < (own_head + 1) * group; ++head) {
    const int64_t other_head = ByKey ? head : head / p.group;
    for (int64_t first = begin; first < end; first += tile_columns) {
      __syncthreads();
      t.other.load(ByKey ? p.query : p.key, batch, other_head, first, end, tile_columns);
      t.other_grad_or_value.load(ByKey ? g.out : p.value, batch, other_head, first, end, tile_columns);
      __syncthreads();
      if (ByKey) known.read(p, g, batch, head, first + lane_of_warp());
      multiply_rows(t.scores, t.own, warp * side, t.other);
      multiply_rows(t.score_grads, t.own_grad_or_value, warp * side, t.other_grad_or_value);
      __syncwarp();
      differentiate<T, ByKey>(p, g, t.scores, t.score_grads, known, batch, head, first_own, first);
      __syncwarp();
      sums.add(t.score_grads, t.other);
      if (ByKey) value_sums.add(t.scores, t.other_grad_or_value);
    }
  }
  sums.write(ByKey ? g.key : g.query, batch, own_head, first_own, own_end, p.size, p.scale, t.scores);
  if (ByKey) value_sums.write(g.value, batch, own_head, first_own, own_end, p.size, 1.0f, t.scores);
}

template <class T, int Parts, bool ByKey>
__global__ void __launch_bounds__(backward_warps<Parts> * 32) gradient_kernel(Problem<T> p, Gradients<T> g) {
  extern __shared__ TileMemory shared[];
  if constexpr (WmmaType<T>::is_supported) find_gradients<T, Parts, ByKey>(p, g, shared);
}

// -------------------- Launches

// Of `rows` rows that stay, of each of `tiles` matrices.
size_t shared_bytes(int64_t size, int tiles, int rows, int others, int scores) {
  const size_t numbers = static_cast<size_t>(row_stride(static_cast<int>(size))) *
                         static_cast<size_t>(tiles * rows + others * tile_columns);
  return 2 * numbers + sizeof(float) * static_cast<size_t>(scores) * warp_scores;
}

template <class T, int Parts>
void run_forward(const AttentionOperands& o) {
  const size_t bytes = shared_bytes(o.query.size(3), 1, forward_rows, 2, forward_warps);
  const dim3 grid = grid_of(o.query.size(2), forward_rows, o.query.size(0) * o.query.size(1));
  attend_kernel<T, Parts>
      <<<grid, forward_warps * 32, bytes, c10::cuda::getCurrentCUDAStream()>>>(problem_of<T>(o));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <class T, int Parts>
void run_backward(const AttentionOperands& o, const AttentionBackwardOperands& s) {
  constexpr int warps = backward_warps<Parts>, rows = warps * side;
  const auto stream = c10::cuda::getCurrentCUDAStream();
  const size_t bytes = shared_bytes(o.query.size(3), 2, rows, 2, 2 * warps);
  const Problem<T> problem = problem_of<T>(o);
  const Gradients<T> gradients = gradients_of<T>(s);
  const dim3 by_query = grid_of(o.query.size(2), rows, o.query.size(0) * o.query.size(1));
  gradient_kernel<T, Parts, false><<<by_query, warps * 32, bytes, stream>>>(problem, gradients);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  const dim3 by_key = grid_of(o.key.size(2), rows, o.key.size(0) * o.key.size(1));
  gradient_kernel<T, Parts, true><<<by_key, warps * 32, bytes, stream>>>(problem, gradients);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// ---- which code the device runs

int capability_of_current_device() {
  static std::atomic<int> known[c10::cuda::max_devices];
  std::atomic<int>& capability = known[c10::cuda::current_device()];
  if (capability == 0) {
    cudaDeviceProp found{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&found, c10::cuda::current_device()));
    capability = 100 * found.major + 10 * found.minor;
  }
  return capability;
}

// The architecture that the kernels were compiled for, of those that this device runs.
int compiled_architecture() {
  int newest = 0;
  for (const int one : {__CUDA_ARCH_LIST__}) {
    if (one <= capability_of_current_device()) newest = std::max(newest, one);
  }
  return newest;
}

}  // namespace attention_cuda

bool attention_has_tensor_cores(ScalarType dtype) {
  if (dtype == kHalf) return attention_cuda::compiled_architecture() >= 700;
  return dtype == kBFloat16 && attention_cuda::compiled_architecture() >= 800;
}

void attention_by_tensor_cores(const AttentionOperands& operands) {
  AT_DISPATCH_SWITCH(operands.query.scalar_type(), "attention_cuda",
                     AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES([&] {
                       operands.query.size(3) <= 64 ? attention_cuda::run_forward<scalar_t, 4>(operands)
                                                    : attention_cuda::run_forward<scalar_t, 8>(operands);
                     }));
}

void attention_backward_by_tensor_cores(const AttentionOperands& operands,
                                        const AttentionBackwardOperands& gradients) {
  AT_DISPATCH_SWITCH(
      operands.query.scalar_type(), "attention_backward_cuda", AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES([&] {
        operands.query.size(3) <= 64 ? attention_cuda::run_backward<scalar_t, 4>(operands, gradients)
                                     : attention_cuda::run_backward<scalar_t, 8>(operands, gradients);
      }));
}

}  // namespace at::native
