// Lines of tensors to planes of real and imaginary parts, and back. In planes the lines are neighbours (point
// j of line l is at j * lines + l); where in the tensor it is the points, tiles go through shared memory.
#pragma once

#include <ATen/native/cuda/Launch.h>
#include <ATen/native/fft/butterflies.h>
#include <ATen/native/fft/job.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <cstdint>

namespace at::native {
namespace fft_cuda {

constexpr int max_dims = 25;
constexpr int side = 32, rows_at_once = launch_threads / side;  // of a tile

template <class T>
struct Planes {
  T *re, *im;
  Planes swapped() const { return {im, re}; }
};

template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T re, im;
};

// Where the lines' points are in a tensor.
template <class T>
struct Geometry {
  FftLineLayout line;
  bool has_pairs;  // both parts of a point are loaded at once
  int dims = 0;
  int64_t sizes[max_dims], strides[max_dims];

  Geometry(const T* data, const FftLineLayout& line_, const DimVector& sizes_, const DimVector& strides_)
      : line(line_) {
    TORCH_CHECK(sizes_.size() <= max_dims, "Fourier transforms on CUDA take up to ", max_dims + 1,
                " dimensions, got ", sizes_.size() + 1);
    for (; dims < static_cast<int>(sizes_.size()); ++dims) {
      sizes[dims] = sizes_[dims];
      strides[dims] = strides_[dims];
    }
    has_pairs = line.imaginary == 1 && line.step % 2 == 0 &&
                reinterpret_cast<uintptr_t>(data) % sizeof(Pair<T>) == 0 &&
                std::all_of(strides_.begin(), strides_.end(), [](int64_t stride) { return stride % 2 == 0; });
  }

  // Whether tiles are worth it for so many lines.
  bool has_tiles(int64_t lines) const {
    return line.step == (line.is_real() ? 1 : 2) && line.points > 1 && lines >= side / 4;
  }

  __device__ int64_t offset(int64_t number, int64_t point) const {
    int64_t at = point * line.step;
    for (int d = 0; d < dims; ++d) {
      at += number % sizes[d] * strides[d];
      number /= sizes[d];
    }
    return at;
  }
  __device__ fft::Point<T> load(const T* at) const {
    if (has_pairs) {
      const auto pair = *reinterpret_cast<const Pair<T>*>(at);
      return {pair.re, pair.im};
    }
    return {*at, line.is_real() ? T(0) : at[line.imaginary]};
  }
  __device__ void store(T* at, const fft::Point<T>& point) const {
    if (has_pairs) {
      const Pair<T> pair{point.re, point.im};
      *reinterpret_cast<Pair<T>*>(at) = pair;
      return;
    }
    *at = point.re;
    if (!line.is_real()) at[line.imaginary] = point.im;
  }
};

template <class T>
struct PointTile {
  T re[side][side + 1],
      im[side][side + 1];  // a column more, so that those of a column are in different banks

  __device__ void set(int line, int point, const fft::Point<T>& value) {
    re[line][point] = value.re;
    im[line][point] = value.im;
  }
  __device__ fft::Point<T> at(int line, int point) const { return {re[line][point], im[line][point]}; }
};

C10_HOST_DEVICE inline int64_t tiles_along(int64_t size) { return (size + side - 1) / side; }

// Calls one(point, line, k, across) for the elements of a tile that there are, neighbours along points.
template <class F>
__device__ void for_points(int64_t point, int64_t points, int64_t line, int64_t lines, const F& one) {
  const int across = static_cast<int>(threadIdx.x) % side;
  for (int k = static_cast<int>(threadIdx.x) / side; k < side; k += rows_at_once) {
    if (point + across < points && line + k < lines) one(point + across, line + k, k, across);
  }
}

// ---- from a tensor

template <class T>
__global__ void __launch_bounds__(launch_threads)
    load_lines(Planes<T> x, const T* in, Geometry<T> g, int64_t first, int64_t lines) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < g.line.points * lines; i += step) {
    const fft::Point<T> point = g.load(in + g.offset(first + i % lines, i / lines));
    x.re[i] = point.re;
    x.im[i] = point.im;
  }
}

