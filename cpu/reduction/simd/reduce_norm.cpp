// Vector norms: sums of absolute values or their squares, counts, and extrema of absolute values.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/cpu/reduction/row_fold.h>
#include <ATen/native/reduction/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void norm_kernel(TensorIterator& iter, double ord) {
  reducers::with_norm(ord, [&]<class R>(R) {
    AT_DISPATCH_V2(iter.dtype(1), "norm",
                   AT_WRAP([&] { row_fold::reduce_as<R, scalar_t, at::opmath_type<scalar_t>>(iter); }),
                   AT_EXPAND(AT_FLOATING_TYPES), kHalf, kBFloat16);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(norm_stub, &norm_kernel)

}  // namespace at::native
