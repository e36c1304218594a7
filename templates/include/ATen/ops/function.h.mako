<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/${view.base}_ops.h>

namespace ${view.namespace} {

% for f in view.functions:
// ${f.schema_comment}
inline ${f.returns} ${f.name}(${f.params}) {
  return at::_ops::${f.struct}::call(${f.exprs});
}
% endfor

}  // namespace ${view.namespace}
