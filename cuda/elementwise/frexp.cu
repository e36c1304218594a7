// frexp on CUDA.
#include <ATen/OpMathType.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/frexp.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace frexp_cuda {

template <class T>
struct Mantissa {
  __device__ T operator()(T x) const {
    return static_cast<T>(ufunc::frexp_mantissa(static_cast<opmath_type<T>>(x)));
  }
};

template <class T>
struct Exponent {
  __device__ int32_t operator()(T x) const { return ufunc::frexp_exponent(static_cast<opmath_type<T>>(x)); }
};

void mantissa_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("frexp_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t>(iter, Mantissa<scalar_t>()); });
}

void exponent_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.dtype(1), "frexp_cuda",
                 AT_WRAP([&] { gpu_elementwise<int32_t, scalar_t>(iter, Exponent<scalar_t>()); }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

}  // namespace frexp_cuda

REGISTER_CUDA_DISPATCH(frexp_mantissa_stub, &frexp_cuda::mantissa_kernel)
REGISTER_CUDA_DISPATCH(frexp_exponent_stub, &frexp_cuda::exponent_kernel)

}  // namespace at::native
