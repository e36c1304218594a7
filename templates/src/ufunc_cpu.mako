<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Elementwise loops over the functors, compiled once for each CPU capability.
#include <ATen/native/DispatchStub.h>
#include <ATen/native/cpu/Ufunc.h>
#include <c10/core/Scalar.h>
% for header in view.functor_headers:
#include <${header}>
% endfor

namespace at::native {

% for u in view.ufuncs:
DECLARE_HIDDEN_DISPATCH(void (*)(TensorIteratorBase&${u.comma_scalar_types}), ${u.name}_stub)
% endfor

inline namespace CPU_CAPABILITY {
% for u in view.ufuncs:

static void ${u.name}_kernel(TensorIteratorBase& iter${u.comma_scalar_params}) {
% for part in u.loops:
  const auto ${part.functor}_of = [&]<class T>(ufunc_type<T>) {
% for scalar in u.scalars:
    const auto _${scalar} = ${scalar}.to<ufunc_scalar_t<T>>();
% endfor
    return [=](${u.lambda_params}) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::${part.functor}<T>(${u.lambda_args}); };
  };
% if u.arity == 1 and not u.scalars:
  if (ufunc_loop<1, ${part.dtypes}>(iter, ${part.functor}_of, ufunc::ignores_sign<"${part.functor}">, ufunc::takes_registers<"${part.functor}">)) {
% elif u.arity == 2:
  if (ufunc_loop<2, ${part.dtypes}>(iter, ${part.functor}_of, ufunc::ignores_sign<"${part.functor}">, ufunc::takes_numbers<"${part.functor}">)) {
% else:
  if (ufunc_loop<${u.arity}, ${part.dtypes}>(iter, ${part.functor}_of, ufunc::ignores_sign<"${part.functor}">)) {
% endif
    return;
  }
% endfor
  ufunc_no_dtype(iter);
}
% endfor

}  // namespace CPU_CAPABILITY
% for u in view.ufuncs:
REGISTER_DISPATCH(${u.name}_stub, &${u.name}_kernel)
% endfor

}  // namespace at::native
