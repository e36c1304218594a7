// masked_fill: the elements are opaque bytes; selected without branches where the mask's layout allows it.

#include <ATen/Dispatch_v2.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/indexing/stubs.h>

#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
void fill_contiguous(T* out, const T* self, const uint8_t* mask, int64_t n, T value) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) out[i] = mask[i] ? value : self[i];
}

template <class T>
void fill_strided(char** data, const int64_t* strides, int64_t n, T value) {
  for (int64_t i = 0; i < n; ++i) {
    const T self = *reinterpret_cast<const T*>(data[1] + i * strides[1]);
    *reinterpret_cast<T*>(data[0] + i * strides[0]) = data[2][i * strides[2]] ? value : self;
  }
}

template <class T>
void masked_fill_as(TensorIterator& iter, const void* bits) {
  T value;
  std::memcpy(&value, bits, sizeof(T));
  iter.for_each([value](char** data, const int64_t* strides, int64_t n) {
    constexpr int64_t step = sizeof(T);
    if (strides[0] == step && strides[1] == step && strides[2] == 1) {
      fill_contiguous(reinterpret_cast<T*>(data[0]), reinterpret_cast<const T*>(data[1]),
                      reinterpret_cast<const uint8_t*>(data[2]), n, value);
    } else {
      fill_strided(data, strides, n, value);
    }
  });
}

void masked_fill_kernel(TensorIterator& iter, const Scalar& scalar) {
  alignas(16) char bits[16];
  AT_DISPATCH_V2(iter.dtype(), "masked_fill", AT_WRAP([&] {
                   const auto value = scalar.to<scalar_t>();
                   std::memcpy(bits, &value, sizeof(value));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kBool, kHalf, kBFloat16, AT_EXPAND(AT_LIMITED_TYPES));
  with_opaque_type(iter.element_size(0), [&](auto type) { masked_fill_as<decltype(type)>(iter, bits); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(masked_fill_stub, &masked_fill_kernel)

}  // namespace at::native
