<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Python functions and Tensor methods: the parser's tables, and the operator call of each overload.
#include "bindings.h"
#include "errors.h"
#include "parser/parser.h"
#include "values/results.h"

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor

namespace at::python {
% for f in view.functions:

namespace {
% for o in f.overloads:
% if o.params:
constexpr Param ${o.symbol}_params[] = {
% for p in o.params:
    {${p.name}, ParamType::${p.type}, ${p.flags}, ${p.size}},
% endfor
};
PyObject* ${o.symbol}_names[${o.num_params}];
% endif
% if o.fields:
const char* const ${o.symbol}_fields[] = {
% for field in o.fields:
    ${field},
% endfor
};
NamedTuple ${o.symbol}_type{${f.name}, ${o.num_fields}, ${o.symbol}_fields};
% endif
% endfor
constexpr Overload ${f.symbol}_overloads[] = {
% for o in f.overloads:
% if o.params:
    {${o.text}, ${o.symbol}_params, ${o.num_params}, ${o.num_positional}, ${o.num_required}, ${o.symbol}_names},
% else:
    {${o.text}, nullptr, 0, 0, 0, nullptr},
% endif
% endfor
};
constexpr Function ${f.symbol}_spec{${f.name}, PACKAGE ${f.prefix}, ${f.public_module}, ${f.symbol}_overloads, ${f.num_overloads}};
}  // namespace

PyObject* ${f.symbol}(PyObject* _self, PyObject* const* _args, Py_ssize_t _nargs, PyObject* _kwnames) {
  PyObject* _storage[${f.max_params}];
  Arguments _a(_storage);
  try {
    switch (_a.parse(${f.symbol}_spec, _self, _args, _nargs, _kwnames)) {
% for o in f.overloads:
      case ${o.index}: {
% if o.out:
% if o.base:
        if (_a.has(${o.out_index})) {
${call_out(o)}\
        }
% else:
${call_out(o)}\
% endif
% endif
% if o.base:
        ${o.base.keep}at::_ops::${o.base.struct}::call(${o.base.exprs});
% if o.requires_grad:
        if (_a.boolean(${o.requires_grad}, false)) _result.set_requires_grad(true);
% endif
        return ${o.base.result};
% endif
      }
% endfor
    }
    return _a.result();
  } catch (...) {
    return raise_current(${f.symbol}_spec.prefix);
  }
}
% endfor

extern const BindingRow rows_${view.number}[];
const BindingRow rows_${view.number}[] = {
% for f in view.functions:
    {${f.module}, ${f.name}, &${f.symbol}, ${f.doc}},
% endfor
    {nullptr, nullptr, nullptr, nullptr},
};

}  // namespace at::python
<%def name="call_out(o)">\
% if o.num_outputs > 1:
${within(o)}        auto _out = _a.tensors_n<${o.num_outputs}>(${o.out_index});
% endif
% if o.check_out:
${within(o)}        _a.check_out(_a.tensor(${o.out_index}), ${o.check_out});
% endif
${within(o)}        ${o.out.keep}at::_ops::${o.out.struct}::call(${o.out.exprs});
${within(o)}        return ${o.out.result};
</%def>\
<%def name="within(o)">\
% if o.base:
  \
% endif
</%def>\
