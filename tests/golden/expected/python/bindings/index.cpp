// Generated from templates/python/bindings/index.cpp.mako; not to be edited.
// All generated functions, and the slots of Python's operators (`+`, `<`, `@=`) that methods of this library implement.
#include "bindings.h"
#include "tensor/protocols.h"

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

const char* const numbers_as_tensors_ops[] = {
    nullptr,
};
const char* const tag_names[] = {
    "core",
    "pointwise",
    "reduction",
    "inplace",
    "out",
    "out_variant",
    "inplace_view",
    "view_copy",
    "generated",
    "dynamic_output_shape",
    "data_dependent_output",
    "nondeterministic_seeded",
    "nondeterministic_bitwise",
    "needs_exact_strides",
    "needs_contiguous_strides",
    "needs_fixed_stride_order",
    "flexible_layout",
    "maybe_aliasing_or_mutating",
    "cudagraph_unsafe",
    "pt2_compliant_tag",
    nullptr,
};

}  // namespace at::python
