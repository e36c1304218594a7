// where, and lerp with one weight for all elements.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/elementwise/functors/combine.h>
#include <ATen/native/elementwise/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Loops by compute type: the 16-bit floats share those of float.
template <class O>
constexpr auto lerp_of = [](O x, O end, O weight)
                             C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::lerp_scalar<O>(x, end, weight); };

// ---- where: a selection of bits, one loop per element size

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

// ---- lerp with one weight

void lerp_scalar_kernel(TensorIteratorBase& iter, const Scalar& weight) {
  AT_DISPATCH_V2(iter.common_dtype(), "lerp_kernel_scalar", AT_WRAP([&] {
                   using O = opmath_type<scalar_t>;
                   cpu_kernel_computed<scalar_t>(iter, lerp_of<O>, weight.to<O>());
                 }),
                 AT_EXPAND(AT_FLOATING_AND_COMPLEX_TYPES), kHalf, kBFloat16);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(where_kernel, &where_impl)
REGISTER_DISPATCH(lerp_scalar_stub, &lerp_scalar_kernel)

}  // namespace at::native
