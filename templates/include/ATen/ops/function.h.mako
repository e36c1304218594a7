<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/${view.base}_ops.h>

namespace ${view.namespace} {

% for line in view.about:
% if not line:
///
% else:
/// ${line}
% endif
% endfor
% for f in view.functions:
// ${f.schema_comment}
inline ${f.returns} ${f.name}(${f.params}) {
% if f.makes:
  return at::detail::made_with(options, at::_ops::${f.struct}::call(${f.exprs}));
% else:
  return at::_ops::${f.struct}::call(${f.exprs});
% endif
}
% endfor

}  // namespace ${view.namespace}
