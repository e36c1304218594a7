// nan_to_num on CUDA.
#include <ATen/OpMathType.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/cuda/Loops.cuh>

#include <limits>

namespace at::native {
namespace nan_to_num_cuda {

template <class T>
struct ReplaceSpecial {
  T nan, positive, negative;
  __device__ T operator()(T value) const {
    using O = opmath_type<T>;
    const O x = static_cast<O>(value), infinity = static_cast<O>(__builtin_inff());
    return x != x ? nan : x == infinity ? positive : x == -infinity ? negative : value;
  }
};

void nan_to_num_kernel(TensorIteratorBase& iter, const Replacements& by) {
  AT_DISPATCH_FLOATING("nan_to_num_cuda", [&] {
    using limits = std::numeric_limits<scalar_t>;
    const auto number = [](double value) {
      return static_cast<scalar_t>(static_cast<opmath_type<scalar_t>>(value));
    };
    const ReplaceSpecial<scalar_t> replace{
        number(by.nan.value_or(0.0)), by.positive_infinity ? number(*by.positive_infinity) : limits::max(),
        by.negative_infinity ? number(*by.negative_infinity) : limits::lowest()};
    gpu_elementwise<scalar_t, scalar_t>(iter, replace);
  });
}

}  // namespace nan_to_num_cuda

REGISTER_CUDA_DISPATCH(nan_to_num_stub, &nan_to_num_cuda::nan_to_num_kernel)

}  // namespace at::native
