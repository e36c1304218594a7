<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Implementations on CUDA of the elementwise operators that are generated from functors.
% for include in view.includes:
#include <ATen/ops/${include}_native.h>
% endfor
#include <c10/core/Scalar.h>

namespace at::native {
% for u in view.ufuncs:

void ${u.name}_cuda(TensorIteratorBase& iter${u.comma_scalar_params});
void ${u.impl}::impl(${u.impl_params}) {
  ${u.name}_cuda(*this${u.comma_scalars});
}
% endfor

}  // namespace at::native
