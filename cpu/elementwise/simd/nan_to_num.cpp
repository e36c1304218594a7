// nan_to_num.
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/dispatch.h>
#include <ATen/native/elementwise/stubs.h>

#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto replace_special = [](O x, O nan, O positive, O negative) {
  const O below = x == -O(__builtin_inf()) ? negative : x, above = x == O(__builtin_inf()) ? positive : below;
  return x != x ? nan : above;
};

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

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(nan_to_num_stub, &nan_to_num_kernel)

}  // namespace at::native
