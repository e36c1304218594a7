// nonzero and masked_select in three launches: count in every tile, scan the counts, write what was found.
#include <ATen/native/indexing/stubs.h>

#include <ATen/EmptyTensor.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/core/DynamicCast.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace nonzero_kernels {

constexpr int threads = 256, warp = 32, warps = threads / warp;
constexpr int per_thread = 8;
constexpr int64_t tile = threads * per_thread;

__device__ bool is_nonzero(const char* data, ScalarType dtype, int item, int64_t i) {
  return dtype == ScalarType::Bool ? data[i] != 0 : c10::fetch_and_cast<bool>(dtype, data + i * item);
}

// The sum over the lanes before this one; with it, the sum over all lanes up to this one.
__device__ int64_t scan_warp(int64_t value, int64_t& up_to) {
  const int lane = threadIdx.x % warp;
  up_to = value;
  for (int distance = 1; distance < warp; distance *= 2) {
    const int64_t earlier = __shfl_up_sync(~0u, up_to, distance);
    if (lane >= distance) up_to += earlier;
  }
  return up_to - value;
}

// An exclusive sum over the threads; `total` is the sum over all. `shared` may be written again after the
// next barrier.
__device__ int64_t scan_block(int64_t value, int64_t (&shared)[warps], int64_t& total) {
  const int own = threadIdx.x / warp;
  int64_t up_to = 0, before = scan_warp(value, up_to);
  if (threadIdx.x % warp == warp - 1) shared[own] = up_to;
  __syncthreads();
  total = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < own) before += shared[w];
    total += shared[w];
  }
  return before;
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
  __shared__ int64_t shared[warps];
  for (int64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    int64_t count = 0, total = 0;
    for (int k = 0; k < per_thread; ++k) count += __popc(flags_of(elements, first_of(number, k)));
    scan_block(threadIdx.x % warp == 0 ? count : 0, shared, total);
    if (threadIdx.x == 0) counts[number] = total;
    __syncthreads();
  }
}

// One block: an exclusive scan of the tiles' counts; counts[tiles] is the total.
__global__ void __launch_bounds__(threads) scan_kernel(int64_t* counts, int64_t tiles) {
  __shared__ int64_t shared[warps];
  int64_t carry = 0;
  for (int64_t first = 0; first < tiles; first += threads) {
    const int64_t i = first + threadIdx.x;
    int64_t total = 0;
    const int64_t before = scan_block(i < tiles ? counts[i] : 0, shared, total);
    if (i < tiles) counts[i] = carry + before;
    carry += total;
    __syncthreads();
  }
  if (threadIdx.x == 0) counts[tiles] = carry;
}

// Calls write(its number among those found, its position) for each element that isn't zero.
template <class Write>
__global__ void __launch_bounds__(threads)
    write_kernel(Elements elements, int64_t tiles, const int64_t* counts, Write write) {
  static_assert(tile / warp <= threads);
  __shared__ int64_t shared[warps];
  __shared__ int found[tile / warp];
  const int lane = threadIdx.x % warp;
  for (int64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    unsigned flags[per_thread];
    // Thread p sums before the p-th 32 elements of the tile.
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      flags[k] = flags_of(elements, first_of(number, k));
      if (lane == 0) found[first_of(0, k) / warp] = __popc(flags[k]);
    }
    __syncthreads();
    const bool has_part = threadIdx.x < tile / warp;
    int64_t total = 0;
    const int64_t before = scan_block(has_part ? found[threadIdx.x] : 0, shared, total);
    if (has_part) found[threadIdx.x] = static_cast<int>(before);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      const unsigned earlier = flags[k] & ((1u << lane) - 1);
      if (flags[k] >> lane & 1) {
        write(counts[number] + found[first_of(0, k) / warp] + __popc(earlier), first_of(number, k) + lane);
      }
    }
    __syncthreads();
  }
}

constexpr int max_dims = 64;
struct WriteIndices {
  int64_t* out;
  int64_t row_stride, column_stride;
  int dims;
  int64_t sizes[max_dims];

  __device__ void operator()(int64_t row, int64_t position) const {
    for (int d = dims - 1; d >= 0; --d) {
      out[row * row_stride + d * column_stride] = position % sizes[d];
      position /= sizes[d];
    }
  }
};

template <class T>
struct CopyElement {
  const T* from;
  T* to;
  __device__ void operator()(int64_t number, int64_t position) const { to[number] = from[position]; }
};

Elements elements_of(const TensorBase& self) {
  const bool pairs = self.is_complex();
  const ScalarType dtype = c10::toRealValueType(self.scalar_type());
  return {static_cast<const char*>(self.const_data_ptr()), dtype, static_cast<int>(c10::elementSize(dtype)),
          pairs, self.numel()};
}

int64_t tiles_of(const Elements& elements) { return (elements.n + tile - 1) / tile; }

// `where` holds how many there are before each tile. Synchronizes the device.
NonzeroElements find_nonzero(const TensorBase& self) {
  NonzeroElements found;
  if (self.numel() == 0) return found;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const Elements elements = elements_of(self);
  const int64_t tiles = tiles_of(elements);
  found.where = at::detail::empty_device({tiles + 1}, kLong, self.device());
  auto* counts = found.where.mutable_data_ptr<int64_t>();
  count_kernel<<<blocks_for(tiles, 1), threads, 0, stream>>>(elements, tiles, counts);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  scan_kernel<<<1, threads, 0, stream>>>(counts, tiles);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  C10_CUDA_CHECK(
      cudaMemcpyAsync(&found.count, counts + tiles, sizeof(int64_t), cudaMemcpyDeviceToHost, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  return found;
}

template <class Write>
void write_found(const NonzeroElements& found, const TensorBase& self, const Write& write) {
  const Elements elements = elements_of(self);
  const int64_t tiles = tiles_of(elements);
  write_kernel<<<blocks_for(tiles, 1), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      elements, tiles, found.where.const_data_ptr<int64_t>(), write);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void write_nonzero(const NonzeroElements& found, const TensorBase& self, const TensorBase& result) {
  TORCH_CHECK(self.dim() <= max_dims, "nonzero on CUDA takes up to ", max_dims, " dimensions");
  WriteIndices write{result.mutable_data_ptr<int64_t>(),
                     result.strides()[0],
                     result.strides()[1],
                     static_cast<int>(self.dim()),
                     {}};
  for (int64_t d = 0; d < self.dim(); ++d) write.sizes[d] = self.sizes()[d];
  write_found(found, self, write);
}

void select_nonzero(const NonzeroElements& found, const TensorBase& self, const TensorBase& mask,
                    const TensorBase& result) {
  with_opaque_type(self.element_size(), [&]<class T>(T) {
    write_found(found, mask,
                CopyElement<T>{static_cast<const T*>(self.const_data_ptr()),
                               static_cast<T*>(result.mutable_data_ptr())});
  });
}

}  // namespace nonzero_kernels

REGISTER_CUDA_DISPATCH(find_nonzero_stub, &nonzero_kernels::find_nonzero)
REGISTER_CUDA_DISPATCH(write_nonzero_stub, &nonzero_kernels::write_nonzero)
REGISTER_CUDA_DISPATCH(select_nonzero_stub, &nonzero_kernels::select_nonzero)

}  // namespace at::native
