// Conversion of C++ results to Python objects.
#include "values/results.h"

#include <string>

namespace at::python {

PyObject* NamedTuple::make() {
  if (type == nullptr) {
    std::vector<PyStructSequence_Field> rows;
    for (int i = 0; i < num_fields; ++i) rows.push_back({fields[i], nullptr});
    rows.push_back({nullptr, nullptr});
    // The type keeps a pointer to the name.
    const std::string* full_name = new std::string(std::string(PACKAGE ".return_types.") + name);
    PyStructSequence_Desc desc{full_name->c_str(), nullptr, rows.data(), num_fields};
    type = PyStructSequence_NewType(&desc);
    if (type == nullptr) return nullptr;
    const Ref repr = import_from("_tensor_str", "_named_repr");
    check(PyObject_SetAttrString(reinterpret_cast<PyObject*>(type), "__repr__", repr.get()));
  }
  return PyStructSequence_New(type);
}

PyObject* wrap_list(const std::vector<at::Tensor>& tensors) {
  Ref tuple = own(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
  for (size_t i = 0; i < tensors.size(); ++i) {
    PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), own(wrap(tensors[i])).release());
  }
  return tuple.release();
}

}  // namespace at::python
