<%def name="recorded(call)">\
torch::autograd::generated::recorded_${call.symbol}(_op, _keys${call.comma_args})\
</%def>\
<%def name="below_all(call)">\
BelowCall<at::_ops::${call.struct}::schema>::call(_op, _keys${call.comma_args})\
</%def>\
<%def name="kernel(d)">\
${d.call.returns} ${d.call.symbol}(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys${d.call.comma_params}) {
% if d.tensors and d.kind == "out":
  if (!surely_untracked(${d.tensors})) [[unlikely]]
    check_out(_op, ${d.tensors});
% elif d.tensors and d.kind == "functional":
  if (!surely_untracked(${d.tensors}) && !untracked(${d.tensors})) [[unlikely]]
    return ${recorded(d.call)};
% elif d.tensors:
  if (!surely_untracked(${d.tensors})) [[unlikely]]
    return ${recorded(d.call)};
% endif
% if d.below:
  return ${d.below}(_op, _keys${d.call.comma_args});
% else:
${rest(d)}\
% endif
}
</%def>\
<%def name="rest(d)">\
% if d.guarded:
  const at::AutoDispatchBelowADInplaceOrView _below;
% endif
% if d.own:
  return ViewCall<at::_ops::${d.call.struct}::schema>::call<&${d.own}>(${d.viewed}, _op, _keys${d.call.comma_args});
% elif not d.written and not d.views:
  return ${below_all(d.call)};
% else:
% if d.viewed:
  const at::detail::ViewedScope _viewed(${d.viewed});
% endif
% if d.call.returns_call:
  auto _result = ${below_all(d.call)};
% else:
  ${below_all(d.call)};
% endif
% for name in d.written:
  bump_version(_op, ${name});
% endfor
% for v in d.views:
% if v.several:
  set_views(${v.result}, ${v.base});
% else:
  set_view(${v.result}, ${v.base});
% endif
% endfor
% if d.call.result:
  return ${d.call.result};
% endif
% endif
</%def>\
