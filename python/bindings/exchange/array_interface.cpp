// Reading an array interface.
#include "exchange/array_interface.h"

#include "values/scalars.h"

#include <ATen/FromBlob.h>
#include <c10/core/Storage.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace at::python {
namespace {

constexpr std::pair<const char*, c10::ScalarType> type_strings[] = {
    {"b1", c10::kBool},         {"u1", c10::kByte},          {"i1", c10::kChar},  {"i2", c10::kShort},
    {"i4", c10::kInt},          {"i8", c10::kLong},          {"f2", c10::kHalf},  {"u2", c10::kUInt16},
    {"u4", c10::kUInt32},       {"u8", c10::kUInt64},        {"f4", c10::kFloat}, {"f8", c10::kDouble},
    {"c8", c10::kComplexFloat}, {"c16", c10::kComplexDouble}};
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

PyObject* entry(PyObject* dict, const char* key, const char* who) {
  PyObject* value = PyDict_GetItemString(dict, key);
  if (value == nullptr) throw_error(PyExc_TypeError, "%s: the array's interface lacks '%s'", who, key);
  return value;
}

// `text` is "<f4": the byte order, which doesn't matter here, the kind and the size.
std::optional<c10::ScalarType> type_named(const char* text) {
  if (text[0] == '\0') return std::nullopt;
  for (const auto& [name, t] : type_strings) {
    if (std::strcmp(name, text + 1) == 0) return t;
  }
  return std::nullopt;
}

c10::ScalarType dtype_of(const char* text, const char* who) {
  if (const auto found = type_named(text)) {
    if (text[0] != native_order && text[0] != '|' && text[0] != '=') {
      throw_error(PyExc_ValueError, "%s: arrays of foreign byte order are not supported; use astype()", who);
    }
    return *found;
  }
  throw_error(PyExc_TypeError,
              "%s: no tensor type for NumPy elements '%s'; supported are float64, float32, float16, "
              "complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8 and bool",
              who, text);
}

void read_ints(PyObject* tuple, c10::SmallVector<int64_t, 6>& out) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) out.push_back(to_int64(PyTuple_GetItem(tuple, i)));
  if (PyErr_Occurred()) throw PythonError();
}

void read_strides(PyObject* strides, ArrayInterface& a, const char* who) {
  const auto step = static_cast<int64_t>(c10::elementSize(a.dtype));
  if (strides != nullptr && strides != Py_None) {
    read_ints(strides, a.strides);
    for (int64_t& s : a.strides) {
      if (s < 0) {
        throw_error(PyExc_ValueError, "%s: arrays with negative strides are not supported; use copy()", who);
      }
      if (s % step != 0) {
        throw_error(PyExc_ValueError, "%s: strides must be multiples of the element size", who);
      }
      s /= step;
    }
    return;
  }
  a.strides.resize(a.sizes.size());
  int64_t next = 1;
  for (size_t d = a.sizes.size(); d-- > 0;) {
    a.strides[d] = next;
    next *= std::max<int64_t>(a.sizes[d], 1);
  }
}

}  // namespace

ArrayInterface read_array_interface(PyObject* dict, const char* who) {
  if (!PyDict_Check(dict)) throw_error(PyExc_TypeError, "%s: the array's interface is no dict", who);
  ArrayInterface a;
  PyObject* data = entry(dict, "data", who);
  if (!PyTuple_Check(data) || PyTuple_Size(data) != 2) {
    throw_error(PyExc_TypeError, "%s: 'data' is no (address, flag)", who);
  }
  a.data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
  if (PyErr_Occurred()) throw PythonError();
  a.read_only = to_bool(PyTuple_GetItem(data, 1));
  a.dtype = dtype_of(utf8(entry(dict, "typestr", who)), who);
  read_ints(entry(dict, "shape", who), a.sizes);
  read_strides(PyDict_GetItemString(dict, "strides"), a, who);
  if (a.strides.size() != a.sizes.size()) {
    throw_error(PyExc_ValueError, "%s: shape and strides differ in length", who);
  }
  // NumPy's complex numbers are aligned as their parts are, c10's as a whole.
  if (reinterpret_cast<uintptr_t>(a.data) % c10::elementSize(a.dtype) != 0) {
    throw_error(PyExc_ValueError, "%s: the array's data is not aligned to its type; use copy()", who);
  }
  return a;
}

std::optional<c10::ScalarType> numpy_dtype(PyObject* o) {
  const Ref dtype = own(PyObject_GetAttrString(o, "dtype"));
  const Ref text = own(PyObject_GetAttrString(dtype.get(), "str"));
  return type_named(utf8(text.get()));
}

namespace {

void release_array(void* array) {
  if (!interpreter_alive()) return;
  GilAcquire gil;
  Py_DECREF(static_cast<PyObject*>(array));
}

}  // namespace

at::Tensor tensor_over(PyObject* array, const ArrayInterface& a, c10::Device device) {
  Py_INCREF(array);
  c10::DataPtr memory(a.data, array, &release_array, device);
  at::Tensor made(at::detail::tensor_over(std::move(memory), a.sizes, a.strides, 0, a.dtype));
  made.storage().unsafeGetStorageImpl()->set_read_only(a.read_only);
  return made;
}

at::Tensor tensor_of_array(PyObject* array, const char* who) {
  const Ref interface = own(PyObject_GetAttrString(array, "__array_interface__"));
  return tensor_over(array, read_array_interface(interface.get(), who), c10::Device(c10::kCPU));
}

const char* array_type(c10::ScalarType dtype) {
  for (const auto& [text, t] : type_strings) {
    if (t == dtype) return text;
  }
  return nullptr;
}

}  // namespace at::python
