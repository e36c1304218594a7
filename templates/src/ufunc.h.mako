<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// One dispatch stub for each elementwise operator that is generated from a functor.
#pragma once
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

namespace at::inline C10_ABI {
struct TensorIteratorBase;
}

namespace at::native {

% for u in view.ufuncs:
DECLARE_HIDDEN_DISPATCH(void (*)(TensorIteratorBase&${u.comma_scalar_types}), ${u.name}_stub)
% endfor

}  // namespace at::native
