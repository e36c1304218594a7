// masked_fill_ on CUDA: one kernel per element size, whatever the dtype.
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/ScalarBits.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cstring>

namespace at::native {
namespace masked_fill_cuda {

template <class T>
__global__ void __launch_bounds__(cuda_loops::threads)
    fill_where(uint32_t n, T value, char* self, const char* mask, OffsetCalculator<2> calculator) {
  const uint32_t index = blockIdx.x * cuda_loops::threads + threadIdx.x;
  if (index >= n) return;
  uint32_t offsets[2];
  calculator.get(index, offsets);
  if (mask[offsets[1]] != 0) *reinterpret_cast<T*>(self + offsets[0]) = value;
}

template <class T>
void launch_masked(TensorIterator& iter, T value) {
  if (iter.numel() == 0) return;
  if (!iter.can_use_32bit_indexing()) {
    for (auto& piece : iter.with_32bit_indexing()) launch_masked(piece, value);
    return;
  }
  const auto n = static_cast<uint32_t>(iter.numel());
  constexpr int threads = cuda_loops::threads;
  fill_where<T><<<(n + threads - 1) / threads, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      n, value, static_cast<char*>(iter.data_ptr(0)), static_cast<const char*>(iter.data_ptr(1)),
      OffsetCalculator<2>(iter));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void masked_fill_kernel(TensorIterator& iter, const Scalar& value) {
  const ScalarBits bits = bits_of(value, iter.dtype());
  with_opaque_type(iter.element_size(0), [&]<class T>(T) {
    T element;
    std::memcpy(&element, bits.bytes, sizeof(T));
    launch_masked(iter, element);
  });
}

}  // namespace masked_fill_cuda

REGISTER_CUDA_DISPATCH(masked_fill_stub, &masked_fill_cuda::masked_fill_kernel)

}  // namespace at::native
