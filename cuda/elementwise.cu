// Elementwise operators with modes, further types or several results, on CUDA.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/ElementwiseOps.h>
#include <ATen/native/functors/activation.h>
#include <ATen/native/functors/arc.h>
#include <ATen/native/functors/gamma.h>
#include <ATen/native/functors/neighbor.h>
#include <ATen/native/functors/rounding.h>
#include <c10/core/Scalar.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cmath>
#include <limits>

namespace at::native {
namespace elementwise_cuda {

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
template <class T>
struct Polygamma {
  int64_t n;
  double factorial;
  __device__ T operator()(T x) const { return ufunc::polygamma<T>(x, n, factorial); }
};
template <class T>
struct RealAngle {
  __device__ T operator()(T x) const { return ufunc::real_angle<T>(x); }
};
template <class T>
struct ComplexAngle {
  __device__ typename T::value_type operator()(T x) const { return math::atan2(x.imag(), x.real()); }
};
template <class T>
struct ReplaceSpecial {
  T nan, positive, negative;
  __device__ T operator()(T value) const {
    using O = opmath_type<T>;
    const O x = static_cast<O>(value), infinity = static_cast<O>(__builtin_inff());
    return x != x ? nan : x == infinity ? positive : x == -infinity ? negative : value;
  }
};
template <class T>
struct Logit {
  opmath_type<T> low, high;
  __device__ T operator()(T x) const { return ufunc::logit<T>(x, low, high); }
};
template <class T>
struct LogitBackward {
  opmath_type<T> low, high, outside;
  __device__ T operator()(T grad, T x) const { return ufunc::logit_backward<T>(grad, x, low, high, outside); }
};
template <class T>
struct EluBackward {
  opmath_type<T> alpha, scale, input_scale;
  bool is_result;
  __device__ T operator()(T grad, T x) const {
    return ufunc::elu_backward<T>(grad, x, alpha, scale, input_scale, is_result);
  }
};
template <class T>
struct GluJvp {
  __device__ T operator()(T result, T second, T first_change, T second_change) const {
    return ufunc::glu_jvp<T>(result, second, first_change, second_change);
  }
};

#define AT_ONE_OPERAND(Name, function)                                   \
  template <class T>                                                     \
  struct Name {                                                          \
    __device__ T operator()(T x) const { return ufunc::function<T>(x); } \
  };
#define AT_TWO_OPERANDS(Name, function)                                          \
  template <class T>                                                             \
  struct Name {                                                                  \
    __device__ T operator()(T a, T b) const { return ufunc::function<T>(a, b); } \
  };
#define AT_THREE_OPERANDS(Name, function)                                                \
  template <class T>                                                                     \
  struct Name {                                                                          \
    __device__ T operator()(T a, T b, T c) const { return ufunc::function<T>(a, b, c); } \
  };

AT_ONE_OPERAND(Hardswish, hardswish)
AT_TWO_OPERANDS(HardswishBackward, hardswish_backward)
AT_TWO_OPERANDS(MishBackward, mish_backward)
AT_TWO_OPERANDS(Prelu, prelu)
AT_TWO_OPERANDS(Glu, glu)
AT_THREE_OPERANDS(GluGateBackward, glu_gate_backward)

// The gradient comes last: the result is laid out as the input is.
template <class T>
struct PreluBackward {
  __device__ T operator()(T x, T weight, T grad) const { return ufunc::prelu_backward<T>(grad, x, weight); }
};
template <class T>
struct PreluWeightBackward {
  __device__ T operator()(T x, T grad) const { return ufunc::prelu_weight_backward<T>(grad, x); }
};

#undef AT_ONE_OPERAND
#undef AT_TWO_OPERANDS
#undef AT_THREE_OPERANDS

#define AT_DISPATCH_FLOATING(NAME, ...)                                                                \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_FLOATING_TYPES), kHalf, \
                 kBFloat16)

// A kernel that hands its operands to a functor, and nothing else.
#define AT_PLAIN_KERNEL(kernel, Functor, ...)                                                         \
  void kernel(TensorIteratorBase& iter) {                                                             \
    AT_DISPATCH_FLOATING(#kernel,                                                                     \
                         [&] { gpu_elementwise<scalar_t, __VA_ARGS__>(iter, Functor<scalar_t>()); }); \
  }

AT_PLAIN_KERNEL(nextafter_kernel, Nextafter, scalar_t, scalar_t)
AT_PLAIN_KERNEL(hardswish_kernel, Hardswish, scalar_t)
AT_PLAIN_KERNEL(hardswish_backward_kernel, HardswishBackward, scalar_t, scalar_t)
AT_PLAIN_KERNEL(mish_backward_kernel, MishBackward, scalar_t, scalar_t)
AT_PLAIN_KERNEL(prelu_kernel, Prelu, scalar_t, scalar_t)
AT_PLAIN_KERNEL(prelu_backward_kernel, PreluBackward, scalar_t, scalar_t, scalar_t)
AT_PLAIN_KERNEL(prelu_weight_backward_kernel, PreluWeightBackward, scalar_t, scalar_t)
AT_PLAIN_KERNEL(glu_kernel, Glu, scalar_t, scalar_t)
AT_PLAIN_KERNEL(glu_gate_backward_kernel, GluGateBackward, scalar_t, scalar_t, scalar_t)
AT_PLAIN_KERNEL(glu_jvp_kernel, GluJvp, scalar_t, scalar_t, scalar_t, scalar_t)
#undef AT_PLAIN_KERNEL

void round_decimals_kernel(TensorIteratorBase& iter, int64_t decimals) {
  AT_DISPATCH_FLOATING("round_cuda", [&] {
    const auto power =
        static_cast<opmath_type<scalar_t>>(std::pow(10.0, std::abs(static_cast<double>(decimals))));
    gpu_elementwise<scalar_t, scalar_t>(iter, RoundDecimals<scalar_t>{power, decimals < 0});
  });
}

void polygamma_kernel(TensorIteratorBase& iter, int64_t n) {
  const double factorial = std::lgamma(static_cast<double>(n) + 1.0);
  AT_DISPATCH_FLOATING("polygamma_cuda",
                       [&] { gpu_elementwise<scalar_t, scalar_t>(iter, Polygamma<scalar_t>{n, factorial}); });
}

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

void logit_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_cuda", [&] {
    using O = opmath_type<scalar_t>;
    const O low = eps ? static_cast<O>(*eps) : -std::numeric_limits<O>::infinity();
    const O high = eps ? O(1) - low : std::numeric_limits<O>::infinity();
    gpu_elementwise<scalar_t, scalar_t>(iter, Logit<scalar_t>{low, high});
  });
}

