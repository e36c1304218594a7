<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Weak definitions of all kernels, which throw: the linker prefers the real definition where there is one.
#include <ATen/native/KernelChecks.h>
% for include in view.includes:
#include <ATen/ops/${include}_native.h>
% endfor
% for s in view.stubs:

namespace ${s.namespace} {
__attribute__((weak)) ${s.returns} ${s.declarator} {
  at::impl::throw_missing_kernel(${s.kernel});
}
}  // namespace ${s.namespace}
% endfor
