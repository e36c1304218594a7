// Conversion of parsed arguments to C++ values, with error messages that name the parameter.
#include "parser/parser.h"

#include "errors.h"
#include "parser/messages.h"
#include "values/scalars.h"
#include "values/values.h"

#include <string>

namespace at::python {

std::string Arguments::where(int i) const {
  std::string text = std::string(function_->prefix) + "(): argument '" + overload_->params[i].name + "'";
  if (i < num_given_) text += " (position " + std::to_string(i + 1) + ")";
  return text;
}

void Arguments::wrong_value(int i, const char* expected, PyObject* got) const {
  // A Python error that is already set (an overflow, say) keeps its class.
  PyObject* type = PyErr_Occurred() ? PyErr_Occurred() : PyExc_TypeError;
  Py_INCREF(type);
  const Ref keep_type = Ref::steal(type);
  PyErr_Clear();
  const std::string text = where(i) + ": expected " + expected + ", got " + describe(got);
  PyErr_SetString(type, text.c_str());
  throw PythonError();
}

void Arguments::check_list_size(int i, size_t size, size_t expected) {
  if (size == expected) return;
  const std::string text =
      where(i) + ": expected " + std::to_string(expected) + " elements, got " + std::to_string(size);
  throw_error(PyExc_TypeError, "%s", text.c_str());
}

void Arguments::keep(Ref object) {
  constexpr int capacity = sizeof(owned_) / sizeof(owned_[0]);
  if (num_owned_ < capacity - 1) {
    owned_[num_owned_++] = object.release();
    return;
  }
  if (num_owned_ == capacity - 1) owned_[num_owned_++] = own(PyList_New(0)).release();
  check(PyList_Append(owned_[capacity - 1], object.get()));
}

void Arguments::release_owned() {
  while (num_owned_ > 0) Py_DECREF(owned_[--num_owned_]);
}

at::Tensor& Arguments::tensor_slow(int i) {
  PyObject* o = values_[i];
  if (is_tensor(o)) return unwrap(o);
  c10::Scalar number;
  try {
    number = to_scalar(o);
  } catch (const PythonError& e) {
    e.restore();
    wrong_value(i, "a number that fits in 64 bits", o);
  }
  Ref object = own(wrap(wrapped_number(number)));
  values_[i] = object.get();
  keep(std::move(object));
  return unwrap(values_[i]);
}

namespace {

// The elements of a list or tuple, whose type the parser has checked.
struct Sequence {
  explicit Sequence(PyObject* o) : object(o), list(PyList_Check(o)) {
    size = list ? PyList_Size(o) : PyTuple_Size(o);
    if (size < 0) throw PythonError();
  }
  PyObject* at(Py_ssize_t k) const {
    PyObject* e = list ? PyList_GetItem(object, k) : PyTuple_GetItem(object, k);
    if (e == nullptr) throw PythonError();  // the list was shortened meanwhile
    return e;
  }
  PyObject* object;
  bool list;
  Py_ssize_t size;
};

}  // namespace

std::vector<at::Tensor> Arguments::tensors(int i) {
  const Sequence s(values_[i]);
  std::vector<at::Tensor> out;
  out.reserve(static_cast<size_t>(s.size));
  for (Py_ssize_t k = 0; k < s.size; ++k) {
    PyObject* e = s.at(k);
    if (!is_tensor(e)) wrong_value(i, "a tuple of Tensors", values_[i]);
    out.push_back(unwrap(e));
  }
  return out;
}

c10::List<std::optional<at::Tensor>> Arguments::optional_tensors(int i) {
  const Sequence s(values_[i]);
  c10::List<std::optional<at::Tensor>> out;
  out.reserve(static_cast<size_t>(s.size));
  for (Py_ssize_t k = 0; k < s.size; ++k) {
    PyObject* e = s.at(k);
    if (e != Py_None && !is_tensor(e)) wrong_value(i, "a tuple of Tensors and None", values_[i]);
    out.push_back(e == Py_None ? std::optional<at::Tensor>() : std::optional<at::Tensor>(unwrap(e)));
  }
  return out;
}

c10::Scalar Arguments::scalar_of(int i) {
  try {
    return to_scalar(values_[i]);
  } catch (const PythonError& e) {
    e.restore();
    wrong_value(i, "a number that fits in 64 bits", values_[i]);
  }
}

std::vector<c10::Scalar> Arguments::scalars(int i) {
  const Sequence s(values_[i]);
  std::vector<c10::Scalar> out;
  for (Py_ssize_t k = 0; k < s.size; ++k) out.push_back(to_scalar(s.at(k)));
  return out;
}

int64_t Arguments::integer(int i) {
  PyObject* o = values_[i];
  if (PyLong_CheckExact(o)) {
    const long long value = PyLong_AsLongLong(o);
    if (value != -1 || !PyErr_Occurred()) return value;
    PyErr_SetNone(PyExc_ValueError);
    wrong_value(i, "an int that fits in 64 bits", o);
  }
  return to_int64(o);
}

double Arguments::real(int i) { return to_double(values_[i]); }
bool Arguments::boolean(int i) { return to_bool(values_[i]); }

std::string_view Arguments::string(int i) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(values_[i], &size);
  if (text == nullptr) throw PythonError();
  return {text, static_cast<size_t>(size)};
}

