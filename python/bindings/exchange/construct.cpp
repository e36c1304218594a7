// Tensors from Python data, and tolist().
#include "exchange/construct.h"

#include "errors.h"
#include "exchange/array_interface.h"
#include "tensor_object.h"
#include "values/scalars.h"
#include "values/values.h"

#include <ATen/EmptyTensor.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/SmallVector.h>

#include <ATen/ops/contiguous_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/to_ops.h>

#include <cstring>

namespace at::python {
namespace {

constexpr size_t max_dims = 64;
using Shape = c10::SmallVector<int64_t, 6>;

bool is_sequence(PyObject* o) {
  if (PyList_Check(o) || PyTuple_Check(o)) return true;
  return !is_tensor(o) && !PyUnicode_Check(o) && !PyBytes_Check(o) && !PyDict_Check(o) && PySequence_Check(o);
}

// The elements of any sequence, without copying a list or tuple. Converting them may run Python code, which
// may modify the list.
class Elements {
 public:
  explicit Elements(PyObject* o)
      : list_(PyList_Check(o)),
        held_(list_ || PyTuple_Check(o) ? Ref::borrow(o) : own(PySequence_Tuple(o))) {}
  Py_ssize_t size() const { return list_ ? PyList_Size(held_.get()) : PyTuple_Size(held_.get()); }
  Ref operator[](Py_ssize_t i) const {
    PyObject* e = list_ ? PyList_GetItem(held_.get(), i) : PyTuple_GetItem(held_.get(), i);
    if (e == nullptr) {
      PyErr_Clear();
      throw_error(PyExc_ValueError, "a list was shortened while its elements were read");
    }
    return Ref::borrow(e);
  }

