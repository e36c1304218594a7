// fill_: one loop per element size, whatever the dtype.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/copy/stubs.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/util/complex.h>

#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class Bits>
void fill_bits(TensorIterator& iter, const void* value) {
  Bits bits;
  std::memcpy(&bits, value, sizeof(bits));
  cpu_kernel(iter, [bits]() { return bits; });
}

void fill_kernel(TensorIterator& iter, const Scalar& value) {
  alignas(16) char bytes[16];
  AT_DISPATCH_V2(iter.dtype(), "fill_cpu", AT_WRAP([&] {
                   const auto converted = value.to<scalar_t>();
                   std::memcpy(bytes, &converted, sizeof(converted));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
  switch (iter.element_size(0)) {
    case 1:
      return fill_bits<uint8_t>(iter, bytes);
    case 2:
      return fill_bits<uint16_t>(iter, bytes);
    case 4:
      return fill_bits<uint32_t>(iter, bytes);
    case 8:
      return fill_bits<uint64_t>(iter, bytes);
    default:
      return fill_bits<c10::complex<double>>(iter, bytes);
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(fill_stub, &fill_kernel)

}  // namespace at::native
