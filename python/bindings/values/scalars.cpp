// Conversions between Python and C++ scalars.
#include "values/scalars.h"

#include "tensor/tensor.h"

#include <ATen/ops/item.h>

namespace at::python {
namespace {

// Subclasses of numpy.generic, looked up once NumPy is imported. NumPy is never unloaded, so they stay valid.
PyObject* numpy_class(NumpyKind kind) {
  static PyObject* classes[4] = {};
  PyObject*& found = classes[static_cast<int>(kind)];
  if (found != nullptr) return found;
  PyObject* modules = PySys_GetObject("modules");
  PyObject* numpy = modules ? PyDict_GetItemString(modules, "numpy") : nullptr;
  if (numpy == nullptr) return nullptr;
  static const char* const names[] = {"bool_", "integer", "floating", "complexfloating"};
  found = PyObject_GetAttrString(numpy, names[static_cast<int>(kind)]);
  if (found == nullptr) PyErr_Clear();
  return found;
}

c10::Scalar scalar_of_tensor(PyObject* o) { return at::_ops::item::call(unwrap(o)); }

}  // namespace

bool is_numpy_scalar(PyObject* o, NumpyKind kind) {
  PyObject* type = numpy_class(kind);
  return type != nullptr && PyType_IsSubtype(Py_TYPE(o), reinterpret_cast<PyTypeObject*>(type));
}

bool is_real(PyObject* o) {
  if (PyFloat_Check(o) || PyLong_Check(o)) return true;
  return is_numpy_scalar(o, NumpyKind::Floating) || is_numpy_scalar(o, NumpyKind::Integer) ||
         is_numpy_scalar(o, NumpyKind::Bool);
}

bool is_scalar(PyObject* o) {
  if (PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || PyComplex_CheckExact(o))
    return true;
  return is_real(o) || PyComplex_Check(o) || is_numpy_scalar(o, NumpyKind::Complex);
}

bool is_integer(PyObject* o) {
  if (PyLong_CheckExact(o)) return true;
  if (PyBool_Check(o) || PyFloat_CheckExact(o)) return false;
  if (is_tensor(o)) {
    const at::Tensor& t = unwrap(o);
    return t.dim() == 0 && c10::isIntegralType(t.scalar_type(), false) && !t.requires_grad();
  }
  return PyLong_Check(o) || (PyIndex_Check(o) && !is_numpy_scalar(o, NumpyKind::Bool));
}

bool is_bool(PyObject* o) { return PyBool_Check(o) || is_numpy_scalar(o, NumpyKind::Bool); }

int64_t to_int64(PyObject* o) {
  if (PyLong_CheckExact(o)) {
    const long long value = PyLong_AsLongLong(o);
    if (value == -1 && PyErr_Occurred()) throw PythonError();
    return value;
  }
  if (is_tensor(o)) return scalar_of_tensor(o).to<int64_t>();
  const Ref index = own(PyNumber_Index(o));
  const long long value = PyLong_AsLongLong(index.get());
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

double to_double(PyObject* o) {
  if (is_tensor(o)) return scalar_of_tensor(o).to<double>();
  const double value = PyFloat_AsDouble(o);
  if (value == -1.0 && PyErr_Occurred()) throw PythonError();
  return value;
}

bool to_bool(PyObject* o) {
  const int value = PyObject_IsTrue(o);
  check(value);
  return value != 0;
}

c10::complex<double> to_complex(PyObject* o) {
  if (is_tensor(o)) return scalar_of_tensor(o).to<c10::complex<double>>();
  if (PyComplex_Check(o)) return {PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)};
  if (is_numpy_scalar(o, NumpyKind::Complex)) {
    const Ref value =
        own(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyComplex_Type), o, nullptr));
    return {PyComplex_RealAsDouble(value.get()), PyComplex_ImagAsDouble(value.get())};
  }
  return to_double(o);
}

c10::Scalar to_scalar(PyObject* o) {
  if (PyFloat_CheckExact(o)) return PyFloat_AsDouble(o);
  if (PyBool_Check(o)) return o == Py_True;
  if (PyLong_Check(o)) return to_int64(o);
  if (is_tensor(o)) return scalar_of_tensor(o);
  if (is_numpy_scalar(o, NumpyKind::Bool)) return to_bool(o);
  if (PyFloat_Check(o) || is_numpy_scalar(o, NumpyKind::Floating)) return to_double(o);
  if (PyComplex_Check(o) || is_numpy_scalar(o, NumpyKind::Complex)) return to_complex(o);
  if (PyIndex_Check(o)) return to_int64(o);
  throw_error(PyExc_TypeError, "expected a number, got %s", type_name(o).c_str());
}

PyObject* from_scalar(const c10::Scalar& s) {
  if (s.isFloatingPoint()) return PyFloat_FromDouble(s.to<double>());
  if (s.isBoolean()) return boolean(s.to<bool>());
  if (s.isComplex()) {
    const auto value = s.to<c10::complex<double>>();
    return PyComplex_FromDoubles(value.real(), value.imag());
  }
  if (s.type() == c10::kUInt64) return PyLong_FromUnsignedLongLong(s.to<uint64_t>());
  return PyLong_FromLongLong(s.to<int64_t>());
}

}  // namespace at::python
