// clamp with tensors or scalars as bounds, on CUDA.
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/compare.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/math/limits.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/ListLoops.cuh>

namespace at::native {
namespace clamp_cuda {

template <class T>
struct Clamp {
  __device__ T operator()(T x, T low, T high) const { return ufunc::clamp<T>(x, low, high); }
};

template <class T>
struct ClampScalar {
  T low, high;
  __device__ T operator()(T x) const { return ufunc::clamp<T>(x, low, high); }
};

void clamp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_REAL("clamp_cuda",
                   [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t>(iter, Clamp<scalar_t>()); });
}

void clamp_scalar_kernel(TensorIteratorBase& iter, const Scalar* min, const Scalar* max) {
  AT_DISPATCH_REAL("clamp_scalar_cuda", [&] {
    const ClampScalar<scalar_t> clamp{min != nullptr ? min->to<scalar_t>() : lower_bound<scalar_t>(),
                                      max != nullptr ? max->to<scalar_t>() : upper_bound<scalar_t>()};
    gpu_list_elementwise<scalar_t, scalar_t>(iter, clamp);
  });
}

}  // namespace clamp_cuda

REGISTER_CUDA_DISPATCH(clamp_stub, &clamp_cuda::clamp_kernel)
REGISTER_CUDA_DISPATCH(clamp_scalar_stub, &clamp_cuda::clamp_scalar_kernel)

}  // namespace at::native
