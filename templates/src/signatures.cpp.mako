<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Conversion between typed calls and stacks of IValues: one constant for each distinct C++ signature.
#include <ATen/core/Tensor.h>
#include <ATen/core/boxing/Boxing.h>

namespace at::inline C10_ABI::_signatures {

% for s in view.signatures:
extern constinit const c10::Signature ${s.name} = c10::boxing<${s.type}>;
% endfor

}  // namespace at::inline C10_ABI::_signatures
