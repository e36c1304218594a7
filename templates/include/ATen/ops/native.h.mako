<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
#pragma once
#include <ATen/core/Tensor.h>
% if view.has_meta:
#include <ATen/ops/${view.base}_meta.h>
% endif
% for n in view.namespaces:

namespace ${n.name} {

% for declaration in n.declarations:
${declaration};
% endfor
% for s in n.structured:
struct ${s.name} : public at::meta::${s.meta} {
  TORCH_API void impl(${s.params});
};
% endfor

}  // namespace ${n.name}
% endfor
