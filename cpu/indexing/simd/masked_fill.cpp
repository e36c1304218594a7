// masked_fill_: the elements are opaque bytes; selected without branches where the mask's layout allows it.

#include <ATen/Dispatch_v2.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/indexing/stubs.h>

#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
void fill_contiguous(T* self, const uint8_t* mask, int64_t n, T value) {
  for (int64_t i = 0; i < n; ++i) self[i] = mask[i] ? value : self[i];
}

template <class T>
void fill_strided(char* self, const char* mask, int64_t self_stride, int64_t mask_stride, int64_t n,
                  T value) {
  for (int64_t i = 0; i < n; ++i) {
    if (mask[i * mask_stride]) *reinterpret_cast<T*>(self + i * self_stride) = value;
  }
}

template <class T>
void masked_fill_as(TensorIterator& iter, const void* bits) {
  T value;
  std::memcpy(&value, bits, sizeof(T));
  iter.for_each([value](char** data, const int64_t* strides, int64_t n) {
    if (strides[0] == static_cast<int64_t>(sizeof(T)) && strides[1] == 1) {
      fill_contiguous(reinterpret_cast<T*>(data[0]), reinterpret_cast<const uint8_t*>(data[1]), n, value);
    } else {
      fill_strided(data[0], data[1], strides[0], strides[1], n, value);
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
