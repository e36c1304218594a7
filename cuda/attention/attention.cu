// Flash attention (Dao, 2023): a block keeps a tile of rows in shared memory and iterates over the tiles of
// the other side; eight threads share a row. Scores are never in global memory. For 16-bit floats
// tensor_cores.cu is preferred.
#include <ATen/native/cuda/attention/attention.h>
#include <ATen/native/cuda/attention/problem.cuh>

#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace attention_cuda {

constexpr int lanes = 8;  // threads of a row
constexpr int forward_tile = 32, backward_tile = 16;
constexpr int per_lane = static_cast<int>(max_attention_head_size) / lanes;

// A tile of rows as floats, padded by a column so that columns are in different banks.
template <int Tile>
struct Rows {
  float* data;
  int size;
  __device__ float& operator()(int row, int column) const { return data[row * (size + 1) + column]; }
  template <class T>
  __device__ void load(const Heads<const T>& from, int64_t batch, int64_t head, int64_t first,
                       int64_t end) const {
    for (int i = threadIdx.x; i < Tile * size; i += Tile * lanes) {
      const int row = i / size, column = i % size;
      (*this)(row, column) =
          first + row < end ? static_cast<float>(from.row(batch, head, first + row)[column]) : 0.0f;
    }
  }
};

__device__ inline float sum_of_row(float value) {
  for (int step = lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step, lanes);
  return value;
}
__device__ inline float max_of_row(float value) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    value = fmaxf(value, __shfl_xor_sync(~0u, value, step, lanes));
  }
  return value;
}

template <int Tile>
__device__ float dot(const Rows<Tile>& a, int i, const Rows<Tile>& b, int j) {
  float sum = 0.0f;
  for (int e = 0; e < a.size; ++e) sum += a(i, e) * b(j, e);
  return sum;
}

// Of the tiles of scores: the rows that a warp has, eight lanes each, are in different banks.
template <int Tile>
constexpr int factor_stride = Tile + lanes;

// to[row] += factors[row][.] * rows, for this thread's columns.
template <int Tile>
__device__ void gather(float* to, const float (*factors)[factor_stride<Tile>], int row,
                       const Rows<Tile>& rows) {
  const int lane = threadIdx.x % lanes;
  for (int other = 0; other < Tile; ++other) {
    const float factor = factors[row][other];
#pragma unroll
    for (int j = 0; j < per_lane; ++j) {
      if (lane + j * lanes < rows.size) to[j] += factor * rows(other, lane + j * lanes);
    }
  }
}

template <class T>
__global__ void __launch_bounds__(forward_tile* lanes) forward_kernel(Problem<T> p) {
  constexpr int tile = forward_tile;
  extern __shared__ float shared[];
  __shared__ float scores[tile][factor_stride<tile>];
  const Rows<tile> queries{shared, p.size}, others{shared + tile * (p.size + 1), p.size};
  const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const int64_t batch = blockIdx.y / p.heads, head = blockIdx.y % p.heads,
                first_row = int64_t{blockIdx.x} * tile;
  const int64_t at = first_row + row;
  float gathered[per_lane] = {}, maximum = -INFINITY, sum = 0.0f;
  queries.load(p.query, batch, head, first_row, p.queries);
  const int64_t end = p.causal ? min(p.keys, first_row + tile) : p.keys;
  for (int64_t first = 0; first < end; first += tile) {
    __syncthreads();
    others.load(p.key, batch, head / p.group, first, p.keys);
    __syncthreads();
    float highest = maximum;
    for (int c = lane; c < tile; c += lanes) {
      const bool seen = p.sees(at, first + c);
      const float score =
          seen ? dot(queries, row, others, c) * p.scale + p.mask.at(batch, head, at, first + c) : -INFINITY;
      scores[row][c] = score;
      highest = fmaxf(highest, score);
    }
    highest = max_of_row(highest);
    const float shift = highest == -INFINITY ? 0.0f : highest, factor = expf(maximum - shift);
    float part = 0.0f;
    for (int c = lane; c < tile; c += lanes) part += scores[row][c] = expf(scores[row][c] - shift);
    sum = sum * factor + sum_of_row(part);
    maximum = highest;
    for (float& value : gathered) value *= factor;
    __syncthreads();
    others.load(p.value, batch, head / p.group, first, p.keys);
    __syncthreads();
    gather<tile>(gathered, scores, row, others);
  }
  if (at >= p.queries) return;
  const float factor = sum == 0.0f ? 0.0f : 1.0f / sum;
  T* out = p.out.row(batch, head, at);
  for (int j = 0; j < per_lane; ++j) {
    if (lane + j * lanes < p.size) out[lane + j * lanes] = static_cast<T>(gathered[j] * factor);
  }
  if (lane == 0 && p.logsumexp.data != nullptr) {
    *p.logsumexp.row(batch, head, at) = sum == 0.0f ? 0.0f : maximum + logf(sum);
  }
}

