// fill_ on CUDA: one kernel per element size, whatever the dtype.
#include <ATen/native/Opaque.h>
#include <ATen/native/copy/stubs.h>
#include <ATen/native/cuda/ScalarBits.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/ListLoops.cuh>

#include <cstring>

namespace at::native {
namespace fill_cuda {

template <class T>
struct Constant {
  T value;
  __device__ T operator()() const { return value; }
};

void fill_kernel(TensorIterator& iter, const Scalar& value) {
  const ScalarBits bits = bits_of(value, iter.dtype());
  with_opaque_type(iter.element_size(0), [&]<class T>(T) {
    Constant<T> constant;
    std::memcpy(&constant.value, bits.bytes, sizeof(T));
    gpu_list_elementwise<T>(iter, constant);
  });
}

}  // namespace fill_cuda

REGISTER_CUDA_DISPATCH(fill_stub, &fill_cuda::fill_kernel)

}  // namespace at::native
