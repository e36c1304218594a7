<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// All kernels of the CUDA library, registered with the dispatcher when it is loaded.
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor

namespace at::inline C10_ABI::kernels {
% for k in view.kernels:
${k.returns} ${k.symbol}(const c10::OperatorEntry&, c10::DispatchKeySet${k.comma_types});
% endfor
}  // namespace at::inline C10_ABI::kernels

namespace {

const c10::KernelRow kernels[] = {
% for k in view.kernels:
    {&at::_ops::${k.struct}::entry, c10::DispatchKey::${k.key}, reinterpret_cast<c10::AnyKernel>(&at::kernels::${k.symbol})},
% endfor
};

const bool registered = [] {
  c10::register_kernels(kernels, sizeof(kernels) / sizeof(kernels[0]), ${view.library});
  return true;
}();

}  // namespace