// out times its gradient, summed over each row by 16 lanes: as many 16-bit floats are a sector.
constexpr int delta_lanes = 16;

template <class T>
__global__ void __launch_bounds__(launch_threads) delta_kernel(Problem<T> p, Gradients<T> g, int64_t rows) {
  constexpr int64_t block_rows = launch_threads / delta_lanes;
  const int lane = threadIdx.x % delta_lanes;
  for (int64_t first = blockIdx.x * block_rows; first < rows; first += gridDim.x * block_rows) {
    const int64_t i = first + threadIdx.x / delta_lanes;
    float sum = 0.0f;
    if (i < rows) {
      const int64_t batch = i / p.queries / p.heads, head = i / p.queries % p.heads;
      const T* out = p.out.row(batch, head, i % p.queries);
      const T* grad = g.out.row(batch, head, i % p.queries);
      for (int e = lane; e < p.size; e += delta_lanes) {
        sum += static_cast<float>(out[e]) * static_cast<float>(grad[e]);
      }
    }
    for (int step = delta_lanes / 2; step > 0; step /= 2) {
      sum += __shfl_xor_sync(~0u, sum, step, delta_lanes);
    }
    if (lane == 0 && i < rows) g.delta[i] = sum;
  }
}

// The four tiles from which a pair of tiles computes its scores and their gradients.
struct Tiles {
  Rows<backward_tile> query, grad, key, value;
  __device__ Tiles(float* shared, int size)
      : query{shared, size},
        grad{shared + backward_tile * (size + 1), size},
        key{shared + 2 * backward_tile * (size + 1), size},
        value{shared + 3 * backward_tile * (size + 1), size} {}
};

// The probability of a key for a query, and the gradient of its score.
struct ScoreGradient {
  float probability, grad;
};

template <class T>
__device__ ScoreGradient score_gradient(const Problem<T>& p, const Gradients<T>& g, const Tiles& tiles,
                                        int64_t batch, int64_t head, int64_t first_query, int i,
                                        int64_t first_key, int j) {
  const int64_t query = first_query + i, key = first_key + j;
  if (!p.sees(query, key)) return {0.0f, 0.0f};
  const float score = dot(tiles.query, i, tiles.key, j) * p.scale + p.mask.at(batch, head, query, key);
  const float probability = expf(score - *p.logsumexp.row(batch, head, query));
  const float delta = g.delta[(batch * p.heads + head) * p.queries + query];
  return {probability, probability * (dot(tiles.grad, i, tiles.value, j) - delta)};
}

template <class T>
__global__ void __launch_bounds__(backward_tile* lanes) query_kernel(Problem<T> p, Gradients<T> g) {
  constexpr int tile = backward_tile;
  extern __shared__ float shared[];
  __shared__ float score_grads[tile][factor_stride<tile>];
  const Tiles tiles(shared, p.size);
  const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const int64_t batch = blockIdx.y / p.heads, head = blockIdx.y % p.heads,
                first_row = int64_t{blockIdx.x} * tile;
  const int64_t at = first_row + row;
  float gathered[per_lane] = {};
  tiles.query.load(p.query, batch, head, first_row, p.queries);
  tiles.grad.load(g.out, batch, head, first_row, p.queries);
  for (int64_t first = 0; first < p.keys; first += tile) {
    __syncthreads();
    tiles.key.load(p.key, batch, head / p.group, first, p.keys);
    tiles.value.load(p.value, batch, head / p.group, first, p.keys);
    __syncthreads();
    for (int c = lane; c < tile; c += lanes) {
      score_grads[row][c] = score_gradient(p, g, tiles, batch, head, first_row, row, first, c).grad;
      if (g.mask.data != nullptr && at < p.queries && first + c < p.keys) {
        g.mask.row(batch, head, at)[first + c] = score_grads[row][c];
      }
    }
    __syncthreads();
    gather<tile>(gathered, score_grads, row, tiles.key);
  }
  if (at >= p.queries) return;
  T* out = g.query.row(batch, head, at);
  for (int j = 0; j < per_lane; ++j) {
    if (lane + j * lanes < p.size) out[lane + j * lanes] = static_cast<T>(gathered[j] * p.scale);
  }
}

