// Copies in which other elements are neighbours than before: through shared memory, so that reads and writes
// are both contiguous.
#include <ATen/native/cuda/copy/copy.h>

#include <ATen/native/Opaque.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/OffsetCalculator.cuh>

namespace at::native {
namespace transpose_cuda {

constexpr int side = 32, rows_at_once = 8;

// Of the iteration: dimension 0, in which the output is contiguous, `along`, in which the input is, and the
// others. Strides are in bytes.
struct Plan {
  uint32_t columns, rows, column_tiles, row_tiles;
  uint32_t out_row, in_column;
  int others = 0;
  uint32_t sizes[max_plan_dims], out_strides[max_plan_dims], in_strides[max_plan_dims];

  Plan(const TensorIteratorBase& iter, int along)
      : columns(static_cast<uint32_t>(iter.shape()[0])),
        rows(static_cast<uint32_t>(iter.shape()[along])),
        column_tiles((columns + side - 1) / side),
        row_tiles((rows + side - 1) / side),
        out_row(static_cast<uint32_t>(iter.strides(0)[along])),
        in_column(static_cast<uint32_t>(iter.strides(1)[0])) {
    for (int d = 1; d < iter.ndim(); ++d) {
      if (d == along) continue;
      sizes[others] = static_cast<uint32_t>(iter.shape()[d]);
      out_strides[others] = static_cast<uint32_t>(iter.strides(0)[d]);
      in_strides[others++] = static_cast<uint32_t>(iter.strides(1)[d]);
    }
  }
  uint32_t tiles() const {
    uint32_t count = column_tiles * row_tiles;
    for (int d = 0; d < others; ++d) count *= sizes[d];
    return count;
  }
};

template <class T>
__global__ void __launch_bounds__(side* rows_at_once) transpose_kernel(Plan plan, char* out, const char* in) {
  __shared__ T tile[side][side + 1];  // a column more, so that those of a column are in different banks
  uint32_t rest = blockIdx.x;
  const uint32_t column = rest % plan.column_tiles * side;
  rest /= plan.column_tiles;
  const uint32_t row = rest % plan.row_tiles * side;
  rest /= plan.row_tiles;
  for (int d = 0; d < plan.others; ++d) {
    const uint32_t position = rest % plan.sizes[d];
    rest /= plan.sizes[d];
    out += position * plan.out_strides[d];
    in += position * plan.in_strides[d];
  }
  const uint32_t x = threadIdx.x, rows = plan.rows, columns = plan.columns;
  for (uint32_t y = threadIdx.y; y < side; y += rows_at_once) {
    if (column + y >= columns || row + x >= rows) continue;
    tile[y][x] = reinterpret_cast<const T*>(in + (column + y) * plan.in_column)[row + x];
  }
  __syncthreads();
  for (uint32_t y = threadIdx.y; y < side; y += rows_at_once) {
    if (row + y >= rows || column + x >= columns) continue;
    reinterpret_cast<T*>(out + (row + y) * plan.out_row)[column + x] = tile[x][y];
  }
}

// The dimension in which the input is contiguous, if tiles of it and of dimension 0 are worth it; else 0.
int other_dimension(const TensorIteratorBase& iter) {
  const int64_t size = iter.element_size(0);
  constexpr int64_t enough = side / 4;
  if (iter.ndim() < 2 || iter.strides(0)[0] != size || iter.shape()[0] < enough) return 0;
  if (iter.strides(1)[0] == size || iter.strides(1)[0] == 0) return 0;
  for (int d = 1; d < iter.ndim(); ++d) {
    if (iter.strides(1)[d] == size) return iter.shape()[d] < enough ? 0 : d;
  }
  return 0;
}

}  // namespace transpose_cuda

bool transpose_on_device(TensorIteratorBase& iter) {
  using namespace transpose_cuda;
  const int along = other_dimension(iter);
  if (along == 0 || iter.ndim() > max_plan_dims || !iter.can_use_32bit_indexing()) return false;
  const Plan plan(iter, along);
  with_opaque_type(iter.element_size(0), [&]<class T>(T) {
    transpose_kernel<T><<<plan.tiles(), dim3(side, rows_at_once), 0, c10::cuda::getCurrentCUDAStream()>>>(
        plan, static_cast<char*>(iter.data_ptr(0)), static_cast<const char*>(iter.data_ptr(1)));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return true;
}

}  // namespace at::native
