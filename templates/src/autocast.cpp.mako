<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Kernels of Autocast${view.device}: operators that cast their inputs, as schemas/autocast.yaml says.
#include <ATen/native/AutocastKernels.h>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor

namespace at::inline C10_ABI::kernels {
% for k in view.kernels:

${k.returns} ${k.symbol}(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys${k.comma_params}) {
  using Call = at::autocast::Call<c10::DeviceType::${view.device}, at::_ops::${k.struct}::schema>;
% if k.overload:
  return Call::${k.cast}<at::_ops::${k.overload}>(_op, _keys${k.comma_args});
% elif k.instead:
  return Call::${k.cast}(${k.instead}, _op, _keys${k.comma_args});
% else:
  return Call::${k.cast}(_op, _keys${k.comma_args});
% endif
}
% endfor

}  // namespace at::inline C10_ABI::kernels
