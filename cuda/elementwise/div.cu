// div with rounding_mode trunc or floor, on CUDA.
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/division.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace div_cuda {

template <class T>
struct DivTrunc {
  __device__ T operator()(T a, T b) const { return ufunc::div_trunc<T>(a, b); }
};

template <class T>
struct DivFloor {
  __device__ T operator()(T a, T b) const { return ufunc::div_floor<T>(a, b); }
};

void div_trunc_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_REAL("div_trunc_cuda",
                   [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, DivTrunc<scalar_t>()); });
}

void div_floor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_REAL("div_floor_cuda",
                   [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, DivFloor<scalar_t>()); });
}

}  // namespace div_cuda

REGISTER_CUDA_DISPATCH(div_trunc_stub, &div_cuda::div_trunc_kernel)
REGISTER_CUDA_DISPATCH(div_floor_stub, &div_cuda::div_floor_kernel)

}  // namespace at::native