template <class T>
__global__ void __launch_bounds__(backward_tile* lanes) key_kernel(Problem<T> p, Gradients<T> g) {
  constexpr int tile = backward_tile;
  extern __shared__ float shared[];
  __shared__ float probabilities[tile][factor_stride<tile>], score_grads[tile][factor_stride<tile>];
  const Tiles tiles(shared, p.size);
  const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const int64_t key_heads = p.heads / p.group, batch = blockIdx.y / key_heads,
                key_head = blockIdx.y % key_heads;
  const int64_t first_key = int64_t{blockIdx.x} * tile, at = first_key + row;
  float keys[per_lane] = {}, values[per_lane] = {};
  tiles.key.load(p.key, batch, key_head, first_key, p.keys);
  tiles.value.load(p.value, batch, key_head, first_key, p.keys);
  for (int64_t head = key_head * p.group; head < (key_head + 1) * p.group; ++head) {
    for (int64_t first = p.causal ? first_key / tile * tile : 0; first < p.queries; first += tile) {
      __syncthreads();
      tiles.query.load(p.query, batch, head, first, p.queries);
      tiles.grad.load(g.out, batch, head, first, p.queries);
      __syncthreads();
      for (int i = lane; i < tile; i += lanes) {
        const ScoreGradient found = score_gradient(p, g, tiles, batch, head, first, i, first_key, row);
        probabilities[row][i] = found.probability;
        score_grads[row][i] = found.grad;
      }
      __syncthreads();
      gather<tile>(values, probabilities, row, tiles.grad);
      gather<tile>(keys, score_grads, row, tiles.query);
    }
  }
  if (at >= p.keys) return;
  T *key_out = g.key.row(batch, key_head, at), *value_out = g.value.row(batch, key_head, at);
  for (int j = 0; j < per_lane; ++j) {
    if (lane + j * lanes >= p.size) continue;
    key_out[lane + j * lanes] = static_cast<T>(keys[j] * p.scale);
    value_out[lane + j * lanes] = static_cast<T>(values[j]);
  }
}

// -------------------- Launches

template <class T>
void run_forward(const AttentionOperands& o) {
  const size_t bytes = 2 * forward_tile * (o.query.size(3) + 1) * sizeof(float);
  const dim3 grid = grid_of(o.query.size(2), forward_tile, o.query.size(0) * o.query.size(1));
  forward_kernel<T>
      <<<grid, forward_tile * lanes, bytes, c10::cuda::getCurrentCUDAStream()>>>(problem_of<T>(o));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <class T>
void run_backward(const AttentionOperands& o, const AttentionBackwardOperands& s) {
  const auto stream = c10::cuda::getCurrentCUDAStream();
  const int64_t heads = o.query.size(0) * o.query.size(1), rows = heads * o.query.size(2);
  const size_t bytes = 4 * backward_tile * (o.query.size(3) + 1) * sizeof(float);
  const Problem<T> problem = problem_of<T>(o);
  const Gradients<T> gradients = gradients_of<T>(s);
  delta_kernel<T><<<blocks_for(rows * delta_lanes), launch_threads, 0, stream>>>(problem, gradients, rows);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  if (attention_has_tensor_cores(o.query.scalar_type())) {
    attention_backward_by_tensor_cores(o, s);
    return;
  }
  const dim3 by_query = grid_of(o.query.size(2), backward_tile, heads);
  query_kernel<T><<<by_query, backward_tile * lanes, bytes, stream>>>(problem, gradients);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  const dim3 by_key = grid_of(o.key.size(2), backward_tile, o.key.size(0) * o.key.size(1));
  key_kernel<T><<<by_key, backward_tile * lanes, bytes, stream>>>(problem, gradients);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace attention_cuda

void attention_on_device(const AttentionOperands& operands) {
  if (attention_has_tensor_cores(operands.query.scalar_type())) {
    attention_by_tensor_cores(operands);
    return;
  }
  AT_DISPATCH_SWITCH(
      operands.query.scalar_type(), "attention_cuda", AT_DISPATCH_CASE(kFloat, [&] {
        attention_cuda::run_forward<scalar_t>(operands);
      }) AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES([&] { attention_cuda::run_forward<scalar_t>(operands); }));
}

void attention_backward_on_device(const AttentionOperands& operands,
                                  const AttentionBackwardOperands& gradients) {
  AT_DISPATCH_SWITCH(operands.query.scalar_type(), "attention_backward_cuda", AT_DISPATCH_CASE(kFloat, [&] {
                       attention_cuda::run_backward<scalar_t>(operands, gradients);
                     }) AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES([&] {
                       attention_cuda::run_backward<scalar_t>(operands, gradients);
                     }));
}

}  // namespace at::native
