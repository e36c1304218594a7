<%def name="declaration(n)">\
struct ${n.name} final : Node {
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return ${n.name_literal}; }
  const char* operator_name() const override { return ${n.operator_literal}; }
% if n.tensors:
  void release_variables() override {
    const NodeGuard _guard(mutex());
% for s in n.tensors:
% if s.kind == "tensor":
    ${s.member}.reset_data();
% else:
    release_list(${s.member});
% endif
% endfor
  }
% endif
% for s in n.saved:
  ${s.type} ${s.member}{};
% endfor
% for name in n.lists:
  size_t ${name}_size_ = 0;
% endfor
};
</%def>\
<%def name="definition(n)">\
variable_list ${n.name}::apply(variable_list&& grads) {
% if n.tensors:
${unpacked(n)}\
% endif
  variable_list _grad_inputs(${n.outputs});
  if (!any_defined(grads)) return _grad_inputs;
% for g in n.gradients:
  [[maybe_unused]] const Tensor& ${g.name} = grads[${g.index}];
% endfor
% if n.retains_variables:
  constexpr bool retain_variables = true;
% endif
% for f in n.formulas:
  if (${f.wanted}) {  // ${f.marker}
${formula(f)}\
  }
% endfor
  return _grad_inputs;
}
</%def>\
<%def name="unpacked(n)">\
% for s in n.tensors:
% if s.kind == "tensor":
  Tensor ${s.name};
% elif s.kind == "list":
  std::vector<Tensor> ${s.name};
% else:
  c10::List<std::optional<Tensor>> ${s.name};
% endif
% endfor
  {
    const NodeGuard _guard(mutex());
% for s in n.tensors:
% if s.kind == "tensor":
    ${s.name} = ${s.member}.unpack(this);
% elif s.kind == "list":
    ${s.name} = unpack_list(${s.member}, this);
% else:
    ${s.name} = unpack_optional_list(${s.member}, this);
% endif
% endfor
  }
</%def>\
<%def name="formula(f)">\
% if f.kind == "one":
    _grad_inputs[${f.targets[0].first}] = ${f.text};
% elif f.kind == "list":
    copy_range(_grad_inputs, ${f.targets[0].first}, ${f.targets[0].end}, ${f.text});
% elif f.kind == "each":
    for (size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined()) continue;
% if f.targets[0].is_list:
      _grad_inputs[${f.targets[0].first} + i] = ${f.text};
% else:
      Tensor& _sum = _grad_inputs[${f.targets[0].first}];
      const Tensor _gradient = ${f.text};
      _sum = _sum.defined() ? _sum + _gradient : _gradient;
% endif
    }
% else:
% if f.has_mask:
    const std::array<bool, ${len(f.targets)}> grad_input_mask{${f.mask}};
% endif
    auto _gradients = ${f.text};
% for i, t in enumerate(f.targets):
% if t.is_list:
    if (${t.wanted}) copy_range(_grad_inputs, ${t.first}, ${t.end}, std::get<${i}>(_gradients));
% else:
    if (${t.wanted}) _grad_inputs[${t.first}] = std::move(std::get<${i}>(_gradients));
% endif
% endfor
% endif
</%def>\
