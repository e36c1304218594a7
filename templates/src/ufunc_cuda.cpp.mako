<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Implementations on CUDA of the elementwise operators that are generated from functors.
% for include in view.includes:
#include <ATen/ops/${include}_native.h>
% endfor
#include "ufunc_cuda.h"

namespace at::native {
% for u in view.ufuncs:

void ${u.impl}::impl(${u.impl_params}) {
  ${u.name}_cuda(*this${u.comma_scalars});
}
% endfor

}  // namespace at::native