void logit_backward_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_backward_cuda", [&] {
    using O = opmath_type<scalar_t>;
    const O low = static_cast<O>(eps.value_or(0.0));
    const O outside = eps ? O(0) : std::numeric_limits<O>::quiet_NaN();
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(iter, LogitBackward<scalar_t>{low, O(1) - low, outside});
  });
}

void elu_backward_kernel(TensorIteratorBase& iter, const EluScales& by) {
  AT_DISPATCH_FLOATING("elu_backward_cuda", [&] {
    using O = opmath_type<scalar_t>;
    gpu_elementwise<scalar_t, scalar_t, scalar_t>(
        iter,
        EluBackward<scalar_t>{by.alpha.to<O>(), by.scale.to<O>(), by.input_scale.to<O>(), by.is_result});
  });
}

}  // namespace elementwise_cuda

REGISTER_CUDA_DISPATCH(round_decimals_stub, &elementwise_cuda::round_decimals_kernel)
REGISTER_CUDA_DISPATCH(nextafter_stub, &elementwise_cuda::nextafter_kernel)
REGISTER_CUDA_DISPATCH(polygamma_stub, &elementwise_cuda::polygamma_kernel)
REGISTER_CUDA_DISPATCH(angle_stub, &elementwise_cuda::angle_kernel)
REGISTER_CUDA_DISPATCH(nan_to_num_stub, &elementwise_cuda::nan_to_num_kernel)
REGISTER_CUDA_DISPATCH(logit_stub, &elementwise_cuda::logit_kernel)
REGISTER_CUDA_DISPATCH(logit_backward_stub, &elementwise_cuda::logit_backward_kernel)
REGISTER_CUDA_DISPATCH(elu_backward_stub, &elementwise_cuda::elu_backward_kernel)
REGISTER_CUDA_DISPATCH(hardswish_stub, &elementwise_cuda::hardswish_kernel)
REGISTER_CUDA_DISPATCH(hardswish_backward_stub, &elementwise_cuda::hardswish_backward_kernel)
REGISTER_CUDA_DISPATCH(mish_backward_stub, &elementwise_cuda::mish_backward_kernel)
REGISTER_CUDA_DISPATCH(prelu_stub, &elementwise_cuda::prelu_kernel)
REGISTER_CUDA_DISPATCH(prelu_backward_stub, &elementwise_cuda::prelu_backward_kernel)
REGISTER_CUDA_DISPATCH(prelu_weight_backward_stub, &elementwise_cuda::prelu_weight_backward_kernel)
REGISTER_CUDA_DISPATCH(glu_stub, &elementwise_cuda::glu_kernel)
REGISTER_CUDA_DISPATCH(glu_gate_backward_stub, &elementwise_cuda::glu_gate_backward_kernel)
REGISTER_CUDA_DISPATCH(glu_jvp_stub, &elementwise_cuda::glu_jvp_kernel)

}  // namespace at::native
