// masked_scatter: one element of source after another, so in order and by one thread.
#include <ATen/core/TensorBase.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/cpu/Loops.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

struct Bytes16 {
  uint64_t half[2];
};

template <class T>
void masked_scatter_bytes(TensorIterator& iter, const TensorBase& source) {
  const T* next = static_cast<const T*>(source.const_data_ptr());
  const T* const end = next + source.numel();
  auto take = [&](T self, bool chosen) {
    if (!chosen) return self;
    TORCH_CHECK(next != end,
                "masked_scatter: expected source to have at least as many elements as the mask "
                "has true ones, but it has only ",
                source.numel());
    return *next++;
  };
  cpu_serial_kernel(iter, take);
}

void masked_scatter_kernel(TensorIterator& iter, const TensorBase& source) {
  switch (iter.element_size(0)) {
    case 1:
      return masked_scatter_bytes<uint8_t>(iter, source);
    case 2:
      return masked_scatter_bytes<uint16_t>(iter, source);
    case 4:
      return masked_scatter_bytes<uint32_t>(iter, source);
    case 8:
      return masked_scatter_bytes<uint64_t>(iter, source);
    default:
      return masked_scatter_bytes<Bytes16>(iter, source);
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(masked_scatter_stub, &masked_scatter_kernel)

}  // namespace at::native
