// Elementwise operators that take bounds, conditions or modes: clamp, where, division with rounding, gelu,
// and conjugation, on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/native/cuda/Opaque.h>
#include <ATen/native/functors/arithmetic.h>
#include <ATen/native/functors/combine.h>
#include <ATen/native/functors/compare.h>
#include <ATen/native/functors/division.h>
#include <ATen/native/functors/sign.h>
#include <ATen/native/functors/special.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

#include <limits>

namespace at::native {
namespace pointwise_cuda {

template <class T>
constexpr T lowest() {
  using limits = std::numeric_limits<T>;
  return limits::has_infinity ? -limits::infinity() : limits::lowest();
}
template <class T>
constexpr T highest() {
  using limits = std::numeric_limits<T>;
  return limits::has_infinity ? limits::infinity() : limits::max();
}

template <class T>
struct Clamp {
  __device__ T operator()(T x, T low, T high) const { return ufunc::clamp<T>(x, low, high); }
};
template <class T>
struct ClampScalar {
  T low, high;
  __device__ T operator()(T x) const { return ufunc::clamp<T>(x, low, high); }
};
template <class T>
struct DivTrunc {
  __device__ T operator()(T a, T b) const { return ufunc::div_trunc<T>(a, b); }
};
template <class T>
struct DivFloor {
  __device__ T operator()(T a, T b) const { return ufunc::div_floor<T>(a, b); }
};
template <class T>
struct Gelu {
  bool tanh;
  __device__ T operator()(T x) const { return tanh ? ufunc::gelu_tanh<T>(x) : ufunc::gelu<T>(x); }
};
template <class T>
struct LerpScalar {
  opmath_type<T> weight;
  __device__ T operator()(T x, T end) const { return ufunc::lerp_scalar<T>(x, end, weight); }
};
template <class T>
struct Conj {
  __device__ T operator()(T x) const { return ufunc::conj<T>(x); }
};
template <class T>
struct Where {
  __device__ T operator()(bool condition, T a, T b) const { return condition ? a : b; }
};

#define AT_DISPATCH_REAL(NAME, ...) \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16)

void clamp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_REAL("clamp_cuda",
                   [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t, scalar_t>(iter, Clamp<scalar_t>()); });
}

void clamp_scalar_kernel(TensorIteratorBase& iter, const Scalar* min, const Scalar* max) {
  AT_DISPATCH_REAL("clamp_scalar_cuda", [&] {
    const ClampScalar<scalar_t> clamp{min != nullptr ? min->to<scalar_t>() : lowest<scalar_t>(),
                                      max != nullptr ? max->to<scalar_t>() : highest<scalar_t>()};
    gpu_elementwise<scalar_t, scalar_t>(iter, clamp);
  });
}

void div_trunc_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_REAL("div_trunc_cuda",
                   [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, DivTrunc<scalar_t>()); });
}

void div_floor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_REAL("div_floor_cuda",
                   [&] { gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, DivFloor<scalar_t>()); });
}

void gelu_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_V2(iter.common_dtype(), "gelu_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t>(iter, Gelu<scalar_t>{approximate == GeluType::Tanh});
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

void lerp_scalar_kernel(TensorIteratorBase& iter, const Scalar& weight) {
  AT_DISPATCH_V2(iter.common_dtype(), "lerp_cuda", AT_WRAP([&] {
                   gpu_elementwise<scalar_t, scalar_t, scalar_t>(
                       iter, LerpScalar<scalar_t>{weight.to<opmath_type<scalar_t>>()});
                 }),
                 AT_EXPAND(AT_FLOATING_AND_COMPLEX_TYPES), kHalf, kBFloat16);
}

void conj_physical_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "conj_physical_cuda",
                 AT_WRAP([&] { gpu_elementwise<scalar_t, scalar_t>(iter, Conj<scalar_t>()); }),
                 AT_EXPAND(AT_COMPLEX_TYPES));
}

// The choices have the result's dtype, so only their bytes are moved.
void where_impl(TensorIterator& iter) {
  with_opaque_type(iter.element_size(0),
                   [&]<class T>(T) { gpu_elementwise<T, bool, T, T>(iter, Where<T>()); });
}

}  // namespace pointwise_cuda

REGISTER_CUDA_DISPATCH(clamp_stub, &pointwise_cuda::clamp_kernel)
REGISTER_CUDA_DISPATCH(clamp_scalar_stub, &pointwise_cuda::clamp_scalar_kernel)
REGISTER_CUDA_DISPATCH(where_kernel, &pointwise_cuda::where_impl)
REGISTER_CUDA_DISPATCH(div_trunc_stub, &pointwise_cuda::div_trunc_kernel)
REGISTER_CUDA_DISPATCH(div_floor_stub, &pointwise_cuda::div_floor_kernel)
REGISTER_CUDA_DISPATCH(GeluKernel, &pointwise_cuda::gelu_kernel)
REGISTER_CUDA_DISPATCH(lerp_scalar_stub, &pointwise_cuda::lerp_scalar_kernel)
REGISTER_CUDA_DISPATCH(conj_physical_stub, &pointwise_cuda::conj_physical_kernel)

}  // namespace at::native
