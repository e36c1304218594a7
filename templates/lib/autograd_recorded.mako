<%namespace name="forward" file="/lib/autograd_forward.mako"/>\
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
${node(r)}\
${forward.original(r)}\
${call(r)}\
${history(r)}\
% if r.forward:
${forward.tangents(r)}\
% endif
${saved_results(r)}\
% if r.call.result:
  return ${r.result};
% endif
% endif
</%def>\
<%def name="node(r)">\
% if r.kind == "inplace":
% for name in r.written:
  check_inplace(_op, ${name}, _requires_grad);
% endfor
% endif
% for a in r.checked:
  check_no_requires_grad(_op, ${a.name}, ${a.literal});
% endfor
  c10::intrusive_ptr<Node> _node;
% if not r.node:
  if (_requires_grad) _node = make_not_implemented(_op, ${r.inputs});
% elif not r.saved and not r.lists:
  if (_requires_grad) make_node<${r.node}>(_node, ${r.inputs});
% else:
  if (_requires_grad) {
    auto& _made = make_node<${r.node}>(_node, ${r.inputs});
% for s in r.saved:
% if s.guard:
    if (${s.guard}) _made.${s.member} = ${s.expr};
% else:
    _made.${s.member} = ${s.expr};
% endif
% endfor
% for name in r.lists:
    _made.${name}_size_ = ${name}.size();
% endfor
  }
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
<%def name="history(r)">\
  if (_node) {
% if r.kind == "inplace":
% for name in r.written:
    ${r.rebase}(${name}, _node);
% endfor
% else:
% for result in r.recorded_results:
    set_history(${result}, _node);
% endfor
% endif
  }
</%def>\
<%def name="saved_results(r)">\
% if r.saved_results:
  if (_node) {
    auto& _made = static_cast<${r.node}&>(*_node);
% for s in r.saved_results:
    _made.${s.member} = ${s.expr};
% endfor
  }
% endif
</%def>\
