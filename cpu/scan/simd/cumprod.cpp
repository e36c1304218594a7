// cumprod.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cpu/scan/scan_lines.h>
#include <ATen/native/elementwise/functors/arithmetic.h>
#include <ATen/native/scan/stubs.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void cumprod_impl(const TensorBase& result, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), "cumprod", [&] {
    using Acc = at::acc_type<scalar_t, false>;
    scan_lines(Lines(self, dim), self.const_data_ptr<scalar_t>(), result.mutable_data_ptr<scalar_t>(), Acc(1),
               [](Acc a, Acc b) { return ufunc::mul<Acc>(a, b); });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(cumprod_stub, &cumprod_impl)

}  // namespace at::native
