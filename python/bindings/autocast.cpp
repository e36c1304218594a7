// Autocast's thread-local state: whether it is enabled for a device, its dtype, and its cache.
#include "autocast.h"

#include "errors.h"
#include "tensor_object.h"
#include "values/values.h"

#include <ATen/native/Autocast.h>

namespace at::python {
namespace {

namespace autocast = at::autocast;

void require(bool fits, const char* function, const char* argument, int position, const char* expected,
             PyObject* got) {
  if (fits) return;
  throw_error(PyExc_TypeError, "%s(): argument '%s' (position %d) must be %s, not %s", function, argument,
              position, expected, type_name(got).c_str());
}

c10::DeviceType device_type_of(PyObject* text, const char* function) {
  require(PyUnicode_Check(text), function, "device_type", 1, "str", text);
  return to_device(text).type();
}

bool to_bool(PyObject* value, const char* function, int position) {
  require(PyBool_Check(value), function, "enabled", position, "bool", value);
  return value == Py_True;
}

// Calls `f`, and makes its exceptions Python's.
template <class F>
PyObject* guarded(const F& f) {
  try {
    return f();
  } catch (...) {
    return raise_current();
  }
}

PyObject* is_available(PyObject*, PyObject* device) {
  return guarded([&] {
    return boolean(autocast::is_autocast_available(device_type_of(device, "is_autocast_available")));
  });
}

// Without an argument it is about CUDA, as before there was one.
PyObject* is_enabled(PyObject*, PyObject* args) {
  PyObject* device = nullptr;
  if (!PyArg_ParseTuple(args, "|O:is_autocast_enabled", &device)) return nullptr;
  return guarded([&] {
    return boolean(autocast::is_autocast_enabled(device ? device_type_of(device, "is_autocast_enabled")
                                                        : c10::DeviceType::CUDA));
  });
}

PyObject* set_enabled(PyObject*, PyObject* args) {
  constexpr const char* name = "set_autocast_enabled";
  PyObject *first, *second = nullptr;
  if (!PyArg_ParseTuple(args, "O|O:set_autocast_enabled", &first, &second)) return nullptr;
  return guarded([&] {
    const c10::DeviceType device = second ? device_type_of(first, name) : c10::DeviceType::CUDA;
    autocast::set_autocast_enabled(device, second ? to_bool(second, name, 2) : to_bool(first, name, 1));
    return none();
  });
}

PyObject* get_dtype(PyObject*, PyObject* device) {
  return guarded(
      [&] { return from_dtype(autocast::get_autocast_dtype(device_type_of(device, "get_autocast_dtype"))); });
}

PyObject* set_dtype(PyObject*, PyObject* args) {
  PyObject *device, *dtype;
  if (!PyArg_ParseTuple(args, "OO:set_autocast_dtype", &device, &dtype)) return nullptr;
  return guarded([&] {
    const c10::DeviceType type = device_type_of(device, "set_autocast_dtype");
    require(is_dtype(dtype), "set_autocast_dtype", "dtype", 2, "dtype", dtype);
    autocast::set_autocast_dtype(type, to_dtype(dtype));
    return none();
  });
}

PyObject* is_cache_enabled(PyObject*, PyObject*) { return boolean(autocast::is_autocast_cache_enabled()); }
PyObject* set_cache_enabled(PyObject*, PyObject* enabled) {
  return guarded([&] {
    autocast::set_autocast_cache_enabled(to_bool(enabled, "set_autocast_cache_enabled", 1));
    return none();
  });
}
PyObject* clear_cache(PyObject*, PyObject*) {
  autocast::clear_cache();
  return none();
}
PyObject* increment_nesting(PyObject*, PyObject*) { return PyLong_FromLong(autocast::increment_nesting()); }
PyObject* decrement_nesting(PyObject*, PyObject*) { return PyLong_FromLong(autocast::decrement_nesting()); }

PyMethodDef functions[] = {
    {"_is_autocast_available", is_available, METH_O, nullptr},
    {"is_autocast_enabled", is_enabled, METH_VARARGS,
     "is_autocast_enabled(device_type='cuda') -> bool\n\n"
     "Whether operators cast the inputs of this thread that are on such devices."},
    {"set_autocast_enabled", set_enabled, METH_VARARGS,
     "set_autocast_enabled(device_type, enabled)\n\nSets whether they do; autocast() sets it for a block."},
    {"get_autocast_dtype", get_dtype, METH_O,
     "get_autocast_dtype(device_type) -> dtype\n\nThe lower precision of this thread's autocast."},
    {"set_autocast_dtype", set_dtype, METH_VARARGS,
     "set_autocast_dtype(device_type, dtype)\n\nSets the lower precision; autocast() sets it for a block."},
    {"is_autocast_cache_enabled", is_cache_enabled, METH_NOARGS,
     "is_autocast_cache_enabled() -> bool\n\nWhether this thread's autocast keeps casts of parameters."},
    {"set_autocast_cache_enabled", set_cache_enabled, METH_O,
     "set_autocast_cache_enabled(enabled)\n\nSets whether it does; autocast() sets it for a block."},
    {"clear_autocast_cache", clear_cache, METH_NOARGS,
     "clear_autocast_cache()\n\nDrops the casts that autocast has kept."},
    {"autocast_increment_nesting", increment_nesting, METH_NOARGS,
     "autocast_increment_nesting() -> int\n\nCounts a block of autocast, and returns their number."},
    {"autocast_decrement_nesting", decrement_nesting, METH_NOARGS,
     "autocast_decrement_nesting() -> int\n\nEnds a block of autocast, and returns the number of others."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int init_autocast(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace at::python
