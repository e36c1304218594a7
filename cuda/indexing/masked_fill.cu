// masked_fill on CUDA: one kernel per element size, whatever the dtype.
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/ScalarBits.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cstring>

namespace at::native {
namespace masked_fill_cuda {

template <class T>
struct FillWhere {
  T value;
  __device__ T operator()(T self, bool mask) const { return mask ? value : self; }
};

void masked_fill_kernel(TensorIterator& iter, const Scalar& value) {
  const ScalarBits bits = bits_of(value, iter.dtype());
  with_opaque_type(iter.element_size(0), [&]<class T>(T) {
    FillWhere<T> fill;
    std::memcpy(&fill.value, bits.bytes, sizeof(T));
    gpu_elementwise<T, T, bool>(iter, fill);
  });
}

}  // namespace masked_fill_cuda

REGISTER_CUDA_DISPATCH(masked_fill_stub, &masked_fill_cuda::masked_fill_kernel)

}  // namespace at::native
