## What a recording kernel adds to the graph: the node, the results' history, and what is saved of these.
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