template <class T>
__global__ void __launch_bounds__(launch_threads)
    load_tiles(Planes<T> x, const T* in, Geometry<T> g, int64_t first, int64_t lines) {
  __shared__ PointTile<T> tile;
  const int64_t points = g.line.points, point_tiles = tiles_along(points);
  const int64_t tiles = point_tiles * tiles_along(lines);
  for (int64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    const int64_t point = number % point_tiles * side, line = number / point_tiles * side;
    for_points(point, points, line, lines, [&](int64_t j, int64_t l, int k, int across) {
      tile.set(k, across, g.load(in + g.offset(first + l, j)));
    });
    __syncthreads();
    for_points(line, lines, point, points, [&](int64_t l, int64_t j, int k, int across) {
      const fft::Point<T> value = tile.at(across, k);
      x.re[j * lines + l] = value.re;
      x.im[j * lines + l] = value.im;
    });
    __syncthreads();
  }
}

template <class T>
void load(Planes<T> x, const FftJob<T>& job, int64_t first, int64_t lines) {
  const auto stream = c10::cuda::getCurrentCUDAStream();
  const Geometry<T> g(job.in, job.in_line, job.sizes, job.in_strides);
  if (g.has_tiles(lines)) {
    const unsigned blocks = blocks_for(tiles_along(g.line.points) * tiles_along(lines), 1);
    load_tiles<T><<<blocks, launch_threads, 0, stream>>>(x, job.in, g, first, lines);
  } else {
    load_lines<T>
        <<<blocks_for(g.line.points * lines), launch_threads, 0, stream>>>(x, job.in, g, first, lines);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// ---- to a tensor

// What is written, of planes. The points behind g.line.points are conjugates of earlier ones, mirrored.
template <class T>
struct Result {
  Planes<T> x;
  int64_t lines, own, points;
  T scale;

  __device__ fft::Point<T> at(int64_t j, int64_t line) const {
    const bool follows = j >= own;
    const int64_t from = (follows ? points - j : j) * lines + line;
    return {x.re[from] * scale, (follows ? -x.im[from] : x.im[from]) * scale};
  }
};

template <class T>
__global__ void __launch_bounds__(launch_threads)
    store_lines(T* out, Result<T> result, Geometry<T> g, int64_t first) {
  const int64_t step = int64_t{gridDim.x} * launch_threads, lines = result.lines;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < result.points * lines; i += step) {
    const int64_t j = i / lines, line = i % lines;
    g.store(out + g.offset(first + line, j), result.at(j, line));
  }
}

template <class T>
__global__ void __launch_bounds__(launch_threads)
    store_tiles(T* out, Result<T> result, Geometry<T> g, int64_t first) {
  __shared__ PointTile<T> tile;
  const int64_t points = result.points, lines = result.lines, point_tiles = tiles_along(points);
  const int64_t tiles = point_tiles * tiles_along(lines);
  for (int64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    const int64_t point = number % point_tiles * side, line = number / point_tiles * side;
    for_points(line, lines, point, points,
               [&](int64_t l, int64_t j, int k, int across) { tile.set(across, k, result.at(j, l)); });
    __syncthreads();
    for_points(point, points, line, lines, [&](int64_t j, int64_t l, int k, int across) {
      g.store(out + g.offset(first + l, j), tile.at(k, across));
    });
    __syncthreads();
  }
}

template <class T>
void store(Planes<T> x, const FftJob<T>& job, int64_t first, int64_t lines) {
  const auto stream = c10::cuda::getCurrentCUDAStream();
  const Geometry<T> g(job.out, job.out_line, job.sizes, job.out_strides);
  const Result<T> result{x, lines, g.line.points, g.line.points + job.followers, job.scale};
  if (g.has_tiles(lines)) {
    const unsigned blocks = blocks_for(tiles_along(result.points) * tiles_along(lines), 1);
    store_tiles<T><<<blocks, launch_threads, 0, stream>>>(job.out, result, g, first);
  } else {
    store_lines<T>
        <<<blocks_for(result.points * lines), launch_threads, 0, stream>>>(job.out, result, g, first);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace fft_cuda
}  // namespace at::native
