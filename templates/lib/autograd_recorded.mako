<%namespace name="forward" file="/lib/autograd_forward.mako"/>\
<%namespace name="graph" file="/lib/autograd_graph.mako"/>\
<%def name="below_autograd(call)">\
_op.redispatch<at::_ops::${call.struct}::schema>(_keys & c10::after_autograd_keyset${call.comma_args})\
</%def>\
<%def name="by_items(call)">\
## Modes see the operators that are recorded, not this one.
_op.redispatch<at::_ops::${call.struct}::schema>((_keys & c10::after_ADInplaceOrView_keyset) - c10::python_ks${call.comma_args})\
</%def>\
<%def name="kernel(r)">\
C10_NOINLINE ${r.call.returns} recorded_${r.call.symbol}(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys${r.call.comma_params}) {
% if r.by_items and r.kind == "inplace":
% for name in r.written:
  check_inplace(_op, ${name}, compute_requires_grad(${r.inputs}));
% endfor
  ${by_items(r.call)};  // the operators that it calls are recorded
% else:
${one(r)}\
% endif
}
</%def>\
<%def name="one(r)">\
% if r.by_items:
  if (any_tangent(${r.forbidden})) return ${by_items(r.call)};  // those that it calls have tangents
% elif r.forbidden:
  if (any_tangent(${r.forbidden})) throw_no_forward(_op);
% endif
% if r.kind == "detach":
% for name in r.written:
  detach_in_place(${name});
% endfor
  const at::${r.below} _below;
  return ${below_autograd(r.call)};
% else:
% if r.condition:
  const bool _is_differentiable = ${r.condition};  // ${r.condition_marker}
  const bool _requires_grad = _is_differentiable && compute_requires_grad(${r.inputs});
% else:
  const bool _requires_grad = compute_requires_grad(${r.inputs});
% endif
${graph.node(r)}\
${forward.original(r)}\
${call(r)}\
${graph.history(r)}\
% if r.forward:
${forward.tangents(r)}\
% endif
${graph.saved_results(r)}\
% if r.call.result:
  return ${r.result};
% endif
% endif
</%def>\
<%def name="call(r)">\
% if r.kind == "inplace" and not r.call.returns_call:
  {
    const at::${r.below} _below;
    ${below_autograd(r.call)};
  }
% if r.saved_results:
  const Tensor& result = ${r.written[0]};
% endif
% else:
  auto ${r.variable} = [&] {
    const at::${r.below} _below;
    return ${below_autograd(r.call)};
  }();
% if len(r.results) > 1:
  [[maybe_unused]] auto& [${r.bindings}] = ${r.variable};
% endif
% endif
</%def>\
