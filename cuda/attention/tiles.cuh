// Tiles of 16-bit floats in shared memory, their products on tensor cores, and the parts that a warp has.
#pragma once

#include <ATen/native/cuda/attention/problem.cuh>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

// A product of BFloat16 needs compute capability 8.0; others are compiled, without a body, for less.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define ATEN_MULTIPLIES_BFLOAT16 0
#else
#define ATEN_MULTIPLIES_BFLOAT16 1
#endif

namespace at::native::attention_cuda {

namespace wmma = nvcuda::wmma;

constexpr int side = 16;          // of a fragment
constexpr int tile_columns = 32;  // rows of the tiles that a block iterates over: columns of the scores
constexpr int chunk = 8;          // numbers that are loaded at once, 16 bytes
// Of a row of scores, in floats. The padding puts rows in different banks, and keeps fragments aligned.
constexpr int score_stride = tile_columns + 4;
constexpr int warp_scores = side * score_stride;

template <class T>
struct WmmaType {
  using type = __half;
  static constexpr bool is_supported = true;
};
template <>
struct WmmaType<c10::BFloat16> {
  using type = __nv_bfloat16;
  static constexpr bool is_supported = ATEN_MULTIPLIES_BFLOAT16;
};
template <class T>
using Number = typename WmmaType<T>::type;

template <class T>
using Left = wmma::fragment<wmma::matrix_a, side, side, side, Number<T>, wmma::row_major>;
template <class T, class Layout>
using Right = wmma::fragment<wmma::matrix_b, side, side, side, Number<T>, Layout>;
using Sums = wmma::fragment<wmma::accumulator, side, side, side, float>;

// What fragments are loaded from is aligned so.
struct alignas(32) TileMemory {
  unsigned char bytes[32];
};

struct alignas(16) Chunk {
  unsigned short bits[chunk];
};

__host__ __device__ constexpr int padded(int size) { return (size + side - 1) / side * side; }
__host__ __device__ constexpr int row_stride(int size) { return padded(size) + chunk; }

__device__ inline int lane_of_warp() { return static_cast<int>(threadIdx.x) % warpSize; }

// Whether the row is aligned for chunks, as every 8th number of it then is.
template <class T>
__device__ bool has_chunks(const T* row, int size) {
  return size % chunk == 0 && reinterpret_cast<uintptr_t>(row) % sizeof(Chunk) == 0;
}

template <class T>
__device__ Chunk chunk_of(const T* row, int column, int size) {
  if (has_chunks(row, size) && column < size) return *reinterpret_cast<const Chunk*>(row + column);
  Chunk result{};
  for (int i = 0; i < chunk; ++i) {
    if (column + i < size) result.bits[i] = row[column + i].x;
  }
  return result;
}

template <class T>
__device__ void write_chunk(T* row, int column, int size, const Chunk& values) {
  if (has_chunks(row, size) && column < size) {
    *reinterpret_cast<Chunk*>(row + column) = values;
    return;
  }
  for (int i = 0; i < chunk; ++i) {
    if (column + i < size) row[column + i].x = values.bits[i];
  }
}

// Rows of one matrix, padded by zeros to whole fragments.
template <class T>
struct Tile {
  Number<T>* data;
  int size;

  __device__ Number<T>* at(int row, int column) const { return data + row * row_stride(size) + column; }

  __device__ void load(const Heads<const T>& from, int64_t batch, int64_t head, int64_t first, int64_t end,
                       int rows) const {
    const int chunks = padded(size) / chunk;
    for (int i = threadIdx.x; i < rows * chunks; i += blockDim.x) {
      const int row = i / chunks, column = i % chunks * chunk;
      const Chunk values =
          first + row < end ? chunk_of(from.row(batch, head, first + row), column, size) : Chunk{};
      *reinterpret_cast<Chunk*>(at(row, column)) = values;
    }
  }
};

// scores[i][j] = left row i . right row j, for the 16 rows from `row` and all of the right tile.
template <class T>
__device__ void multiply_rows(float* scores, const Tile<T>& left, int row, const Tile<T>& right) {
  constexpr int parts = tile_columns / side;
  Sums sums[parts];
#pragma unroll
  for (Sums& part : sums) wmma::fill_fragment(part, 0.0f);
  for (int k = 0; k < padded(left.size); k += side) {
    Left<T> a;
    wmma::load_matrix_sync(a, left.at(row, k), row_stride(left.size));
#pragma unroll
    for (int c = 0; c < parts; ++c) {
      Right<T, wmma::col_major> b;
      wmma::load_matrix_sync(b, right.at(c * side, k), row_stride(right.size));
      wmma::mma_sync(sums[c], a, b, sums[c]);
    }
  }
#pragma unroll
  for (int c = 0; c < parts; ++c) {
    wmma::store_matrix_sync(scores + c * side, sums[c], score_stride, wmma::mem_row_major);
  }
}

// 16 rows of a result in the registers of a warp.
template <class T, int Parts>
struct WarpRows {
  Sums parts[Parts];

  __device__ void clear() {
#pragma unroll
    for (Sums& part : parts) wmma::fill_fragment(part, 0.0f);
  }

  // Adds factors @ rows. The factors are 16-bit numbers in the memory of scores.
  __device__ void add(const float* factors, const Tile<T>& rows) {
#pragma unroll
    for (int k = 0; k < tile_columns; k += side) {
      Left<T> a;
      wmma::load_matrix_sync(a, reinterpret_cast<const Number<T>*>(factors) + k, 2 * score_stride);
#pragma unroll
      for (int p = 0; p < Parts; ++p) {
        if (p * side >= rows.size) break;
        Right<T, wmma::row_major> b;
        wmma::load_matrix_sync(b, rows.at(k, p * side), row_stride(rows.size));
        wmma::mma_sync(parts[p], a, b, parts[p]);
      }
    }
  }

  // Multiplies each element by that of a tile. Accumulators of one type hold the same elements.
  __device__ void scale(const float* factors, int size) {
    Sums by;
    wmma::load_matrix_sync(by, factors, score_stride, wmma::mem_row_major);
#pragma unroll
    for (int p = 0; p < Parts; ++p) {
      if (p * side >= size) break;
      for (int i = 0; i < by.num_elements; ++i) parts[p].x[i] *= by.x[i];
    }
  }

  // Two lanes write a row, each times its `factor`; `buffer` is the warp's.
  __device__ void write(const Heads<T>& to, int64_t batch, int64_t head, int64_t first, int64_t end, int size,
                        float factor, float* buffer) const {
    const int row = lane_of_warp() / 2, column = lane_of_warp() % 2 * chunk;
#pragma unroll
    for (int p = 0; p < Parts; ++p) {
      if (p * side >= size) break;
      __syncwarp();
      wmma::store_matrix_sync(buffer, parts[p], score_stride, wmma::mem_row_major);
      __syncwarp();
      if (first + row >= end) continue;
      Chunk values;
      const auto* from = reinterpret_cast<const float4*>(buffer + row * score_stride + column);
      for (int i = 0; i < chunk; i += 4) {
        const float4 four = from[i / 4];
        values.bits[i] = T(four.x * factor).x;
        values.bits[i + 1] = T(four.y * factor).x;
        values.bits[i + 2] = T(four.z * factor).x;
        values.bits[i + 3] = T(four.w * factor).x;
      }
      write_chunk(to.row(batch, head, first + row), p * side + column, size, values);
    }
  }
};

}  // namespace at::native::attention_cuda