 private:
  bool list_;
  Ref held_;
};

// What has no elements of its own: a number, a tensor of one, anything else that is no sequence.
bool is_element(PyObject* o) {
  if (PyList_Check(o) || PyTuple_Check(o)) return false;
  return is_tensor(o) || is_scalar(o) || is_numpy(o, NumpyKind::Generic) || !is_sequence(o);
}

void check_depth(size_t depth) {
  if (depth > max_dims) throw_error(PyExc_ValueError, "data is nested deeper than %zu dimensions", max_dims);
}

// By the first elements; the others are compared with it when they are read.
Shape shape_of(PyObject* data) {
  Shape shape;
  Ref current = Ref::borrow(data);
  while (!is_element(current.get())) {
    const Elements elements(current.get());
    shape.push_back(elements.size());
    check_depth(shape.size());
    if (elements.size() == 0) break;
    current = elements[0];
  }
  if (!shape.empty() && PyUnicode_Check(current.get())) {
    throw_error(PyExc_ValueError, "expected numbers or sequences of numbers, got str");
  }
  return shape;
}

c10::ScalarType dtype_of_element(PyObject* o) {
  if (PyFloat_CheckExact(o)) return c10::get_default_dtype_as_scalartype();
  if (PyBool_Check(o)) return c10::kBool;
  if (PyLong_CheckExact(o)) return c10::kLong;
  if (is_tensor(o)) return unwrap(o).scalar_type();
  if (is_numpy(o, NumpyKind::Generic)) {
    if (const auto dtype = numpy_dtype(o)) return *dtype;
    throw_error(PyExc_TypeError, "no tensor type for NumPy's %s", type_name(o).c_str());
  }
  if (PyFloat_Check(o)) return c10::get_default_dtype_as_scalartype();
  if (PyComplex_Check(o)) return c10::get_default_complex_dtype().toScalarType();
  if (PyIndex_Check(o)) return c10::kLong;
  const bool text = PyUnicode_Check(o) || PyBytes_Check(o);
  throw_error(text ? PyExc_TypeError : PyExc_RuntimeError,
              "expected numbers or sequences of numbers, could not infer the dtype of %s",
              type_name(o).c_str());
}

c10::ScalarType infer(PyObject* data, size_t depth) {
  check_depth(depth);
  if (is_element(data)) return dtype_of_element(data);
  if (is_numpy(data, NumpyKind::Array)) {
    if (const auto dtype = numpy_dtype(data)) return *dtype;
    throw_error(PyExc_TypeError, "no tensor type for the elements of an array");
  }
  const Elements elements(data);
  if (elements.size() == 0) return c10::get_default_dtype_as_scalartype();
  c10::ScalarType all = infer(elements[0].get(), depth + 1);
  for (Py_ssize_t i = 1; i < elements.size() && all != c10::kComplexDouble; ++i) {
    const c10::ScalarType one = infer(elements[i].get(), depth + 1);
    if (one != all) all = c10::promoteTypes(all, one);
  }
  return all;
}

// Elements become integers and bools only if that loses nothing but a fraction of a Python float.
template <class T>
T to_integer(PyObject* o) {
  if (PyFloat_Check(o)) return c10::Scalar(PyFloat_AsDouble(o)).to<T>();
  const Ref index = own(PyNumber_Index(o));
  if constexpr (std::is_same_v<T, uint64_t>) {
    const unsigned long long value = PyLong_AsUnsignedLongLong(index.get());
    if (PyErr_Occurred()) throw PythonError();
    return value;
  } else {
    return c10::Scalar(to_int64(index.get())).to<T>();
  }
}

bool to_truth(PyObject* o) {
  if (PyFloat_Check(o) || PyComplex_Check(o) || is_bool(o)) return to_bool(o);
  return to_bool(own(PyNumber_Index(o)).get());
}

PyObject* one_element(PyObject* o) {
  if (is_tensor(o) && unwrap(o).numel() != 1) {
    throw_error(PyExc_ValueError, "tensors among the data must have one element, not %lld; use stack()",
                static_cast<long long>(unwrap(o).numel()));
  }
  return o;
}
double to_real(PyObject* o) { return to_double(one_element(o)); }

void store(void* where, c10::ScalarType dtype, PyObject* o) {
  switch (dtype) {
    case c10::kFloat:
      *static_cast<float*>(where) = static_cast<float>(to_real(o));
      return;
    case c10::kDouble:
      *static_cast<double*>(where) = to_real(o);
      return;
    case c10::kLong:
      *static_cast<int64_t*>(where) = to_integer<int64_t>(o);
      return;
    case c10::kBool:
      *static_cast<bool*>(where) = to_truth(o);
      return;
    case c10::kInt:
      *static_cast<int32_t*>(where) = to_integer<int32_t>(o);
      return;
    case c10::kShort:
      *static_cast<int16_t*>(where) = to_integer<int16_t>(o);
      return;
    case c10::kChar:
      *static_cast<int8_t*>(where) = to_integer<int8_t>(o);
      return;
    case c10::kByte:
      *static_cast<uint8_t*>(where) = to_integer<uint8_t>(o);
      return;
    case c10::kUInt16:
      *static_cast<uint16_t*>(where) = to_integer<uint16_t>(o);
      return;
    case c10::kUInt32:
      *static_cast<uint32_t*>(where) = to_integer<uint32_t>(o);
      return;
    case c10::kUInt64:
      *static_cast<uint64_t*>(where) = to_integer<uint64_t>(o);
      return;
    case c10::kHalf:
      *static_cast<c10::Half*>(where) = static_cast<c10::Half>(static_cast<float>(to_real(o)));
      return;
    case c10::kBFloat16:
      *static_cast<c10::BFloat16*>(where) = static_cast<c10::BFloat16>(static_cast<float>(to_real(o)));
      return;
    case c10::kComplexHalf: {
      const auto z = to_complex(one_element(o));
      *static_cast<c10::complex<c10::Half>*>(where) = {c10::Half(static_cast<float>(z.real())),
                                                       c10::Half(static_cast<float>(z.imag()))};
      return;
    }
    case c10::kComplexFloat: {
      const auto z = to_complex(one_element(o));
      *static_cast<c10::complex<float>*>(where) = {static_cast<float>(z.real()),
                                                   static_cast<float>(z.imag())};
      return;
    }
    case c10::kComplexDouble:
      *static_cast<c10::complex<double>*>(where) = to_complex(one_element(o));
      return;
    default:
      throw_error(PyExc_TypeError, "tensors of type %s cannot be made", c10::dtypeName(dtype));
  }
}

// Writes the elements in order; checks that all sequences of a dimension have the same length.
class Filler {
 public:
  Filler(char* data, c10::ScalarType dtype, const Shape& shape)
      : next_(data), step_(c10::elementSize(dtype)), dtype_(dtype), shape_(shape) {}

