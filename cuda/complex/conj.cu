// Conjugation on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/complex/stubs.h>
#include <ATen/native/elementwise/functors/sign.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace conj_cuda {

template <class T>
struct Conj {
  __device__ T operator()(T x) const { return ufunc::conj<T>(x); }
};

void conj_physical_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "conj_physical_cuda",
                 AT_WRAP([&] { gpu_elementwise<scalar_t, scalar_t>(iter, Conj<scalar_t>()); }),
                 AT_EXPAND(AT_COMPLEX_TYPES));
}

}  // namespace conj_cuda

REGISTER_CUDA_DISPATCH(conj_physical_stub, &conj_cuda::conj_physical_kernel)

}  // namespace at::native
