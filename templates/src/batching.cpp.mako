<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// How operators treat batched tensors: one record for each, and the formulas of those that have one.
#include <ATen/core/Tensor.h>
#include <ATen/native/Batching.h>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor
% for include in view.called:
#include <ATen/ops/${include}.h>
% endfor
% for header in view.headers:
#include <${header}>
% endfor
#include <ATen/TensorOperators.h>

namespace at::native {
namespace {
% for f in view.formulas:

${f.returns} ${f.symbol}(const c10::OperatorEntry&, c10::DispatchKeySet${f.comma_params}) {
  return ${f.text};
}
% endfor

}  // namespace

const BatchRule batch_rules[] = {
% for r in view.rules:
    {&_ops::${r.struct}::entry, BatchKind::${r.kind}, ${r.roles}, ${r.via}, ${r.formula}, ${r.rank}, ${r.is_random}, ${r.is_data_dependent}, ${r.is_dynamic}},
% endfor
    {nullptr, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
};

}  // namespace at::native
