// masked_scatter: consumes source element by element, so sequentially, on one thread.
#include <ATen/core/TensorBase.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/indexing/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

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
  with_opaque_type(iter.element_size(0),
                   [&](auto type) { masked_scatter_bytes<decltype(type)>(iter, source); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(masked_scatter_stub, &masked_scatter_kernel)

}  // namespace at::native
