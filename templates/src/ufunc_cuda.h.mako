<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// The loops on CUDA of the elementwise operators that are generated from functors.
#pragma once
#include <c10/core/Scalar.h>

namespace at::inline C10_ABI {
struct TensorIteratorBase;
}

namespace at::native {

% for u in view.ufuncs:
void ${u.name}_cuda(TensorIteratorBase& iter${u.comma_scalar_params});
% endfor

}  // namespace at::native
