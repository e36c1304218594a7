// round with decimals, and nextafter, on CUDA.
#include <ATen/OpMathType.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/neighbor.h>
#include <ATen/native/elementwise/functors/rounding.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cmath>

namespace at::native {
namespace round_cuda {

template <class T>
struct RoundDecimals {
  opmath_type<T> power;
  bool to_tens;
  __device__ T operator()(T x) const { return ufunc::round_decimals<T>(x, power, to_tens); }
};

template <class T>
struct Nextafter {
  __device__ T operator()(T x, T to) const { return ufunc::nextafter<T>(x, to); }
};

void round_decimals_kernel(TensorIteratorBase& iter, int64_t decimals) {
  AT_DISPATCH_FLOATING("round_cuda", [&] {
    const auto power =
        static_cast<opmath_type<scalar_t>>(std::pow(10.0, std::abs(static_cast<double>(decimals))));
    gpu_elementwise<scalar_t, scalar_t>(iter, RoundDecimals<scalar_t>{power, decimals < 0});
  });
}

void nextafter_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("nextafter_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, Nextafter<scalar_t>()); });
}

}  // namespace round_cuda

REGISTER_CUDA_DISPATCH(round_decimals_stub, &round_cuda::round_decimals_kernel)
REGISTER_CUDA_DISPATCH(nextafter_stub, &round_cuda::nextafter_kernel)

}  // namespace at::native
