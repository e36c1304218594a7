// NumPy both ways by its array interface, in C on the way there, without copying; NumPy is imported when it
// is first needed.
#include "construct.h"
#include "errors.h"
#include "exchange.h"
#include "numbers.h"
#include "tensor.h"
#include "values.h"

#include <c10/core/Storage.h>
#include <c10/util/SmallVector.h>

#include <ATen/FromBlob.h>
#include <ATen/ops/to_ops.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace at::python {
namespace {

constexpr std::pair<const char*, c10::ScalarType> type_strings[] = {
    {"b1", c10::kBool},         {"u1", c10::kByte},          {"i1", c10::kChar},  {"i2", c10::kShort},
    {"i4", c10::kInt},          {"i8", c10::kLong},          {"f2", c10::kHalf},  {"u2", c10::kUInt16},
    {"u4", c10::kUInt32},       {"u8", c10::kUInt64},        {"f4", c10::kFloat}, {"f8", c10::kDouble},
    {"c8", c10::kComplexFloat}, {"c16", c10::kComplexDouble}};
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

// ---- to NumPy: an object that has the interface and keeps the tensor

struct ExportObject {
  PyObject_HEAD PyObject* tensor;
};
PyTypeObject* export_type = nullptr;

// NumPy's PyArrayInterface, with the arrays that it points to.
struct ArrayStruct {
  int two = 2;
  int ndim;
  char kind;
  int element_size;
  int flags;
  int64_t* shape;
  int64_t* strides;  // in bytes
  void* data;
  PyObject* descr = nullptr;
  c10::SmallVector<int64_t, 6> sizes, steps;
};
static_assert(sizeof(Py_intptr_t) == sizeof(int64_t));
enum ArrayFlags { kAligned = 0x100, kNotSwapped = 0x200, kWriteable = 0x400 };

bool is_read_only(const at::Tensor& t) {
  return t.has_storage() && t.storage().unsafeGetStorageImpl()->read_only();
}

char type_kind(c10::ScalarType dtype) {
  for (const auto& [text, t] : type_strings) {
    if (t == dtype) return text[0];
  }
  throw_error(PyExc_TypeError, "NumPy has no type for elements of %s; convert them first, as by float()",
              c10::dtypeName(dtype));
}

void delete_struct(PyObject* capsule) {
  delete static_cast<ArrayStruct*>(PyCapsule_GetPointer(capsule, nullptr));
}

PyObject* get_struct(PyObject* self, void*) {
  try {
    const at::Tensor& t = unwrap(reinterpret_cast<ExportObject*>(self)->tensor);
    // NumPy takes a null pointer for "allocate", so an empty tensor shows some address.
    static char nothing[64];
    auto array = std::make_unique<ArrayStruct>();
    array->ndim = static_cast<int>(t.dim());
    array->kind = type_kind(t.scalar_type());
    array->element_size = static_cast<int>(t.element_size());
    array->flags = kAligned | kNotSwapped | (is_read_only(t) ? 0 : kWriteable);
    array->sizes.assign(t.sizes().begin(), t.sizes().end());
    array->steps.assign(t.strides().begin(), t.strides().end());
    for (int64_t& s : array->steps) s *= t.element_size();
    array->shape = array->sizes.data();
    array->strides = array->steps.data();
    array->data = t.numel() == 0 ? nothing : const_cast<void*>(t.const_data_ptr());
    PyObject* capsule = PyCapsule_New(array.get(), nullptr, delete_struct);
    if (capsule != nullptr) (void)array.release();
    return capsule;
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.numpy");
  }
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<ExportObject*>(self)->tensor);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// It lives as long as NumPy, which is never unloaded.
PyObject* numpy_asarray() {
  static PyObject* found = nullptr;
  if (found == nullptr) {
    const Ref numpy = own(PyImport_ImportModule("numpy"));
    found = own(PyObject_GetAttrString(numpy.get(), "asarray")).release();
  }
  return found;
}

// ---- from NumPy

struct Interface {
  void* data;
  bool read_only;
  c10::ScalarType dtype;
  c10::SmallVector<int64_t, 6> sizes, strides;
};

PyObject* entry(PyObject* dict, const char* key) {
  PyObject* value = PyDict_GetItemString(dict, key);
  if (value == nullptr) throw_error(PyExc_TypeError, "from_numpy(): the array's interface lacks '%s'", key);
  return value;
}

c10::ScalarType dtype_of(const char* text) {
  if (std::strlen(text) >= 3) {
    for (const auto& [name, t] : type_strings) {
      if (std::strcmp(name, text + 1) != 0) continue;
      if (text[0] != native_order && text[0] != '|' && text[0] != '=') {
        throw_error(PyExc_ValueError,
                    "from_numpy(): arrays of foreign byte order are not supported; use astype()");
      }
      return t;
    }
  }
  throw_error(
      PyExc_TypeError,
      "from_numpy(): no tensor type for NumPy elements '%s'; supported are float64, float32, float16, "
      "complex64, complex128, int64, int32, int16, int8, uint8 and bool",
      text);
}

void read_ints(PyObject* tuple, c10::SmallVector<int64_t, 6>& out) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) out.push_back(to_int64(PyTuple_GetItem(tuple, i)));
}

