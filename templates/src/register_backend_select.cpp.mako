<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Factories: the backend comes from the options, not from a tensor. Autograd has nothing to track in new tensors.
#include <ATen/native/KernelChecks.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor

namespace at::inline C10_ABI::kernels {
% for k in view.kernels:

${k.returns} ${k.symbol}(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys${k.comma_params}) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  const c10::DispatchKeySet _backend = at::impl::backend_of_options(dtype, layout, device);
  return _op.redispatch<at::_ops::${k.struct}::schema>(at::impl::below_backend_select(_keys, _backend)${k.comma_args});
}
% endfor

}  // namespace at::inline C10_ABI::kernels
