// fill_ and masked_fill_ on CUDA: one kernel per element size, whatever the dtype.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/Copy.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/cuda/Opaque.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cstring>

namespace at::native {
namespace fill_cuda {

struct Bits {
  alignas(16) char bytes[16];
};

Bits bits_of(const Scalar& value, ScalarType dtype) {
  Bits bits{};
  AT_DISPATCH_V2(dtype, "fill_cuda", AT_WRAP([&] {
                   const auto converted = value.to<scalar_t>();
                   std::memcpy(bits.bytes, &converted, sizeof(converted));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
  return bits;
}

template <class T>
struct Constant {
  T value;
  __device__ T operator()() const { return value; }
};

void fill_kernel(TensorIterator& iter, const Scalar& value) {
  const Bits bits = bits_of(value, iter.dtype());
  with_opaque_type(iter.element_size(0), [&]<class T>(T) {
    Constant<T> constant;
    std::memcpy(&constant.value, bits.bytes, sizeof(T));
    gpu_elementwise<T>(iter, constant);
  });
}

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
  const Bits bits = bits_of(value, iter.dtype());
  with_opaque_type(iter.element_size(0), [&]<class T>(T) {
    T element;
    std::memcpy(&element, bits.bytes, sizeof(T));
    launch_masked(iter, element);
  });
}

}  // namespace fill_cuda

REGISTER_CUDA_DISPATCH(fill_stub, &fill_cuda::fill_kernel)
REGISTER_CUDA_DISPATCH(masked_fill_stub, &fill_cuda::masked_fill_kernel)

}  // namespace at::native