void read_strides(PyObject* strides, Interface& a) {
  const auto step = static_cast<int64_t>(c10::elementSize(a.dtype));
  if (strides != nullptr && strides != Py_None) {
    read_ints(strides, a.strides);
    for (int64_t& s : a.strides) {
      if (s < 0)
        throw_error(PyExc_ValueError,
                    "from_numpy(): arrays with negative strides are not supported; use copy()");
      if (s % step != 0)
        throw_error(PyExc_ValueError, "from_numpy(): strides must be multiples of the element size");
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

Interface read_interface(PyObject* array) {
  const Ref dict = own(PyObject_GetAttrString(array, "__array_interface__"));
  if (!PyDict_Check(dict.get())) throw_error(PyExc_TypeError, "from_numpy(): __array_interface__ is no dict");
  Interface a;
  PyObject* data = entry(dict.get(), "data");
  if (!PyTuple_Check(data) || PyTuple_Size(data) != 2)
    throw_error(PyExc_TypeError, "from_numpy(): 'data' is no (address, flag)");
  a.data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
  if (PyErr_Occurred()) throw PythonError();
  a.read_only = to_bool(PyTuple_GetItem(data, 1));
  a.dtype = dtype_of(utf8(entry(dict.get(), "typestr")));
  read_ints(entry(dict.get(), "shape"), a.sizes);
  read_strides(PyDict_GetItemString(dict.get(), "strides"), a);
  if (a.strides.size() != a.sizes.size())
    throw_error(PyExc_ValueError, "from_numpy(): shape and strides differ in length");
  // NumPy's complex numbers are aligned as their parts are, c10's as a whole.
  if (reinterpret_cast<uintptr_t>(a.data) % c10::elementSize(a.dtype) != 0) {
    throw_error(PyExc_ValueError, "from_numpy(): the array's data is not aligned to its type; use copy()");
  }
  return a;
}

void release_array(void* array) {
  if (!interpreter_alive()) return;
  GilAcquire gil;
  Py_DECREF(static_cast<PyObject*>(array));
}

at::Tensor tensor_over(PyObject* array, const Interface& a) {
  Py_INCREF(array);
  c10::DataPtr memory(a.data, array, &release_array, c10::Device(c10::kCPU));
  at::Tensor made(at::detail::tensor_over(std::move(memory), a.sizes, a.strides, 0, a.dtype));
  made.storage().unsafeGetStorageImpl()->set_read_only(a.read_only);
  return made;
}

PyObject* from_numpy(PyObject*, PyObject* array) {
  try {
    if (!has_attribute(array, "__array_interface__")) {
      throw_error(PyExc_TypeError,
                  "from_numpy(): argument 'array' (position 1): expected a NumPy array, got %s",
                  type_name(array).c_str());
    }
    return wrap(tensor_over(array, read_interface(array)));
  } catch (...) {
    return raise_current(PACKAGE ".from_numpy");
  }
}

PyGetSetDef export_properties[] = {{"__array_struct__", get_struct, nullptr, nullptr, nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot export_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)}, {Py_tp_getset, export_properties}, {0, nullptr}};

at::Tensor for_numpy(const at::Tensor& t, bool force) {
  if (t.requires_grad() && !force) {
    throw_error(PyExc_RuntimeError, "numpy() of a tensor that requires grad; use detach().numpy()");
  }
  if (t.is_cpu()) return t;
  if (!force) {
    throw_error(PyExc_TypeError, "numpy() of a tensor on %s; use cpu() to copy it to host memory first",
                t.device().str().c_str());
  }
  return at::_ops::to_dtype_layout::call(t, std::nullopt, std::nullopt, c10::Device(c10::kCPU), std::nullopt,
                                         false, false, std::nullopt);
}

}  // namespace

PyObject* tensor_numpy(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"force", nullptr};
  int force = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$p:numpy", const_cast<char**>(names), &force))
    return nullptr;
  try {
    at::Tensor source = share_of(for_numpy(unwrap(self), force != 0));
    (void)type_kind(source.scalar_type());
    const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(export_type, Py_tp_alloc));
    const Ref holder = own(alloc(export_type, 0));
    reinterpret_cast<ExportObject*>(holder.get())->tensor = wrap(std::move(source));
    return PyObject_CallFunctionObjArgs(numpy_asarray(), holder.get(), nullptr);
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.numpy");
  }
}

PyMethodDef tensor_exchange_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(tensor_dlpack)),
     METH_VARARGS | METH_KEYWORDS,
     "__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) -> capsule"},
    {"__dlpack_device__", tensor_dlpack_device, METH_NOARGS,
     "__dlpack_device__() -> (device type, device id)"},
    {"numpy", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(tensor_numpy)),
     METH_VARARGS | METH_KEYWORDS,
     "numpy(*, force=False) -> numpy.ndarray\n\nThe same memory as an array; read-only if the tensor's "
     "memory is. With `force`, "
     "tensors on other devices are copied."},
    {"tolist", to_list, METH_NOARGS, "tolist() -> list or number\n\nThe elements in nested lists."},
    {nullptr, nullptr, 0, nullptr}};

int init_numpy(PyObject* module) {
  static PyMethodDef functions[] = {
      {"from_numpy", from_numpy, METH_O,
       "from_numpy(array) -> Tensor\n\nA tensor over the array's memory; read-only if the array is."},
      {nullptr, nullptr, 0, nullptr}};
  PyType_Spec spec{PACKAGE "._C._ArrayExport", sizeof(ExportObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, export_slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  export_type = reinterpret_cast<PyTypeObject*>(type);
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
