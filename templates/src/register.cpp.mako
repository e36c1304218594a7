<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Kernels of ${view.key}: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
% if view.uses_conditions:
#include <ATen/native/ArgumentChecks.h>
% endif
#include <ATen/native/KernelChecks.h>
% if view.uses_structured:
#include <ATen/native/StructuredKernels.h>
% endif
% if view.uses_views:
#include <ATen/ViewUtils.h>
% endif
#include <ATen/core/Tensor.h>
% for include in view.includes:
#include <ATen/ops/${include}.h>
% endfor

namespace at::inline C10_ABI::kernels {
% for k in view.kernels:

${k.returns} ${k.symbol}(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys${k.comma_params}) {
% if k.viewed:
  const at::detail::ViewedEnd _viewed;
% endif
% for a in k.defined:
  at::impl::check_defined(_op, ${a.name}, ${a.literal}, ${a.position});
% endfor
% if k.same_device:
% if k.written_on_meta:
  at::impl::SameDevice _devices(_op, /*allow_cpu_scalars=*/true);
% else:
  at::impl::SameDevice _devices(_op);
% endif
% for a in k.same_device:
  _devices(${a.name}, ${a.literal});
% endfor
% endif
% for a in k.written_on_meta:
  at::impl::check_written_on_meta(_op, ${a.name}, ${a.literal});
% endfor
% for c in k.conditions:
% if c.compares:
  at::impl::check_each(_op, ${c.value}, ${c.text}, [](auto v) { return v ${c.compares} ${c.bound}; });
% else:
  at::impl::check_one_of(_op, ${c.value}, ${c.text}, ${c.allowed});
% endif
% endfor
% if k.guard:
  const c10::OptionalDeviceGuard _guard(at::impl::device_of(${k.guard}));
% endif
% if k.kind == "self":
  return ${k.result};
}
% else:
  try {
% if k.viewed:
    at::Tensor _view = ${k.native}(${k.exprs});
    _viewed.finish(_view, ${k.viewed});
    return _view;
% elif k.kind == "native":
    return ${k.native}(${k.exprs});
% elif k.kind == "functional":
    at::impl::FunctionalKernel<${k.impl}, ${k.outputs}> _kernel;
${structured_body(k)}\
    return _kernel.take();
% elif k.kind == "inplace":
    at::impl::InplaceKernel<${k.impl}> _kernel(${k.out_args});
${structured_body(k)}\
    _kernel.finish();
    return ${k.out_args};
% else:
    at::impl::OutKernel<${k.impl}, ${k.outputs}> _kernel(${k.out_args});
${structured_body(k)}\
    _kernel.finish();
    return ${k.result};
% endif
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}
% endif
% endfor

}  // namespace at::inline C10_ABI::kernels
<%def name="structured_body(k)">\
% if k.precomputed:
    const auto _precomputed = _kernel.meta(${k.meta_exprs});
% else:
    _kernel.meta(${k.meta_exprs});
% endif
% if k.then_call:
    at::_ops::${k.then_call}::call(${k.impl_exprs});
% elif k.runs_impl:
    _kernel.impl(${k.impl_exprs});
% endif
</%def>\
