// Conversions between Python and C++ scalars.
#include "values/scalars.h"

#include "tensor_object.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/item.h>

namespace at::python {
namespace {

// NumPy's classes, looked up once NumPy is imported. It is never unloaded, so they stay valid.
PyObject* numpy_class(NumpyKind kind) {
  static PyObject* classes[6] = {};
  PyObject*& found = classes[static_cast<int>(kind)];
  if (found != nullptr) return found;
  PyObject* modules = PySys_GetObject("modules");
  PyObject* numpy = modules ? PyDict_GetItemString(modules, "numpy") : nullptr;
  if (numpy == nullptr) return nullptr;
  static const char* const names[] = {"bool_",           "integer", "floating",
                                      "complexfloating", "generic", "ndarray"};
  found = PyObject_GetAttrString(numpy, names[static_cast<int>(kind)]);
  if (found == nullptr) PyErr_Clear();
  return found;
}

c10::Scalar scalar_of_tensor(PyObject* o) { return at::_ops::item::call(unwrap(o)); }

int64_t int64_of(PyObject* o) {
  const long long value = PyLong_AsLongLong(o);
  if (value == -1 && PyErr_Occurred()) [[unlikely]] {
    throw_error(PyExc_ValueError, "expected an int that fits in 64 bits, got %R", o);
  }
  return value;
}

c10::Scalar scalar_of_int(PyObject* o) {
  const long long value = PyLong_AsLongLong(o);
  if (value != -1 || !PyErr_Occurred()) [[likely]] {
    return value;
  }
  PyErr_Clear();
  const unsigned long long beyond = PyLong_AsUnsignedLongLong(o);
  if (PyErr_Occurred()) throw PythonError();
  return static_cast<uint64_t>(beyond);
}

}  // namespace

bool is_numpy(PyObject* o, NumpyKind kind) {
  PyObject* type = numpy_class(kind);
  return type != nullptr && PyType_IsSubtype(Py_TYPE(o), reinterpret_cast<PyTypeObject*>(type));
}

bool is_real(PyObject* o) {
  if (PyFloat_Check(o) || PyLong_Check(o)) return true;
  return is_numpy(o, NumpyKind::Floating) || is_numpy(o, NumpyKind::Integer) || is_numpy(o, NumpyKind::Bool);
}

bool is_scalar(PyObject* o) {
  if (PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || PyComplex_CheckExact(o)) {
    return true;
  }
  return is_real(o) || PyComplex_Check(o) || is_numpy(o, NumpyKind::Complex);
}

bool is_integer(PyObject* o) {
  if (PyLong_CheckExact(o)) return true;
  if (PyBool_Check(o) || PyFloat_CheckExact(o)) return false;
  if (is_tensor(o)) {
    const at::Tensor& t = unwrap(o);
    return t.dim() == 0 && c10::isIntegralType(t.scalar_type(), false) && !t.requires_grad();
  }
  return PyLong_Check(o) || (PyIndex_Check(o) && !is_numpy(o, NumpyKind::Bool));
}

bool is_listed_integer(PyObject* o) {
  if (is_integer(o)) return true;
  return is_tensor(o) && unwrap(o).numel() == 1 && c10::isIntegralType(unwrap(o).scalar_type(), false) &&
         !unwrap(o).requires_grad();
}

bool is_bool(PyObject* o) { return PyBool_Check(o) || is_numpy(o, NumpyKind::Bool); }

int64_t to_int64(PyObject* o) {
  if (PyLong_CheckExact(o)) return int64_of(o);
  if (is_tensor(o)) return scalar_of_tensor(o).to<int64_t>();
  return int64_of(own(PyNumber_Index(o)).get());
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
  if (is_numpy(o, NumpyKind::Complex)) {
    const Ref value =
        own(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyComplex_Type), o, nullptr));
    return {PyComplex_RealAsDouble(value.get()), PyComplex_ImagAsDouble(value.get())};
  }
  return to_double(o);
}

c10::Scalar to_scalar(PyObject* o) {
  if (PyFloat_CheckExact(o)) return PyFloat_AsDouble(o);
  if (PyBool_Check(o)) return o == Py_True;
  if (PyLong_Check(o)) return scalar_of_int(o);
  if (is_tensor(o)) return scalar_of_tensor(o);
  if (is_numpy(o, NumpyKind::Bool)) return to_bool(o);
  if (PyFloat_Check(o) || is_numpy(o, NumpyKind::Floating)) return to_double(o);
  if (PyComplex_Check(o) || is_numpy(o, NumpyKind::Complex)) return to_complex(o);
  if (PyIndex_Check(o)) return scalar_of_int(own(PyNumber_Index(o)).get());
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

at::Tensor wrapped_number(const c10::Scalar& s) {
  at::Tensor t(at::detail::empty_cpu(c10::IntArrayRef(), s.type()));
  void* data = t.mutable_data_ptr();
  switch (s.type()) {
    case c10::kDouble:
      *static_cast<double*>(data) = s.to<double>();
      break;
    case c10::kLong:
      *static_cast<int64_t*>(data) = s.to<int64_t>();
      break;
    case c10::kUInt64:
      *static_cast<uint64_t*>(data) = s.to<uint64_t>();
      break;
    case c10::kBool:
      *static_cast<bool*>(data) = s.to<bool>();
      break;
    default:
      *static_cast<c10::complex<double>*>(data) = s.to<c10::complex<double>>();
      break;
  }
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

}  // namespace at::python
