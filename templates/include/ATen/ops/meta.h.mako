<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
#pragma once
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>

namespace at::inline C10_ABI::meta {

% for m in view.metas:
struct ${m.name} : public ${m.parent} {
% if m.precompute:
  template <${m.precompute.flags}>
  struct precompute_out {
% for step in m.precompute.steps:
    ${step.next_type} set_${step.name}(${step.type} value) {
      static_assert(!${step.flag}, "'${step.name}' is set twice");
      ${step.next_type} ret;
% for other in step.carried:
      ret.${other} = this->${other};
% endfor
      ret.${step.name} = value;
      return ret;
    }
% endfor
% for step in m.precompute.steps:
    ${step.type} ${step.name};
% endfor
  };
  using meta_return_ty = precompute_out<${m.precompute.all_true}>;
% else:
  using meta_return_ty = void;
% endif
% if m.promotion:
  meta_return_ty meta(${m.params}) {
    ${m.promotion.builder}(maybe_get_output(), ${m.promotion.operands});
  }
% else:
  TORCH_API meta_return_ty meta(${m.params});
% endif
};
% endfor

}  // namespace at::inline C10_ABI::meta
