// Elementwise operators with modes, further types or several results. The 16-bit floats share the loops of
// float.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/ElementwiseOps.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/functors/activation.h>
#include <ATen/native/functors/arc.h>
#include <ATen/native/functors/gamma.h>
#include <ATen/native/functors/neighbor.h>
#include <ATen/native/functors/rounding.h>

#include <cmath>
#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

#define AT_DISPATCH_FLOATING(NAME, ...)                                                                \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_FLOATING_TYPES), kHalf, \
                 kBFloat16)

// Loops by the type that is computed in.
template <class O>
constexpr auto round_decimals =
    [](O x, O power, bool to_tens) { return ufunc::round_decimals<O>(x, power, to_tens); };
template <class O>
constexpr auto replace_special = [](O x, O nan, O positive, O negative) {
  const O below = x == -O(__builtin_inf()) ? negative : x, above = x == O(__builtin_inf()) ? positive : below;
  return x != x ? nan : above;
};
template <class O>
constexpr auto logit = [](O x, O low, O high)
                           C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::logit<O>(x, low, high); };
template <class O>
constexpr auto logit_backward = [](O grad, O x, O low, O high, O outside) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::logit_backward<O>(grad, x, low, high, outside);
};
template <class O>
constexpr auto elu_backward =
    [](O grad, O x, O alpha, O scale, O input_scale, bool is_result) C10_ALWAYS_INLINE_ATTRIBUTE {
      return ufunc::elu_backward<O>(grad, x, alpha, scale, input_scale, is_result);
    };
template <class O>
constexpr auto real_angle = [](O x) { return ufunc::real_angle<O>(x); };
template <class O>
constexpr auto trigamma = [](O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::trigamma<O>(x); };
template <class O>
constexpr auto hardswish = [](O x) { return ufunc::hardswish<O>(x); };
template <class O>
constexpr auto hardswish_backward = [](O grad, O x) { return ufunc::hardswish_backward<O>(grad, x); };
template <class O>
constexpr auto mish_backward = [](O grad, O x)
                                   C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::mish_backward<O>(grad, x); };
template <class O>
constexpr auto prelu = [](O x, O weight) { return ufunc::prelu<O>(x, weight); };
template <class O>
constexpr auto glu = [](O first, O second)
                         C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::glu<O>(first, second); };
template <class O>
constexpr auto glu_jvp = [](O result, O second, O first_change, O second_change) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::glu_jvp<O>(result, second, first_change, second_change);
};
template <class O>
constexpr auto glu_gate_backward = [](O grad, O first, O second) C10_ALWAYS_INLINE_ATTRIBUTE {
  return ufunc::glu_gate_backward<O>(grad, first, second);
};
template <class O>
constexpr auto prelu_backward =
    [](O x, O weight, O grad) { return ufunc::prelu_backward<O>(grad, x, weight); };
template <class O>
constexpr auto prelu_weight_backward = [](O x, O grad) { return ufunc::prelu_weight_backward<O>(grad, x); };

void round_decimals_kernel(TensorIteratorBase& iter, int64_t decimals) {
  AT_DISPATCH_FLOATING("round_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const auto power = static_cast<O>(std::pow(10.0, std::abs(static_cast<double>(decimals))));
    cpu_kernel_computed<scalar_t>(iter, round_decimals<O>, power, decimals < 0);
  });
}

void nextafter_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("nextafter_cpu", [&] {
    cpu_kernel(iter, [](scalar_t x, scalar_t to) { return ufunc::nextafter<scalar_t>(x, to); });
  });
}

void polygamma_kernel(TensorIteratorBase& iter, int64_t n) {
  const double factorial = std::lgamma(static_cast<double>(n) + 1.0);
  AT_DISPATCH_FLOATING("polygamma", [&] {
    if (n == 1) {
      cpu_kernel_computed<scalar_t>(iter, trigamma<opmath_type<scalar_t>>);
    } else {
      cpu_kernel(iter, [n, factorial](scalar_t x) { return ufunc::polygamma<scalar_t>(x, n, factorial); });
    }
  });
}

