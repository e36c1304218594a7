<%def name="original(r)">\
% for f in r.forward:
% if f.takes_original:
  const Tensor original_self = any_tangent(${f.inputs}) ? self.clone() : Tensor();
% endif
% endfor
</%def>\
<%def name="tangents(r)">\
  if (ForwardLevel::any()) [[unlikely]] {
% for f in r.forward:
    ${f.type} ${f.variable};
% if r.condition:
    if (_is_differentiable && any_tangent(${f.inputs})) {  // ${f.marker}
% else:
    if (any_tangent(${f.inputs})) {  // ${f.marker}
% endif
% if f.changes_tangent:
      const Tensor self_t_raw = tangent(self);
% endif
% for name in f.tangents:
      Tensor ${name}_t = tangent_of(${name});
% endfor
% for name in f.primals:
      const Tensor ${name}_p = primal_of(${name});
% endfor
% if f.takes_original:
      [[maybe_unused]] const Tensor original_self_p = primal_of(original_self);
      [[maybe_unused]] const Tensor original_self_t = tangent_of(original_self);
% elif f.changes_tangent:
      if (c10::GradMode::is_enabled()) self_t = self_t.clone();
% endif
      ${f.variable} = ${f.text};
    }
% endfor
% for f in r.forward:
${placed(r, f)}\
% endfor
  }
</%def>\
<%def name="placed(r, f)">\
% if f.kind == "several":
% for i, target in enumerate(f.targets):
    set_tangent(${target}, std::get<${i}>(${f.variable}), false);
% endfor
% elif r.kind == "inplace":
    set_tangent(${f.targets[0]}, ${f.variable}, true);
% else:
    set_tangent(${f.targets[0]}, ${f.variable}, false);
% endif
</%def>\
