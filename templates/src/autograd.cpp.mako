<%namespace name="cpp" file="/lib/cpp.mako"/>\
<%namespace name="node" file="/lib/autograd_node.mako"/>\
<%namespace name="recorded" file="/lib/autograd_recorded.mako"/>\
<%namespace name="direct" file="/lib/autograd_direct.mako"/>\
${cpp.banner(view)}\
// Backward nodes with their formulas; the kernels of Autograd, which record operators, and of ADInplaceOrView.
#include <ATen/core/Tensor.h>
#include <ATen/TensorOperators.h>
#include <torch/autograd/generated.h>
% for header in view.headers:
#include <${header}>
% endfor
% for include in view.operators:
#include <ATen/ops/${include}_ops.h>
% endfor
% for include in view.includes:
#include <ATen/ops/${include}.h>
% endfor

namespace torch::inline C10_ABI::autograd::generated {

using at::IntArrayRef;
using at::Scalar;
using at::Tensor;
using at::TensorList;
% if view.headers:
using namespace details;
% endif

namespace {
% for n in view.nodes:

${node.declaration(n)}\

${node.definition(n)}\
% endfor
% for k in view.kernels:
% if k.recorded:

${recorded.kernel(k.recorded)}\
% endif
% endfor

}  // namespace
}  // namespace torch::inline C10_ABI::autograd::generated

namespace at::inline C10_ABI::kernels {

using torch::autograd::bump_version;
using torch::autograd::check_out;
using torch::autograd::set_view;
using torch::autograd::set_views;
using torch::autograd::surely_untracked;
using torch::autograd::untracked;
using torch::autograd::generated::BelowCall;
using torch::autograd::generated::ViewCall;
% if view.own_kernels:

% endif
% for d in view.own_kernels:
${d.call.returns} ${d.own}(const c10::OperatorEntry&, c10::DispatchKeySet${d.call.comma_params});
% endfor
% for k in view.kernels:

${direct.kernel(k.direct)}\
% endfor

}  // namespace at::inline C10_ABI::kernels
