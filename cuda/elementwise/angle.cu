// angle, of real and complex elements, on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/arc.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace angle_cuda {

template <class T>
struct RealAngle {
  __device__ T operator()(T x) const { return ufunc::real_angle<T>(x); }
};

template <class T>
struct ComplexAngle {
  __device__ typename T::value_type operator()(T x) const { return math::atan2(x.imag(), x.real()); }
};

void angle_kernel(TensorIteratorBase& iter) {
  if (isComplexType(iter.common_dtype())) {
    AT_DISPATCH_V2(iter.common_dtype(), "angle_cuda", AT_WRAP([&] {
                     gpu_elementwise<typename scalar_t::value_type, scalar_t>(iter, ComplexAngle<scalar_t>());
                   }),
                   AT_EXPAND(AT_COMPLEX_TYPES));
    return;
  }
  AT_DISPATCH_FLOATING("angle_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t>(iter, RealAngle<scalar_t>()); });
}

}  // namespace angle_cuda

REGISTER_CUDA_DISPATCH(angle_stub, &angle_cuda::angle_kernel)

}  // namespace at::native
