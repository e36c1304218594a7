// where, and lerp with one weight for all elements, on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/elementwise/functors/combine.h>
#include <ATen/native/elementwise/stubs.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/ListLoops.cuh>

namespace at::native {
namespace where_cuda {

template <class T>
struct Where {
  __device__ T operator()(bool condition, T a, T b) const { return condition ? a : b; }
};

template <class T>
struct LerpScalar {
  opmath_type<T> weight;
  __device__ T operator()(T x, T end) const { return ufunc::lerp_scalar<T>(x, end, weight); }
};

// The operands have the result's dtype, so only bytes are moved.
void where_impl(TensorIterator& iter) {
  with_opaque_type(iter.element_size(0),
                   [&]<class T>(T) { gpu_elementwise<T, bool, T, T>(iter, Where<T>()); });
}

void lerp_scalar_kernel(TensorIteratorBase& iter, const Scalar& weight) {
  AT_DISPATCH_V2(iter.common_dtype(), "lerp_cuda", AT_WRAP([&] {
                   gpu_list_elementwise<scalar_t, scalar_t, scalar_t>(
                       iter, LerpScalar<scalar_t>{weight.to<opmath_type<scalar_t>>()});
                 }),
                 AT_EXPAND(AT_FLOATING_AND_COMPLEX_TYPES), kHalf, kBFloat16);
}

}  // namespace where_cuda

REGISTER_CUDA_DISPATCH(where_kernel, &where_cuda::where_impl)
REGISTER_CUDA_DISPATCH(lerp_scalar_stub, &where_cuda::lerp_scalar_kernel)

}  // namespace at::native