void Arguments::ints_into(int i, c10::SmallVector<int64_t, 6>& out) {
  PyObject* o = values_[i];
  const auto add = [&](PyObject* e) {
    if (!is_listed_integer(e)) wrong_value(i, "a tuple of ints", o);
    const int64_t value = PyLong_CheckExact(e) ? PyLong_AsLongLong(e) : to_int64(e);
    if (value == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      // Of a list's element, it is a TypeError.
      if (e == o && varargs_ == nullptr) PyErr_SetNone(PyExc_ValueError);
      wrong_value(i, "ints that fit in 64 bits", o);
    }
    out.push_back(value);
  };
  if (varargs_ != nullptr && i == 0) {
    for (Py_ssize_t k = 0; k < num_varargs_; ++k) add(varargs_[k]);
  } else if (PyList_Check(o) || PyTuple_Check(o)) {
    const Sequence s(o);
    for (Py_ssize_t k = 0; k < s.size; ++k) add(s.at(k));
  } else {
    add(o);
    const int64_t value = out[0];
    while (out.size() < overload_->params[i].size) out.push_back(value);
  }
}

std::vector<double> Arguments::reals(int i) {
  PyObject* o = values_[i];
  if (!PyList_Check(o) && !PyTuple_Check(o)) {
    return std::vector<double>(overload_->params[i].size, to_double(o));
  }
  const Sequence s(o);
  std::vector<double> out;
  for (Py_ssize_t k = 0; k < s.size; ++k) out.push_back(to_double(s.at(k)));
  return out;
}

void Arguments::fill_booleans(int i, bool* out, size_t size) {
  const Sequence s(values_[i]);
  check_list_size(i, static_cast<size_t>(s.size), size);
  for (size_t k = 0; k < size; ++k) out[k] = to_bool(s.at(static_cast<Py_ssize_t>(k)));
}

c10::ScalarType Arguments::dtype(int i) { return to_dtype(values_[i]); }
c10::Layout Arguments::layout(int i) { return to_layout(values_[i]); }
c10::MemoryFormat Arguments::memory_format(int i) { return to_memory_format(values_[i]); }
c10::Device Arguments::device(int i) { return to_device(values_[i]); }
at::Generator Arguments::generator(int i) { return to_generator(values_[i]); }
c10::Stream Arguments::stream(int i) { return to_stream(values_[i]); }

void Arguments::check_out(const at::Tensor& out, int dtype, int layout, int device) {
  const auto complain = [&](int i, const std::string& got) {
    const std::string text = where(i) + ": differs from that of 'out', " + got;
    throw_error(PyExc_RuntimeError, "%s", text.c_str());
  };
  if (has(dtype) && to_dtype(values_[dtype]) != out.scalar_type()) {
    complain(dtype, std::string(PACKAGE ".") + c10::dtypeName(out.scalar_type()));
  }
  if (has(layout) && to_layout(values_[layout]) != out.layout()) complain(layout, toString(out.layout()));
  if (has(device)) {
    const c10::Device wanted = to_device(values_[device]);
    const bool same_index = !wanted.has_index() || wanted.index() == out.device().index() || wanted.is_cpu();
    if (wanted.type() != out.device().type() || !same_index) complain(device, out.device().str());
  }
}

}  // namespace at::python