  void fill(PyObject* data, size_t dim) {
    if (dim == shape_.size()) {
      store(next_, dtype_, data);
      next_ += step_;
      return;
    }
    if (is_scalar(data)) {
      throw_error(PyExc_TypeError, "expected a sequence of length %lld at dimension %zu, got %s",
                  static_cast<long long>(shape_[dim]), dim, type_name(data).c_str());
    }
    const Ref list = list_of_array(data);
    const Elements elements(list ? list.get() : data);
    if (elements.size() != shape_[dim]) {
      throw_error(PyExc_ValueError,
                  "expected a sequence of length %lld at dimension %zu, got one of length %zd",
                  static_cast<long long>(shape_[dim]), dim, elements.size());
    }
    for (Py_ssize_t i = 0; i < shape_[dim]; ++i) fill(elements[i].get(), dim + 1);
  }

 private:
  // Python's numbers are read faster than NumPy's. Elements that lose something are left to store().
  Ref list_of_array(PyObject* data) const {
    if (!is_numpy(data, NumpyKind::Array)) return Ref();
    const auto dtype = numpy_dtype(data);
    if (!dtype || c10::promoteTypes(*dtype, dtype_) != dtype_) return Ref();
    if (*dtype == c10::kBool && c10::isIntegralType(dtype_, false)) return Ref();
    return own(PyObject_CallMethod(data, "tolist", nullptr));
  }

  char* next_;
  size_t step_;
  c10::ScalarType dtype_;
  const Shape& shape_;
};

PyObject* element(const char* p, c10::ScalarType dtype) {
  switch (dtype) {
    case c10::kFloat:
      return PyFloat_FromDouble(*reinterpret_cast<const float*>(p));
    case c10::kDouble:
      return PyFloat_FromDouble(*reinterpret_cast<const double*>(p));
    case c10::kLong:
      return PyLong_FromLongLong(*reinterpret_cast<const int64_t*>(p));
    case c10::kBool:
      return boolean(*reinterpret_cast<const uint8_t*>(p) != 0);
    case c10::kInt:
      return PyLong_FromLong(*reinterpret_cast<const int32_t*>(p));
    case c10::kShort:
      return PyLong_FromLong(*reinterpret_cast<const int16_t*>(p));
    case c10::kChar:
      return PyLong_FromLong(*reinterpret_cast<const int8_t*>(p));
    case c10::kByte:
      return PyLong_FromLong(*reinterpret_cast<const uint8_t*>(p));
    case c10::kUInt16:
      return PyLong_FromLong(*reinterpret_cast<const uint16_t*>(p));
    case c10::kUInt32:
      return PyLong_FromLongLong(*reinterpret_cast<const uint32_t*>(p));
    case c10::kUInt64:
      return PyLong_FromUnsignedLongLong(*reinterpret_cast<const uint64_t*>(p));
    case c10::kHalf:
      return PyFloat_FromDouble(static_cast<float>(*reinterpret_cast<const c10::Half*>(p)));
    case c10::kBFloat16:
      return PyFloat_FromDouble(static_cast<float>(*reinterpret_cast<const c10::BFloat16*>(p)));
    case c10::kComplexHalf: {
      const auto z = *reinterpret_cast<const c10::complex<c10::Half>*>(p);
      return PyComplex_FromDoubles(static_cast<float>(z.real()), static_cast<float>(z.imag()));
    }
    case c10::kComplexFloat: {
      const auto z = *reinterpret_cast<const c10::complex<float>*>(p);
      return PyComplex_FromDoubles(z.real(), z.imag());
    }
    case c10::kComplexDouble: {
      const auto z = *reinterpret_cast<const c10::complex<double>*>(p);
      return PyComplex_FromDoubles(z.real(), z.imag());
    }
    default:
      throw_error(PyExc_TypeError, "elements of dtype %s cannot be converted to Python scalars",
                  c10::dtypeName(dtype));
  }
}

PyObject* list_of(const at::Tensor& t, const char* data, int64_t dim) {
  if (dim == t.dim()) return own(element(data, t.scalar_type())).release();
  Ref list = own(PyList_New(static_cast<Py_ssize_t>(t.size(dim))));
  const int64_t step = t.stride(dim) * t.element_size();
  for (int64_t i = 0; i < t.size(dim); ++i) {
    PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), list_of(t, data + i * step, dim + 1));
  }
  return list.release();
}

