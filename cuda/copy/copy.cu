// Copies within one device: equal dtypes move as bytes, others are converted by the load.
#include <ATen/native/cuda/copy/copy.h>

#include <ATen/Dispatch_v2.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/ListLoops.cuh>

namespace at::native {
namespace copy_cuda {

template <class T>
struct Same {
  __device__ T operator()(T x) const { return x; }
};

}  // namespace copy_cuda

void copy_on_device(TensorIteratorBase& iter) {
  if (iter.dtype(0) == iter.dtype(1)) {
    if (transpose_on_device(iter)) return;
    with_opaque_type(iter.element_size(0),
                     [&]<class T>(T) { gpu_list_elementwise<T, T>(iter, copy_cuda::Same<T>()); });
    return;
  }
  AT_DISPATCH_V2(iter.dtype(0), "copy_cuda",
                 AT_WRAP([&] { gpu_elementwise<scalar_t, scalar_t>(iter, copy_cuda::Same<scalar_t>()); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
}

}  // namespace at::native
