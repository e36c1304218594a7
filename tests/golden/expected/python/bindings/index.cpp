// Generated from templates/python/bindings/index.cpp.mako; not to be edited.
// All generated functions, and the operators of Python's syntax (`+`, `<`, `@=`) that methods of this library serve.
#include "bindings.h"
#include "protocols.h"

namespace at::python {

extern const BindingRow rows_0[];
const BindingRow* const generated_rows[] = {
    rows_0,
    nullptr,
};

namespace {
PyObject* tp_richcompare(PyObject* a, PyObject* b, int comparison) {
  switch (comparison) {
    default: return no_operator();
  }
}
}  // namespace

const PyType_Slot generated_slots[] = {
    {Py_tp_richcompare, reinterpret_cast<void*>(&tp_richcompare)},
    {0, nullptr},
};

}  // namespace at::python
