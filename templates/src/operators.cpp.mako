<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Operators: their entries with the kernels resolved at link time, and the typed calls.
#include <ATen/core/Tensor.h>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor

namespace at::inline C10_ABI {

namespace _signatures {
% for signature in view.signatures:
extern const c10::Signature ${signature};
% endfor
}  // namespace _signatures

namespace kernels {
% for op in view.operators:
% for kernel in op.kernels:
${op.returns} ${kernel.symbol}(const c10::OperatorEntry&, c10::DispatchKeySet${op.comma_types});
% endfor
% endfor
}  // namespace kernels

namespace _ops {
% for op in view.operators:

% if op.kernels:
static const c10::StaticKernel ${op.struct}_kernels[] = {
% for kernel in op.kernels:
    {c10::DispatchKey::${kernel.key}, reinterpret_cast<c10::AnyKernel>(&kernels::${kernel.symbol})},
% endfor
};
constinit c10::OperatorEntry ${op.struct}::entry(${op.name}, ${op.overload}, ${op.schema},
    &_signatures::${op.signature}, ${op.struct}_kernels, ${op.kernel_count}, ${op.tags});
% else:
constinit c10::OperatorEntry ${op.struct}::entry(${op.name}, ${op.overload}, ${op.schema},
    &_signatures::${op.signature}, nullptr, 0, ${op.tags});
% endif
${op.returns} ${op.struct}::call(${op.params}) {
  return entry.call<${op.returns}(${op.types})>(${op.args});
}
${op.returns} ${op.struct}::redispatch(c10::DispatchKeySet dispatchKeySet${op.comma_params}) {
  return entry.redispatch<${op.returns}(${op.types})>(dispatchKeySet${op.comma_args});
}
% endfor

}  // namespace _ops
}  // namespace at::inline C10_ABI
