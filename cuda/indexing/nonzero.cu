// nonzero in three launches: count in every tile, scan the counts, write the positions.
#include <ATen/native/indexing/stubs.h>

#include <ATen/EmptyTensor.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/core/Allocator.h>
#include <c10/core/DynamicCast.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace nonzero_kernels {

constexpr int threads = 256, warp = 32;
constexpr int per_thread = 8;
constexpr int64_t tile = threads * per_thread;

__device__ bool is_nonzero(const char* data, ScalarType dtype, int item, int64_t i) {
  return dtype == ScalarType::Bool ? data[i] != 0 : c10::fetch_and_cast<bool>(dtype, data + i * item);
}

// An exclusive sum over the threads; `total` is the sum over all.
__device__ int64_t scan_block(int64_t value, int64_t* shared, int64_t& total) {
  const int t = static_cast<int>(threadIdx.x);
  int64_t sum = value;
  shared[t] = sum;
  __syncthreads();
  for (int distance = 1; distance < threads; distance *= 2) {
    const int64_t earlier = t >= distance ? shared[t - distance] : 0;
    __syncthreads();
    sum += earlier;
    shared[t] = sum;
    __syncthreads();
  }
  total = shared[threads - 1];
  __syncthreads();
  return sum - value;
}

// Complex elements are nonzero when either part is.
struct Elements {
  const char* data;
  ScalarType dtype;  // of the parts
  int item;
  bool pairs;
  int64_t n;

  __device__ bool operator()(int64_t i) const {
    return pairs ? is_nonzero(data, dtype, item, 2 * i) || is_nonzero(data, dtype, item, 2 * i + 1)
                 : is_nonzero(data, dtype, item, i);
  }
};

// Of the 32 elements from `first` on, one for each lane: which are nonzero.
__device__ unsigned flags_of(const Elements& elements, int64_t first) {
  const int64_t i = first + threadIdx.x % warp;
  return __ballot_sync(~0u, i < elements.n && elements(i));
}

// The k-th 32 elements of this thread's warp.
__device__ int64_t first_of(int64_t number, int k) {
  return number * tile + k * threads + threadIdx.x / warp * warp;
}

__global__ void __launch_bounds__(threads) count_kernel(Elements elements, int64_t tiles, int64_t* counts) {
  __shared__ int64_t shared[threads];
  for (int64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    int64_t count = 0, total = 0;
    for (int k = 0; k < per_thread; ++k) count += __popc(flags_of(elements, first_of(number, k)));
    scan_block(threadIdx.x % warp == 0 ? count : 0, shared, total);
    if (threadIdx.x == 0) counts[number] = total;
  }
}

// One block: an exclusive scan of the tiles' counts; counts[tiles] is the total.
__global__ void __launch_bounds__(threads) scan_kernel(int64_t* counts, int64_t tiles) {
  __shared__ int64_t shared[threads];
  int64_t carry = 0;
  for (int64_t first = 0; first < tiles; first += threads) {
    const int64_t i = first + threadIdx.x;
    int64_t total = 0;
    const int64_t before = scan_block(i < tiles ? counts[i] : 0, shared, total);
    if (i < tiles) counts[i] = carry + before;
    carry += total;
  }
  if (threadIdx.x == 0) counts[tiles] = carry;
}

__global__ void __launch_bounds__(threads)
    write_kernel(Elements elements, int64_t tiles, const int64_t* counts, int64_t* positions) {
  constexpr int parts = tile / warp;
  __shared__ int64_t shared[threads];
  __shared__ int found[parts];
  const int lane = threadIdx.x % warp;
  for (int64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    unsigned flags[per_thread];
    // Thread p sums before the p-th 32 elements of the tile.
    for (int k = 0; k < per_thread; ++k) {
      flags[k] = flags_of(elements, first_of(number, k));
      if (lane == 0) found[first_of(0, k) / warp] = __popc(flags[k]);
    }
    __syncthreads();
    int64_t total = 0;
    const int64_t before = scan_block(threadIdx.x < parts ? found[threadIdx.x] : 0, shared, total);
    shared[threadIdx.x] = counts[number] + before;
    __syncthreads();
    for (int k = 0; k < per_thread; ++k) {
      const unsigned earlier = flags[k] & ((1u << lane) - 1);
      if (flags[k] >> lane & 1) {
        positions[shared[first_of(0, k) / warp] + __popc(earlier)] = first_of(number, k) + lane;
      }
    }
  }
}

constexpr int max_dims = 64;
struct Sizes {
  int dims;
  int64_t sizes[max_dims];
};

__global__ void __launch_bounds__(threads)
    indices_kernel(const int64_t* positions, int64_t n, Sizes shape, int64_t* out, int64_t row_stride,
                   int64_t column_stride) {
  const int64_t step = int64_t{gridDim.x} * threads;
  for (int64_t row = int64_t{blockIdx.x} * threads + threadIdx.x; row < n; row += step) {
    int64_t rest = positions[row];
    for (int d = shape.dims - 1; d >= 0; --d) {
      out[row * row_stride + d * column_stride] = rest % shape.sizes[d];
      rest /= shape.sizes[d];
    }
  }
}

Elements elements_of(const TensorBase& self) {
  const bool pairs = self.is_complex();
  const ScalarType dtype = c10::toRealValueType(self.scalar_type());
  return {static_cast<const char*>(self.const_data_ptr()), dtype, static_cast<int>(c10::elementSize(dtype)),
          pairs, self.numel()};
}

// `where` holds the positions in memory order. Synchronizes the device.
NonzeroElements find_nonzero(const TensorBase& self) {
  NonzeroElements found;
  if (self.numel() == 0) return found;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const Elements elements = elements_of(self);
  const int64_t tiles = (elements.n + tile - 1) / tile;
  const c10::DataPtr counts_memory =
      c10::GetAllocator(c10::DeviceType::CUDA)->allocate((tiles + 1) * sizeof(int64_t));
  auto* counts = static_cast<int64_t*>(counts_memory.get());
  count_kernel<<<blocks_for(tiles, 1), threads, 0, stream>>>(elements, tiles, counts);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  scan_kernel<<<1, threads, 0, stream>>>(counts, tiles);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  C10_CUDA_CHECK(
      cudaMemcpyAsync(&found.count, counts + tiles, sizeof(int64_t), cudaMemcpyDeviceToHost, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  if (found.count == 0) return found;
  found.where = at::detail::empty_device({found.count}, kLong, self.device());
  write_kernel<<<blocks_for(tiles, 1), threads, 0, stream>>>(elements, tiles, counts,
                                                             found.where.mutable_data_ptr<int64_t>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return found;
}

void write_nonzero(const NonzeroElements& found, const TensorBase& self, const TensorBase& result) {
  TORCH_CHECK(self.dim() <= max_dims, "nonzero on CUDA takes up to ", max_dims, " dimensions");
  Sizes shape{static_cast<int>(self.dim()), {}};
  for (int64_t d = 0; d < self.dim(); ++d) shape.sizes[d] = self.sizes()[d];
  indices_kernel<<<blocks_for(found.count), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      found.where.const_data_ptr<int64_t>(), found.count, shape, result.mutable_data_ptr<int64_t>(),
      result.strides()[0], result.strides()[1]);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace nonzero_kernels

REGISTER_CUDA_DISPATCH(find_nonzero_stub, &nonzero_kernels::find_nonzero)
REGISTER_CUDA_DISPATCH(write_nonzero_stub, &nonzero_kernels::write_nonzero)

}  // namespace at::native
