<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

% for op in view.operators:
struct TORCH_API ${op.struct} {
  using schema = ${op.returns}(${op.types});
  static constexpr const char* name = ${op.name};
  static constexpr const char* overload_name = ${op.overload};
  static constexpr const char* schema_str = ${op.schema};
  static c10::OperatorEntry entry;
  static ${op.returns} call(${op.params});
  static ${op.returns} redispatch(c10::DispatchKeySet dispatchKeySet${op.comma_params});
};

% endfor
}  // namespace at::inline C10_ABI::_ops
