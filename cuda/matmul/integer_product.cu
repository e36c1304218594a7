// A block multiplies tiles: each of its threads has 4 x 4 sums in registers, of rows and columns that pass
// through shared memory 16 products at a time.
#include <ATen/native/cuda/matmul/integer_product.h>

#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <type_traits>

namespace at::native {
namespace integer_product_cuda {

constexpr int side = 64, depth = 16, per_thread = 4, threads_per_side = side / per_thread;
static_assert(threads_per_side * threads_per_side == launch_threads);

// Strides in elements.
template <class T>
struct Matrices {
  T* data;
  int64_t batch, row, column;

  Matrices(T* first, const TensorBase& t)
      : data(first),
        batch(t.dim() > 2 ? t.stride(0) : 0),
        row(t.stride(t.dim() - 2)),
        column(t.stride(t.dim() - 1)) {}
  __device__ T& at(int64_t b, int64_t r, int64_t c) const { return data[b * batch + r * row + c * column]; }
};

// Sums are unsigned, so that they wrap.
template <class T>
struct Problem {
  using Sum = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  Matrices<T> result;
  Matrices<const T> left, right;
  int64_t batches, rows, columns, products;
  Sum beta, alpha;

  __host__ __device__ int64_t row_tiles() const { return (rows + side - 1) / side; }
  __host__ __device__ int64_t column_tiles() const { return (columns + side - 1) / side; }
  __host__ __device__ int64_t tiles() const { return batches * row_tiles() * column_tiles(); }
};

template <class T>
struct Tiles {
  T left[depth][side + 1], right[depth][side];

  // Outside of the matrices there are zeros.
  __device__ void load(const Problem<T>& p, int64_t batch, int64_t row, int64_t column, int64_t from) {
    for (int i = threadIdx.x; i < side * depth; i += launch_threads) {
      const int d = i % depth, r = i / depth;
      left[d][r] = row + r < p.rows && from + d < p.products ? p.left.at(batch, row + r, from + d) : T(0);
    }
    for (int i = threadIdx.x; i < side * depth; i += launch_threads) {
      const int c = i % side, d = i / side;
      right[d][c] =
          column + c < p.columns && from + d < p.products ? p.right.at(batch, from + d, column + c) : T(0);
    }
  }
};

template <class T>
struct Sums {
  typename Problem<T>::Sum at[per_thread][per_thread] = {};

  __device__ void add(const Tiles<T>& tiles, int row, int column) {
    using Sum = typename Problem<T>::Sum;
    for (int d = 0; d < depth; ++d) {
      for (int i = 0; i < per_thread; ++i) {
        const Sum factor = static_cast<Sum>(tiles.left[d][row + i * threads_per_side]);
        for (int j = 0; j < per_thread; ++j) {
          at[i][j] += factor * static_cast<Sum>(tiles.right[d][column + j * threads_per_side]);
        }
      }
    }
  }
};

template <class T>
__global__ void __launch_bounds__(launch_threads) integer_product_kernel(Problem<T> p) {
  __shared__ Tiles<T> tiles;
  const int thread_row = threadIdx.x / threads_per_side, thread_column = threadIdx.x % threads_per_side;
  for (int64_t tile = blockIdx.x; tile < p.tiles(); tile += gridDim.x) {
    const int64_t column = tile % p.column_tiles() * side;
    const int64_t row = tile / p.column_tiles() % p.row_tiles() * side;
    const int64_t batch = tile / p.column_tiles() / p.row_tiles();
    Sums<T> sums;
    for (int64_t from = 0; from < p.products; from += depth) {
      tiles.load(p, batch, row, column, from);
      __syncthreads();
      sums.add(tiles, thread_row, thread_column);
      __syncthreads();
    }
    for (int i = 0; i < per_thread; ++i) {
      const int64_t r = row + thread_row + i * threads_per_side;
      for (int j = 0; j < per_thread; ++j) {
        const int64_t c = column + thread_column + j * threads_per_side;
        if (r >= p.rows || c >= p.columns) continue;
        T& out = p.result.at(batch, r, c);
        const auto product = p.alpha * sums.at[i][j];
        out = static_cast<T>(p.beta == 0 ? product
                                         : product + p.beta * static_cast<typename Problem<T>::Sum>(out));
      }
    }
  }
}

template <class T>
void launch(const TensorBase& result, const TensorBase& left, const TensorBase& right, const Scalar& beta,
            const Scalar& alpha) {
  using Sum = typename Problem<T>::Sum;
  const int64_t dim = result.dim();
  const Problem<T> p{Matrices<T>(result.mutable_data_ptr<T>(), result),
                     Matrices<const T>(left.const_data_ptr<T>(), left),
                     Matrices<const T>(right.const_data_ptr<T>(), right),
                     dim > 2 ? result.size(0) : 1,
                     result.size(dim - 2),
                     result.size(dim - 1),
                     left.size(dim - 1),
                     static_cast<Sum>(beta.to<int64_t>()),
                     static_cast<Sum>(alpha.to<int64_t>())};
  integer_product_kernel<T>
      <<<blocks_for(p.tiles(), 1), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(p);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace integer_product_cuda

void integer_product(const TensorBase& result, const TensorBase& left, const TensorBase& right,
                     const Scalar& beta, const Scalar& alpha) {
  AT_DISPATCH_INTEGRAL_TYPES(result.scalar_type(), "matrix products on CUDA", [&] {
    integer_product_cuda::launch<scalar_t>(result, left, right, beta, alpha);
  });
}

}  // namespace at::native
