// arange over contiguous memory (see cpu/ContiguousKernels.h).

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cpu/ContiguousKernels.h>

#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
void arange_integers(T* out, int64_t first, int64_t n, int64_t start, int64_t step) {
  const uint64_t base =
      static_cast<uint64_t>(start) + static_cast<uint64_t>(first) * static_cast<uint64_t>(step);
  for (int64_t i = 0; i < n; ++i) {
    out[i] = static_cast<T>(base + static_cast<uint64_t>(i) * static_cast<uint64_t>(step));
  }
}

template <class T, class Acc>
void arange_floats(T* out, int64_t first, int64_t n, Acc start, Acc step) {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(start + step * static_cast<Acc>(first + i));
}

void arange_kernel(void* out, ScalarType dtype, int64_t first, int64_t n, const Scalar& start,
                   const Scalar& step) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, dtype, "arange_cpu", [&] {
    using acc_t = acc_type<scalar_t, false>;
    auto* data = static_cast<scalar_t*>(out);
    if constexpr (std::is_integral_v<scalar_t>) {
      arange_integers(data, first, n, start.to<acc_t>(), step.to<acc_t>());
    } else {
      arange_floats(data, first, n, start.to<acc_t>(), step.to<acc_t>());
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(arange_stub, &arange_kernel)

}  // namespace at::native
