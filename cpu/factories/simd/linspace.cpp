// linspace over contiguous memory.
#include <ATen/Dispatch.h>
#include <ATen/native/factories/stubs.h>
#include <ATen/native/math/types.h>

#include <algorithm>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// out[i] = from + step * (place + direction * i). Integers of 32 bits become doubles by vectors on every
// processor; those of 64 bits don't.
template <class T, class A>
void write_line(T* out, int64_t n, A from, A step, int64_t place, int direction) {
  constexpr int64_t most = int64_t{1} << 30;
  for (int64_t done = 0; done < n; done += most) {
    const auto base = static_cast<double>(place + direction * done);
    const auto count = static_cast<int32_t>(std::min(most, n - done));
    for (int32_t i = 0; i < count; ++i) {
      out[done + i] = static_cast<T>(from + step * (base + static_cast<double>(direction * i)));
    }
  }
}

// Computed in double, from either end: both are exact. The direction turns in the middle.
template <class T, class A>
void write_steps(T* out, int64_t first, int64_t last, int64_t steps, A start, A end) {
  const A step = (end - start) / static_cast<A>(static_cast<double>(steps - 1));
  const int64_t middle = std::clamp(steps / 2, first, last);
  write_line(out, middle - first, start, step, first, 1);
  write_line(out + (middle - first), last - middle, end, -step, steps - 1 - middle, -1);
}

void linspace_kernel(void* out, ScalarType dtype, int64_t first, int64_t n, int64_t steps,
                     const Scalar& start, const Scalar& end) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, dtype, "linspace_cpu", [&] {
    using A = std::conditional_t<ufunc::is_complex<scalar_t>, c10::complex<double>, double>;
    write_steps(static_cast<scalar_t*>(out), first, first + n, steps, static_cast<A>(start.to<scalar_t>()),
                static_cast<A>(end.to<scalar_t>()));
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(linspace_stub, &linspace_kernel)

}  // namespace at::native
