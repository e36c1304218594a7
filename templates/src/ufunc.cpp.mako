<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Implementations of the elementwise operators that are generated from functors.
% for include in view.includes:
#include <ATen/ops/${include}_native.h>
% endfor
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

namespace at::native {
% for u in view.ufuncs:

DECLARE_HIDDEN_DISPATCH(void (*)(TensorIteratorBase&${u.comma_scalar_types}), ${u.name}_stub)
DEFINE_DISPATCH(${u.name}_stub);
void ${u.impl}::impl(${u.impl_params}) {
  ${u.name}_stub(device_type(), *this${u.comma_scalars});
}
% endfor

}  // namespace at::native
