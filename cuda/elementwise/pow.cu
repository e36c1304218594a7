// pow with a tensor or a scalar as the exponent, on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/elementwise/functors/power.h>
#include <ATen/native/elementwise/functors/transcendental.h>
#include <ATen/native/elementwise/stubs.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/ListLoops.cuh>

namespace at::native {
namespace pow_cuda {

template <class T>
struct Pow {
  __device__ T operator()(T base, T exponent) const { return ufunc::pow<T>(base, exponent); }
};

// Small exponents are products, roots and reciprocals. The choice is the same for all elements, so the branch
// doesn't diverge, and one kernel serves them all.
enum class Exponent { Square, Cube, Root, InverseRoot, Inverse, InverseSquare, Any };

template <class T>
struct PowScalar {
  using O = at::opmath_type<T>;
  Exponent kind;
  O exponent;
  __device__ T operator()(T x) const {
    if (kind == Exponent::Square) return ufunc::mul<T>(x, x);
    if (kind == Exponent::Cube) return ufunc::cube<T>(x);
    if constexpr (!std::is_integral_v<T>) {
      if (kind == Exponent::Root) return ufunc::sqrt<T>(x);
      if (kind == Exponent::InverseRoot) return ufunc::rsqrt<T>(x);
      if (kind == Exponent::Inverse) return ufunc::reciprocal<T>(x);
      if (kind == Exponent::InverseSquare) return ufunc::reciprocal<T>(ufunc::mul<T>(x, x));
    }
    return static_cast<T>(ufunc::pow<O>(static_cast<O>(x), exponent));
  }
};

Exponent kind_of(const Scalar& exponent, bool integral) {
  if (exponent.isComplex()) return Exponent::Any;
  const double value = exponent.to<double>();
  if (value == 2) return Exponent::Square;
  if (value == 3) return Exponent::Cube;
  if (integral) return Exponent::Any;
  return value == 0.5    ? Exponent::Root
         : value == -0.5 ? Exponent::InverseRoot
         : value == -1   ? Exponent::Inverse
         : value == -2   ? Exponent::InverseSquare
                         : Exponent::Any;
}

void tensor_tensor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "pow_cuda",
                 AT_WRAP([&] { gpu_list_elementwise<scalar_t, scalar_t, scalar_t>(iter, Pow<scalar_t>()); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

void tensor_scalar_kernel(TensorIteratorBase& iter, const Scalar& exponent) {
  AT_DISPATCH_V2(iter.common_dtype(), "pow_cuda", AT_WRAP([&] {
                   using O = at::opmath_type<scalar_t>;
                   const PowScalar<scalar_t> pow{kind_of(exponent, std::is_integral_v<scalar_t>),
                                                 exponent.to<O>()};
                   gpu_list_elementwise<scalar_t, scalar_t>(iter, pow);
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

}  // namespace pow_cuda

REGISTER_CUDA_DISPATCH(pow_tensor_tensor_stub, &pow_cuda::tensor_tensor_kernel)
REGISTER_CUDA_DISPATCH(pow_tensor_scalar_stub, &pow_cuda::tensor_scalar_kernel)

}  // namespace at::native
