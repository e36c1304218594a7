// Running sums along a dimension on CUDA: a block scans a line in pieces, carrying the total on; where lines
// lie side by side in memory a thread scans a line of its own, so that neighbours read neighbouring elements.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/core/DynamicCast.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/OffsetCalculator.cuh>

namespace at::native {
namespace cumulative_cuda {

constexpr int threads = 256;

// Strides along the line in elements.
struct Line {
  int64_t n, out_stride, in_stride;
};

template <class T>
using accumulator = at::acc_type<T, true>;

template <class T>
__global__ void __launch_bounds__(threads)
    scan_line_kernel(uint32_t lines, Line line, char* out, const char* in, OffsetCalculator<2> starts) {
  using A = accumulator<T>;
  __shared__ alignas(16) char memory[threads * sizeof(A)];
  auto* sums = reinterpret_cast<A*>(memory);
  const int t = static_cast<int>(threadIdx.x);
  for (uint32_t number = blockIdx.x; number < lines; number += gridDim.x) {
    uint32_t offsets[2];
    starts.get(number, offsets);
    auto* to = reinterpret_cast<T*>(out + offsets[0]);
    const auto* from = reinterpret_cast<const T*>(in + offsets[1]);
    A carry = A(0);
    for (int64_t first = 0; first < line.n; first += threads) {
      const int64_t i = first + t;
      A sum = i < line.n ? static_cast<A>(c10::load<T>(from + i * line.in_stride)) : A(0);
      sums[t] = sum;
      __syncthreads();
      for (int distance = 1; distance < threads; distance *= 2) {
        const A earlier = t >= distance ? sums[t - distance] : A(0);
        __syncthreads();
        sum = sum + earlier;
        sums[t] = sum;
        __syncthreads();
      }
      if (i < line.n) to[i * line.out_stride] = static_cast<T>(carry + sum);
      carry = carry + sums[threads - 1];
      __syncthreads();
    }
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    scan_lines_kernel(uint32_t lines, Line line, char* out, const char* in, OffsetCalculator<2> starts) {
  using A = accumulator<T>;
  const uint32_t number = blockIdx.x * threads + threadIdx.x;
  if (number >= lines) return;
  uint32_t offsets[2];
  starts.get(number, offsets);
  auto* to = reinterpret_cast<T*>(out + offsets[0]);
  const auto* from = reinterpret_cast<const T*>(in + offsets[1]);
  A sum = A(0);
  for (int64_t i = 0; i < line.n; ++i) {
    sum = sum + static_cast<A>(c10::load<T>(from + i * line.in_stride));
    to[i * line.out_stride] = static_cast<T>(sum);
  }
}

template <class T>
void launch(TensorIterator& starts, const Line& line) {
  if (starts.numel() == 0) return;
  if (!starts.can_use_32bit_indexing()) {
    for (auto& piece : starts.with_32bit_indexing()) launch<T>(piece, line);
    return;
  }
  const auto lines = static_cast<uint32_t>(starts.numel());
  auto* out = static_cast<char*>(starts.data_ptr(0));
  const auto* in = static_cast<const char*>(starts.data_ptr(1));
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const OffsetCalculator<2> calculator(starts);
  const bool side_by_side = line.in_stride != 1 && lines >= 128;
  if (side_by_side || line.n < 32) {
    scan_lines_kernel<T>
        <<<(lines + threads - 1) / threads, threads, 0, stream>>>(lines, line, out, in, calculator);
  } else {
    scan_line_kernel<T><<<blocks_for(lines, 1), threads, 0, stream>>>(lines, line, out, in, calculator);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void cumsum_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  const Line line{self.size(dim), result.stride(dim), self.stride(dim)};
  auto starts = TensorIteratorConfig()
                    .set_check_mem_overlap(false)
                    .resize_outputs(false)
                    .declare_static_shape(self.sizes(), /*squash_dims=*/dim)
                    .add_output(result)
                    .add_const_input(self)
                    .build();
  AT_DISPATCH_V2(self.scalar_type(), "cumsum_cuda", AT_WRAP([&] { launch<scalar_t>(starts, line); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

}  // namespace cumulative_cuda

REGISTER_CUDA_DISPATCH(cumsum_stub, &cumulative_cuda::cumsum_kernel)

}  // namespace at::native