// _from_data(data, dtype or None) -> Tensor
PyObject* from_data(PyObject*, PyObject* args) {
  PyObject *data = nullptr, *dtype = nullptr;
  if (!PyArg_ParseTuple(args, "OO:tensor", &data, &dtype)) return nullptr;
  try {
    if (dtype != Py_None && !is_dtype_like(dtype)) {
      throw_error(PyExc_TypeError, PACKAGE ".tensor(): argument 'dtype': expected " PACKAGE ".dtype, got %s",
                  type_name(dtype).c_str());
    }
    const auto wanted = dtype == Py_None ? std::optional<c10::ScalarType>() : to_dtype(dtype);
    return wrap(tensor_from_data(data, wanted));
  } catch (...) {
    return raise_current(PACKAGE ".tensor");
  }
}

// _get_bytes(contiguous CPU tensor) -> bytes; _set_bytes(contiguous CPU tensor, bytes). For pickling.
PyObject* get_bytes(PyObject*, PyObject* o) {
  try {
    if (!is_tensor(o) || !unwrap(o).is_cpu() || !unwrap(o).is_contiguous()) {
      throw_error(PyExc_TypeError, "expected a contiguous CPU tensor");
    }
    const at::Tensor& t = unwrap(o);
    return PyBytes_FromStringAndSize(static_cast<const char*>(t.const_data_ptr()),
                                     static_cast<Py_ssize_t>(t.nbytes()));
  } catch (...) {
    return raise_current();
  }
}
PyObject* set_bytes(PyObject*, PyObject* args) {
  PyObject *o, *bytes;
  if (!PyArg_ParseTuple(args, "OO:_set_bytes", &o, &bytes)) return nullptr;
  try {
    if (!is_tensor(o) || !unwrap(o).is_cpu() || !unwrap(o).is_contiguous() || !PyBytes_Check(bytes)) {
      throw_error(PyExc_TypeError, "expected a contiguous CPU tensor and bytes");
    }
    const at::Tensor& t = unwrap(o);
    char* data = nullptr;
    Py_ssize_t size = 0;
    check(PyBytes_AsStringAndSize(bytes, &data, &size));
    TORCH_CHECK_VALUE(static_cast<size_t>(size) == t.nbytes(), "expected ", t.nbytes(), " bytes, got ",
                      static_cast<int64_t>(size));
    if (size != 0) std::memcpy(t.mutable_data_ptr(), data, static_cast<size_t>(size));
    return none();
  } catch (...) {
    return raise_current();
  }
}

PyMethodDef functions[] = {{"_from_data", from_data, METH_VARARGS, nullptr},
                           {"_get_bytes", get_bytes, METH_O, nullptr},
                           {"_set_bytes", set_bytes, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

at::Tensor tensor_from_data(PyObject* data, std::optional<c10::ScalarType> dtype) {
  const Shape shape = shape_of(data);
  const c10::ScalarType type = dtype ? *dtype : inferred_dtype(data);
  TORCH_CHECK_TYPE(c10::isSupportedType(type), "tensors of type ", c10::dtypeName(type), " cannot be made");
  at::Tensor t(at::detail::empty_cpu(c10::IntArrayRef(shape.data(), shape.size()), type));
  if (t.numel() != 0) Filler(static_cast<char*>(t.mutable_data_ptr()), type, shape).fill(data, 0);
  return t;
}

c10::ScalarType inferred_dtype(PyObject* data) { return infer(data, 0); }

PyObject* to_list(PyObject* self, PyObject*) {
  try {
    const at::Tensor& t = unwrap(self);
    if (t.dim() == 0) return from_scalar(at::_ops::item::call(t));
    const at::Tensor host =
        t.is_cpu() ? t
                   : at::_ops::to_dtype_layout::call(t, std::nullopt, std::nullopt, c10::Device(c10::kCPU),
                                                     std::nullopt, false, false, std::nullopt);
    return list_of(host, static_cast<const char*>(host.const_data_ptr()), 0);
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.tolist");
  }
}

int init_construct(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace at::python
