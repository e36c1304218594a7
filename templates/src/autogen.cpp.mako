<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Kernels that autogen generates: out= from functional, functional from in-place or mutable, the copy of a view.
#include <ATen/native/AutogenKernels.h>
#include <ATen/core/Tensor.h>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
#include <ATen/ops/${include}_native.h>
% endfor
% for include in view.called:
#include <ATen/ops/${include}_ops.h>
% endfor

namespace at::native {
% for k in view.kernels:

${k.decl} {
% if k.kind == "out":
  auto _result = at::_ops::${k.base}::call(${k.exprs});
% for copy in k.copies:
  at::impl::copy_to_out(${copy.source}, ${copy.out});
% endfor
  return${k.result};
% elif k.kind == "view_copy":
  return at::impl::clone_view(at::_ops::${k.base}::call(${k.exprs}));
% else:
% for clone in k.clones:
  auto ${clone.name} = at::impl::clone_argument(${clone.source});
% endfor
  ${k.keep}at::_ops::${k.base}::call(${k.exprs});
  return ${k.result};
% endif
}
% endfor

}  // namespace at::native
