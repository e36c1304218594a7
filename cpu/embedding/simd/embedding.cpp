// Accumulation of rows of an embedding's gradient.
#include <ATen/native/cpu/embedding/embedding.h>

#include <ATen/Dispatch.h>
#include <ATen/native/math/types.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
void add_scaled(T* to, const T* from, int64_t n, ufunc::opmath<T> scale) {
  using Acc = ufunc::opmath<T>;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    to[i] = static_cast<T>(static_cast<Acc>(to[i]) + static_cast<Acc>(from[i]) * scale);
  }
}

void add_row(c10::ScalarType dtype, void* to, const void* from, int64_t n, double scale) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(c10::kHalf, c10::kBFloat16, dtype, "embedding_backward", [&] {
    add_scaled(static_cast<scalar_t*>(to), static_cast<const scalar_t*>(from), n,
               static_cast<ufunc::opmath<scalar_t>>(scale));
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(add_row_stub, &add_row)

}  // namespace at::native
