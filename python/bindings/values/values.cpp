// dtype, layout, memory_format and device.
#include "values/values.h"

#include "errors.h"
#include "values/scalars.h"

#include <c10/core/TensorOptions.h>

#include <string>

namespace at::python {

PyTypeObject* dtype_type = nullptr;
PyTypeObject* layout_type = nullptr;
PyTypeObject* memory_format_type = nullptr;
PyTypeObject* device_type = nullptr;

namespace {

// Enum objects are created once and are immortal.
PyObject* dtypes[c10::NumScalarTypes];
PyObject* layouts[static_cast<int>(c10::Layout::NumOptions)];
PyObject* memory_formats[static_cast<int>(c10::MemoryFormat::NumOptions)];

const char* const layout_names[] = {"strided",    "sparse_coo", "sparse_csr", "_mkldnn",
                                    "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};
const char* const memory_format_names[] = {"contiguous_format", "preserve_format", "channels_last",
                                           "channels_last_3d"};

PyObject* new_object(PyTypeObject* type) {
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  return own(alloc(type, 0)).release();
}

template <class T>
PyObject* new_value(PyTypeObject* type, T value) {
  PyObject* o = new_object(type);
  reinterpret_cast<EnumObject<T>*>(o)->value = value;
  return o;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* no_constructor(PyTypeObject* type, PyObject*, PyObject*) {
  const Ref name = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__name__"));
  PyErr_Format(PyExc_TypeError, "%U objects cannot be created; use the existing ones of the package",
               name.get());
  return nullptr;
}

c10::ScalarType dtype_of(PyObject* self) {
  return reinterpret_cast<EnumObject<c10::ScalarType>*>(self)->value;
}

PyObject* dtype_repr(PyObject* self) {
  return PyUnicode_FromFormat(PACKAGE ".%s", c10::dtypeName(dtype_of(self)));
}
PyObject* layout_repr(PyObject* self) {
  return PyUnicode_FromFormat(PACKAGE ".%s", layout_names[static_cast<int>(to_layout(self))]);
}
PyObject* memory_format_repr(PyObject* self) {
  return PyUnicode_FromFormat(PACKAGE ".%s", memory_format_names[static_cast<int>(to_memory_format(self))]);
}

// Pickled by name, as an attribute of the package.
PyObject* dtype_reduce(PyObject* self, PyObject*) {
  return PyUnicode_FromString(c10::dtypeName(dtype_of(self)));
}
PyObject* layout_reduce(PyObject* self, PyObject*) {
  return PyUnicode_FromString(layout_names[static_cast<int>(to_layout(self))]);
}
PyObject* memory_format_reduce(PyObject* self, PyObject*) {
  return PyUnicode_FromString(memory_format_names[static_cast<int>(to_memory_format(self))]);
}

PyObject* dtype_to_real(PyObject* self, PyObject*) {
  return from_dtype(c10::toRealValueType(dtype_of(self)));
}
PyObject* dtype_to_complex(PyObject* self, PyObject*) {
  try {
    return from_dtype(c10::toComplexType(dtype_of(self)));
  } catch (...) {
    return raise_current(PACKAGE ".dtype.to_complex");
  }
}
PyObject* dtype_floating(PyObject* self, void*) { return boolean(c10::isFloatingType(dtype_of(self))); }
PyObject* dtype_complex(PyObject* self, void*) { return boolean(c10::isComplexType(dtype_of(self))); }
PyObject* dtype_signed(PyObject* self, void*) { return boolean(c10::isSignedType(dtype_of(self))); }
PyObject* dtype_itemsize(PyObject* self, void*) {
  return PyLong_FromSize_t(c10::detail::kElementSizes[c10::detail::scalar_type_index(dtype_of(self))]);
}

PyMethodDef dtype_methods[] = {
    {"__reduce__", dtype_reduce, METH_NOARGS, nullptr},
    {"to_real", dtype_to_real, METH_NOARGS, "The type of a complex type's parts."},
    {"to_complex", dtype_to_complex, METH_NOARGS, "The complex type of such parts."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef dtype_properties[] = {
    {"is_floating_point", dtype_floating, nullptr, "Whether values have fractions.", nullptr},
    {"is_complex", dtype_complex, nullptr, "Whether values are complex.", nullptr},
    {"is_signed", dtype_signed, nullptr, "Whether values can be negative.", nullptr},
    {"itemsize", dtype_itemsize, nullptr, "Bytes of an element.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef layout_methods[] = {{"__reduce__", layout_reduce, METH_NOARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};
PyMethodDef memory_format_methods[] = {{"__reduce__", memory_format_reduce, METH_NOARGS, nullptr},
                                       {nullptr, nullptr, 0, nullptr}};

c10::Device device_of(PyObject* self) { return reinterpret_cast<DeviceObject*>(self)->value; }

PyObject* device_new(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"type", "index", nullptr};
  PyObject* what = nullptr;
  PyObject* index = nullptr;
  // PyTorch also accepts device(device=...).
  const Ref renamed =
      kwargs && PyDict_GetItemString(kwargs, "device") ? Ref::steal(PyDict_Copy(kwargs)) : Ref();
  if (renamed) {
    if (PyDict_SetItemString(renamed.get(), "type", PyDict_GetItemString(kwargs, "device")) < 0 ||
        PyDict_DelItemString(renamed.get(), "device") < 0) {
      return nullptr;
    }
    kwargs = renamed.get();
  }
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:device", const_cast<char**>(names), &what, &index)) {
    return nullptr;
  }
  try {
    if (index == nullptr || index == Py_None) {
      if (!is_device_like(what)) {
        throw_error(PyExc_TypeError, "device(): expected str, int or device, got %s",
                    type_name(what).c_str());
      }
      return from_device(to_device(what));
    }
    if (!PyUnicode_Check(what)) {
      throw_error(PyExc_TypeError, "device(): argument 'type': expected str, got %s",
                  type_name(what).c_str());
    }
    const c10::Device base{std::string(utf8(what))};
    if (base.has_index()) {
      throw_error(PyExc_RuntimeError, "device(): 'type' must not include an index when one is given");
    }
    const int64_t i = to_int64(index);
    if (i < 0 || i > 127) {
      throw_error(PyExc_RuntimeError, "device(): index %lld is out of range", static_cast<long long>(i));
    }
    return from_device(c10::Device(std::string(utf8(what)) + ":" + std::to_string(i)));
  } catch (...) {
    return raise_current(PACKAGE ".device");
  }
}

PyObject* device_repr(PyObject* self) {
  const c10::Device d = device_of(self);
  const std::string type = c10::Device(d.type()).str();
  if (d.has_index()) {
    return PyUnicode_FromFormat("device(type='%s', index=%d)", type.c_str(), static_cast<int>(d.index()));
  }
  return PyUnicode_FromFormat("device(type='%s')", type.c_str());
}
PyObject* device_str(PyObject* self) { return PyUnicode_FromString(device_of(self).str().c_str()); }
Py_hash_t device_hash(PyObject* self) {
  return static_cast<Py_hash_t>(std::hash<c10::Device>()(device_of(self))) + 17;
}
PyObject* device_compare(PyObject* a, PyObject* b, int op) {
  if (Py_TYPE(b) != device_type || (op != Py_EQ && op != Py_NE)) {
    Py_INCREF(Py_NotImplemented);
    return Py_NotImplemented;
  }
  return boolean((device_of(a) == device_of(b)) == (op == Py_EQ));
}
PyObject* device_get_type(PyObject* self, void*) {
  return PyUnicode_FromString(c10::Device(device_of(self).type()).str().c_str());
}
PyObject* device_get_index(PyObject* self, void*) {
  return device_of(self).has_index() ? PyLong_FromLong(device_of(self).index()) : none();
}
PyObject* device_reduce(PyObject* self, PyObject*) {
  return Py_BuildValue("(O(s))", reinterpret_cast<PyObject*>(device_type), device_of(self).str().c_str());
}

PyMethodDef device_methods[] = {{"__reduce__", device_reduce, METH_NOARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};
PyGetSetDef device_properties[] = {
    {"type", device_get_type, nullptr, "Name of the device's type: 'cpu', 'cuda', 'meta'.", nullptr},
    {"index", device_get_index, nullptr, "Which of the devices of the type; None: the current one.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject* make_type(PyObject* module, const char* name, int size, newfunc construct, reprfunc repr,
                        PyMethodDef* methods, PyGetSetDef* properties,
                        std::initializer_list<PyType_Slot> more = {}) {
  PyType_Slot slots[12] = {{Py_tp_new, reinterpret_cast<void*>(construct)},
                           {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                           {Py_tp_repr, reinterpret_cast<void*>(repr)},
                           {Py_tp_methods, methods}};
  int n = 4;
  if (properties) slots[n++] = {Py_tp_getset, properties};
  for (const PyType_Slot& slot : more) slots[n++] = slot;
  slots[n] = {0, nullptr};
  const std::string* full_name =
      new std::string(std::string(PACKAGE ".") + name);  // the type keeps a pointer to it
  PyType_Spec spec{full_name->c_str(), size, 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject* type = own(PyType_FromSpec(&spec)).release();
  Py_INCREF(type);
  check(PyModule_AddObject(module, name, type));
  return reinterpret_cast<PyTypeObject*>(type);
}

void add(PyObject* module, const char* name, PyObject* object) {
  Py_INCREF(object);
  check(PyModule_AddObject(module, name, object));
}

void add_constants(PyObject* module) {
  using c10::ScalarType;
  for (int i = 0; i < static_cast<int>(ScalarType::Undefined); ++i) {
    const auto t = static_cast<ScalarType>(i);
    dtypes[i] = new_value(dtype_type, t);
    if (c10::isSupportedType(t)) add(module, c10::dtypeName(t), dtypes[i]);
  }
  const std::pair<const char*, ScalarType> aliases[] = {{"half", c10::kHalf},
                                                        {"float", c10::kFloat},
                                                        {"double", c10::kDouble},
                                                        {"short", c10::kShort},
                                                        {"int", c10::kInt},
                                                        {"long", c10::kLong},
                                                        {"chalf", c10::kComplexHalf},
                                                        {"cfloat", c10::kComplexFloat},
                                                        {"cdouble", c10::kComplexDouble}};
  for (const auto& [name, t] : aliases) add(module, name, dtypes[static_cast<int>(t)]);
  for (int i = 0; i < static_cast<int>(c10::Layout::NumOptions); ++i) {
    layouts[i] = new_value(layout_type, static_cast<c10::Layout>(i));
    add(module, layout_names[i], layouts[i]);
  }
  for (int i = 0; i < static_cast<int>(c10::MemoryFormat::NumOptions); ++i) {
    memory_formats[i] = new_value(memory_format_type, static_cast<c10::MemoryFormat>(i));
    add(module, memory_format_names[i], memory_formats[i]);
  }
}

PyObject* shared(PyObject* o) {
  Py_INCREF(o);
  return o;
}

}  // namespace

PyObject* from_dtype(c10::ScalarType t) {
  const auto i = static_cast<size_t>(t);
  if (i >= static_cast<size_t>(c10::ScalarType::Undefined)) return none();
  return shared(dtypes[i]);
}
PyObject* from_layout(c10::Layout l) { return shared(layouts[static_cast<int>(l)]); }
PyObject* from_memory_format(c10::MemoryFormat f) { return shared(memory_formats[static_cast<int>(f)]); }

PyObject* from_device(c10::Device d) {
  // The CPU's object is cached, since it is used most.
  static PyObject* cpu = nullptr;
  if (d.is_cpu() && !d.has_index() && cpu != nullptr) return shared(cpu);
  PyObject* o = new_object(device_type);
  reinterpret_cast<DeviceObject*>(o)->value = d;
  if (d.is_cpu() && !d.has_index()) {
    cpu = o;
    Py_INCREF(o);
  }
  return o;
}

bool is_dtype_like(PyObject* o) {
  if (is_dtype(o)) return true;
  return o == reinterpret_cast<PyObject*>(&PyFloat_Type) || o == reinterpret_cast<PyObject*>(&PyLong_Type) ||
         o == reinterpret_cast<PyObject*>(&PyBool_Type) || o == reinterpret_cast<PyObject*>(&PyComplex_Type);
}

c10::ScalarType to_dtype(PyObject* o) {
  if (is_dtype(o)) return dtype_of(o);
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return c10::kDouble;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return c10::kLong;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return c10::kBool;
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) return c10::kComplexDouble;
  throw_error(PyExc_TypeError, "expected " PACKAGE ".dtype, got %s", type_name(o).c_str());
}

bool is_device_like(PyObject* o) {
  return Py_TYPE(o) == device_type || PyUnicode_Check(o) || (PyLong_Check(o) && !PyBool_Check(o));
}

c10::Device to_device(PyObject* o) {
  if (Py_TYPE(o) == device_type) return device_of(o);
  if (PyUnicode_Check(o)) return c10::Device(std::string(utf8(o)));
  const int64_t index = to_int64(o);
  if (index < 0 || index > 127) {
    throw_error(PyExc_RuntimeError, "device index %lld is out of range", static_cast<long long>(index));
  }
  return c10::Device(c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(index));
}

int init_values(PyObject* module) {
  try {
    dtype_type = make_type(module, "dtype", sizeof(EnumObject<c10::ScalarType>), no_constructor, dtype_repr,
                           dtype_methods, dtype_properties);
    layout_type = make_type(module, "layout", sizeof(EnumObject<c10::Layout>), no_constructor, layout_repr,
                            layout_methods, nullptr);
    memory_format_type = make_type(module, "memory_format", sizeof(EnumObject<c10::MemoryFormat>),
                                   no_constructor, memory_format_repr, memory_format_methods, nullptr);
    device_type = make_type(module, "device", sizeof(DeviceObject), device_new, device_repr, device_methods,
                            device_properties,
                            {{Py_tp_str, reinterpret_cast<void*>(device_str)},
                             {Py_tp_hash, reinterpret_cast<void*>(device_hash)},
                             {Py_tp_richcompare, reinterpret_cast<void*>(device_compare)}});
    add_constants(module);
  } catch (...) {
    return raise_current_int("init_values");
  }
  return 0;
}

}  // namespace at::python
