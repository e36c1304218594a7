<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// All generated functions, and the slots of Python's operators (`+`, `<`, `@=`) that methods of this library implement.
#include "bindings.h"
#include "tensor/protocols.h"

namespace at::python {

% for number in view.shards:
extern const BindingRow rows_${number}[];
% endfor
const BindingRow* const generated_rows[] = {
% for number in view.shards:
    rows_${number},
% endfor
    nullptr,
};
% for symbol in view.symbols:
PyObject* ${symbol}(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
% endfor

namespace {
% for s in view.binary:
PyObject* ${s.slot}(PyObject* a, PyObject* b) { return ${s.call}; }
% endfor
% for s in view.inplace:
PyObject* ${s.slot}(PyObject* a, PyObject* b) { return inplace_operator(a, b, ${s.method}); }
% endfor
% for s in view.ternary:
PyObject* ${s.slot}(PyObject* a, PyObject* b, PyObject* modulus) {
  return modulus == Py_None ? ${s.call} : no_operator();
}
% endfor
% for s in view.unary:
PyObject* ${s.slot}(PyObject* a) { return ${s.call}; }
% endfor
PyObject* tp_richcompare(PyObject* a, PyObject* b, int comparison) {
  switch (comparison) {
% for s in view.comparisons:
    case ${s.slot}: return ${s.call};
% endfor
    default: return no_operator();
  }
}
}  // namespace

const PyType_Slot generated_slots[] = {
% for slot in view.slots:
    {Py_${slot}, reinterpret_cast<void*>(&${slot})},
% endfor
    {Py_tp_richcompare, reinterpret_cast<void*>(&tp_richcompare)},
    {0, nullptr},
};

const char* const numbers_as_tensors_ops[] = {
% for name in view.take_numbers:
    ${name},
% endfor
    nullptr,
};
const char* const tag_names[] = {
% for name in view.tags:
    ${name},
% endfor
    nullptr,
};

}  // namespace at::python
