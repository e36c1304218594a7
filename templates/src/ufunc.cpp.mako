<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Implementations of the elementwise operators that are generated from functors.
% for include in view.includes:
#include <ATen/ops/${include}_native.h>
% endfor
#include "ufunc_cpu.h"

namespace at::native {
% for u in view.ufuncs:

DEFINE_DISPATCH(${u.name}_stub);
void ${u.impl}::impl(${u.impl_params}) {
  ${u.name}_stub(device_type(), *this${u.comma_scalars});
}
% endfor

}  // namespace at::native