void angle_kernel(TensorIteratorBase& iter) {
  if (isComplexType(iter.common_dtype())) {
    AT_DISPATCH_V2(iter.common_dtype(), "angle_cpu", AT_WRAP([&] {
                     cpu_kernel(iter, [](scalar_t x) { return math::atan2(x.imag(), x.real()); });
                   }),
                   AT_EXPAND(AT_COMPLEX_TYPES));
    return;
  }
  AT_DISPATCH_FLOATING("angle_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, real_angle<opmath_type<scalar_t>>); });
}

template <class T>
void replace_in_reals(TensorIteratorBase& iter, const Replacements& by) {
  using O = opmath_type<T>;
  using limits = std::numeric_limits<T>;
  cpu_kernel_computed<T>(
      iter, replace_special<O>, static_cast<O>(by.nan.value_or(0.0)),
      static_cast<O>(by.positive_infinity.value_or(static_cast<double>(limits::max()))),
      static_cast<O>(by.negative_infinity.value_or(static_cast<double>(limits::lowest()))));
}

void nan_to_num_kernel(TensorIteratorBase& iter, const Replacements& by) {
  AT_DISPATCH_FLOATING("nan_to_num_cpu", [&] { replace_in_reals<scalar_t>(iter, by); });
}

void logit_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const O low = eps ? static_cast<O>(*eps) : -std::numeric_limits<O>::infinity();
    const O high = eps ? O(1) - low : std::numeric_limits<O>::infinity();
    cpu_kernel_computed<scalar_t>(iter, logit<O>, low, high);
  });
}

void logit_backward_kernel(TensorIteratorBase& iter, std::optional<double> eps) {
  AT_DISPATCH_FLOATING("logit_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const O low = static_cast<O>(eps.value_or(0.0));
    const O outside = eps ? O(0) : std::numeric_limits<O>::quiet_NaN();
    cpu_kernel_computed<scalar_t>(iter, logit_backward<O>, low, O(1) - low, outside);
  });
}

void elu_backward_kernel(TensorIteratorBase& iter, const EluScales& by) {
  AT_DISPATCH_FLOATING("elu_backward_cpu", [&] {
    using O = opmath_type<scalar_t>;
    cpu_kernel_computed<scalar_t>(iter, elu_backward<O>, by.alpha.to<O>(), by.scale.to<O>(),
                                  by.input_scale.to<O>(), by.is_result);
  });
}

void hardswish_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("hardswish_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, hardswish<opmath_type<scalar_t>>); });
}

void hardswish_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("hardswish_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, hardswish_backward<opmath_type<scalar_t>>);
  });
}

void mish_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("mish_backward_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, mish_backward<opmath_type<scalar_t>>); });
}

void prelu_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, prelu<opmath_type<scalar_t>>); });
}

void prelu_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_backward_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, prelu_backward<opmath_type<scalar_t>>); });
}

void prelu_weight_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("prelu_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, prelu_weight_backward<opmath_type<scalar_t>>);
  });
}

void glu_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_cpu", [&] { cpu_kernel_computed<scalar_t>(iter, glu<opmath_type<scalar_t>>); });
}

void glu_gate_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_backward_cpu", [&] {
    cpu_kernel_computed<scalar_t>(iter, glu_gate_backward<opmath_type<scalar_t>>);
  });
}

void glu_jvp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING("glu_jvp_cpu",
                       [&] { cpu_kernel_computed<scalar_t>(iter, glu_jvp<opmath_type<scalar_t>>); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(round_decimals_stub, &round_decimals_kernel)
REGISTER_DISPATCH(nextafter_stub, &nextafter_kernel)
REGISTER_DISPATCH(polygamma_stub, &polygamma_kernel)
REGISTER_DISPATCH(angle_stub, &angle_kernel)
REGISTER_DISPATCH(nan_to_num_stub, &nan_to_num_kernel)
REGISTER_DISPATCH(logit_stub, &logit_kernel)
REGISTER_DISPATCH(logit_backward_stub, &logit_backward_kernel)
REGISTER_DISPATCH(elu_backward_stub, &elu_backward_kernel)
REGISTER_DISPATCH(hardswish_stub, &hardswish_kernel)
REGISTER_DISPATCH(hardswish_backward_stub, &hardswish_backward_kernel)
REGISTER_DISPATCH(mish_backward_stub, &mish_backward_kernel)
REGISTER_DISPATCH(prelu_stub, &prelu_kernel)
REGISTER_DISPATCH(prelu_backward_stub, &prelu_backward_kernel)
REGISTER_DISPATCH(prelu_weight_backward_stub, &prelu_weight_backward_kernel)
REGISTER_DISPATCH(glu_stub, &glu_kernel)
REGISTER_DISPATCH(glu_gate_backward_stub, &glu_gate_backward_kernel)
REGISTER_DISPATCH(glu_jvp_stub, &glu_jvp_kernel)

}  // namespace at::native
