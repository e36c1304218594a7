// clamp with tensors or scalars as bounds.
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/functors/compare.h>
#include <ATen/native/elementwise/stubs.h>
#include <ATen/native/math/limits.h>

#include <cstring>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto clamp_of = [](O x, O low, O high)
                              C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::clamp<O>(x, low, high); };

void clamp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_REAL("clamp_cpu",
                   [&] { cpu_kernel_computed<scalar_t>(iter, clamp_of<opmath_type<scalar_t>>); });
}

// Contiguous elements, with bounds that are not NaN; NaN elements stay NaN.
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
  AT_DISPATCH_REAL("clamp_scalar_cpu", [&] {
    using O = opmath_type<scalar_t>;
    const auto min = min_value != nullptr ? min_value->to<scalar_t>() : lower_bound<scalar_t>();
    const auto max = max_value != nullptr ? max_value->to<scalar_t>() : upper_bound<scalar_t>();
    const Bounds<O> bounds = {static_cast<O>(min), static_cast<O>(max)};
    if (bounds.low == bounds.low && bounds.high == bounds.high) {
      clamp_between<scalar_t>(iter, bounds);
    } else {  // all NaN
      cpu_kernel_computed<scalar_t>(iter, clamp_of<O>, bounds.low, bounds.high);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(clamp_stub, &clamp_kernel)
REGISTER_DISPATCH(clamp_scalar_stub, &clamp_scalar_kernel)

}  // namespace at::native
