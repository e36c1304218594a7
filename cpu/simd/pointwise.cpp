// Elementwise operators that take bounds, conditions or modes: clamp, where, division with rounding, gelu,
// lerp, conjugation.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/functors/arithmetic.h>
#include <ATen/native/functors/combine.h>
#include <ATen/native/functors/compare.h>
#include <ATen/native/functors/division.h>
#include <ATen/native/functors/sign.h>
#include <ATen/native/functors/special.h>

#include <cstring>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

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

#define AT_DISPATCH_CLAMP(NAME, ...) \
  AT_DISPATCH_V2(iter.common_dtype(), NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16)

// Loops by the type that is computed in: the 16-bit floats share those of float.
template <class O>
constexpr auto clamp_of = [](O x, O low, O high)
                              C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::clamp<O>(x, low, high); };
template <class O>
constexpr auto div_trunc_of = [](O a, O b) { return ufunc::div_trunc<O>(a, b); };
template <class O>
constexpr auto div_floor_of = [](O a, O b) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::div_floor<O>(a, b); };
template <class T>  // the 16-bit floats have a shorter one
constexpr auto gelu_of = [](opmath_type<T> x)
                             C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_to_digits<T>(x); };
template <class O>
constexpr auto gelu_tanh_of = [](O x) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::gelu_tanh<O>(x); };
template <class O>
constexpr auto conj_of = [](O x) { return ufunc::conj<O>(x); };
template <class O>
constexpr auto lerp_of = [](O x, O end, O weight)
                             C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::lerp_scalar<O>(x, end, weight); };

void clamp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_CLAMP("clamp_cpu",
                    [&] { cpu_kernel_computed<scalar_t>(iter, clamp_of<opmath_type<scalar_t>>); });
}

// Contiguous numbers between two that are numbers; NaN stays what it is.
template <class T>
void clamp_vectors(const T* in, T* out, int64_t n, T low, T high) {
  using V = typename Register<T>::type;
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  const V lows = low - V{}, highs = high - V{};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    V x;
    std::memcpy(&x, in + i, sizeof(x));
    x = x < lows ? lows : x;
    x = x > highs ? highs : x;
    std::memcpy(out + i, &x, sizeof(x));
  }
  for (; i < n; i++) {
    const T raised = in[i] < low ? low : in[i];
    out[i] = raised > high ? high : raised;
  }
}

template <class O>
struct Bounds {
  O low, high;
};

template <class O>
void clamp_block(const void* bounds, char* const* data, int64_t n) {
  const auto& by = *static_cast<const Bounds<O>*>(bounds);
  clamp_vectors(reinterpret_cast<const O*>(data[1]), reinterpret_cast<O*>(data[0]), n, by.low, by.high);
}

template <class T, class O>
void clamp_between(TensorIteratorBase& iter, const Bounds<O>& bounds) {
  loops::Operand operands[] = {loops::operand<O>, loops::operand<O>};
  if constexpr (!std::is_same_v<T, O>) {
    operands[0] = loops::converted_output<O>(c10::CppTypeToScalarType<T>::value);
    operands[1] = loops::converted_input<O>(c10::CppTypeToScalarType<T>::value);
  }
  loops::run(iter, {&clamp_block<O>, &bounds, operands, 2}, cpu_kernel_grain_size);
}

void clamp_scalar_kernel(TensorIteratorBase& iter, const Scalar* min_value, const Scalar* max_value) {
  AT_DISPATCH_CLAMP("clamp_scalar_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const auto min = min_value != nullptr ? min_value->to<scalar_t>() : lowest<scalar_t>();
    const auto max = max_value != nullptr ? max_value->to<scalar_t>() : highest<scalar_t>();
    const Bounds<O> bounds = {static_cast<O>(min), static_cast<O>(max)};
    if (bounds.low == bounds.low && bounds.high == bounds.high) {
      clamp_between<scalar_t>(iter, bounds);
    } else {  // all NaN
      cpu_kernel_computed<scalar_t>(iter, clamp_of<O>, bounds.low, bounds.high);
    }
  });
}

// ---- where: a choice between bits, one loop per element size

template <class Bits>
void where_bits(TensorIterator& iter) {
  cpu_kernel(iter, [](bool condition, Bits a, Bits b) -> Bits { return condition ? a : b; });
}

void where_impl(TensorIterator& iter) {
  switch (iter.element_size(0)) {
    case 1:
      return where_bits<uint8_t>(iter);
    case 2:
      return where_bits<uint16_t>(iter);
    case 4:
      return where_bits<uint32_t>(iter);
    case 8:
      return where_bits<uint64_t>(iter);
    default:
      return where_bits<c10::complex<double>>(iter);
  }
}

// ---- division

void div_trunc_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "div_trunc_cpu",
                 AT_WRAP([&] { cpu_kernel_computed<scalar_t>(iter, div_trunc_of<opmath_type<scalar_t>>); }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

void div_floor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "div_floor_cpu",
                 AT_WRAP([&] { cpu_kernel_computed<scalar_t>(iter, div_floor_of<opmath_type<scalar_t>>); }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);
}

// ---- gelu

void gelu_kernel(TensorIteratorBase& iter, GeluType approximate) {
  AT_DISPATCH_V2(iter.common_dtype(), "gelu_cpu", AT_WRAP([&] {
                   using O = opmath_type<scalar_t>;
                   if (approximate == GeluType::Tanh) {
                     cpu_kernel_computed<scalar_t>(iter, gelu_tanh_of<O>);
                   } else {
                     cpu_kernel_computed<scalar_t>(iter, gelu_of<scalar_t>);
                   }
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
}

// ---- lerp with one weight

void lerp_scalar_kernel(TensorIteratorBase& iter, const Scalar& weight) {
  AT_DISPATCH_V2(iter.common_dtype(), "lerp_kernel_scalar", AT_WRAP([&] {
                   using O = opmath_type<scalar_t>;
                   cpu_kernel_computed<scalar_t>(iter, lerp_of<O>, weight.to<O>());
                 }),
                 AT_EXPAND(AT_FLOATING_AND_COMPLEX_TYPES), kHalf, kBFloat16);
}

// ---- conjugation

void conj_physical_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_V2(iter.common_dtype(), "conj_physical_cpu",
                 AT_WRAP([&] { cpu_kernel_computed<scalar_t>(iter, conj_of<opmath_type<scalar_t>>); }),
                 AT_EXPAND(AT_COMPLEX_TYPES), kComplexHalf);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(clamp_stub, &clamp_kernel)
REGISTER_DISPATCH(clamp_scalar_stub, &clamp_scalar_kernel)
REGISTER_DISPATCH(where_kernel, &where_impl)
REGISTER_DISPATCH(div_trunc_stub, &div_trunc_kernel)
REGISTER_DISPATCH(div_floor_stub, &div_floor_kernel)
REGISTER_DISPATCH(GeluKernel, &gelu_kernel)
REGISTER_DISPATCH(lerp_scalar_stub, &lerp_scalar_kernel)
REGISTER_DISPATCH(conj_physical_stub, &conj_physical_kernel)

}  // namespace at::native
