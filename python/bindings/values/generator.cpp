// Generator, a random number generator, and manual_seed() for the default ones.
#include "errors.h"
#include "tensor_object.h"
#include "values/scalars.h"
#include "values/values.h"

#include <new>

namespace at::python {

PyTypeObject* generator_type = nullptr;

namespace {

PyObject* new_generator_object(PyTypeObject* type, at::Generator g) {
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* o = own(alloc(type, 0)).release();
  new (&reinterpret_cast<GeneratorObject*>(o)->value) at::Generator(std::move(g));
  return o;
}

PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"device", nullptr};
  PyObject* device = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Generator", const_cast<char**>(names), &device)) {
    return nullptr;
  }
  try {
    if (device != nullptr && device != Py_None && !is_device_like(device)) {
      throw_error(PyExc_TypeError, "Generator(): argument 'device': expected " PACKAGE ".device, got %s",
                  type_name(device).c_str());
    }
    const c10::Device d = device == nullptr || device == Py_None ? c10::Device(c10::kCPU) : to_device(device);
    return new_generator_object(type, at::new_generator(d));
  } catch (...) {
    return raise_current(PACKAGE ".Generator");
  }
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  at::Generator& g = to_generator(self);
  if (g.defined() && g.unsafeGetGeneratorImpl()->pyobj_slot()->pyobj() == self) {
    g.unsafeGetGeneratorImpl()->pyobj_slot()->clear();
  }
  g.~Generator();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// Negative seeds are taken modulo 2**64.
uint64_t to_seed(PyObject* o) {
  if (!is_integer(o)) throw_error(PyExc_TypeError, "expected an int as seed, got %s", type_name(o).c_str());
  const Ref index = own(PyNumber_Index(o));
  const unsigned long long value = PyLong_AsUnsignedLongLong(index.get());
  if (!PyErr_Occurred()) return value;
  PyErr_Clear();
  const long long negative = PyLong_AsLongLong(index.get());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    throw_error(PyExc_ValueError, "the seed does not fit in 64 bits");
  }
  return static_cast<uint64_t>(negative);
}

PyObject* new_reference(PyObject* self) {
  Py_INCREF(self);
  return self;
}

PyObject* manual_seed(PyObject* self, PyObject* seed) {
  try {
    const uint64_t value = to_seed(seed);
    at::Generator& g = to_generator(self);
    const std::lock_guard<std::mutex> lock(g.mutex());
    g.set_current_seed(value);
    return new_reference(self);
  } catch (...) {
    return raise_current(PACKAGE ".Generator.manual_seed");
  }
}

PyObject* seed(PyObject* self, PyObject*) {
  try {
    at::Generator& g = to_generator(self);
    const std::lock_guard<std::mutex> lock(g.mutex());
    return PyLong_FromUnsignedLongLong(g.seed());
  } catch (...) {
    return raise_current(PACKAGE ".Generator.seed");
  }
}

PyObject* initial_seed(PyObject* self, PyObject*) {
  try {
    return PyLong_FromUnsignedLongLong(to_generator(self).current_seed());
  } catch (...) {
    return raise_current(PACKAGE ".Generator.initial_seed");
  }
}

PyObject* get_state(PyObject* self, PyObject*) {
  try {
    at::Generator& g = to_generator(self);
    const std::lock_guard<std::mutex> lock(g.mutex());
    return wrap(at::Tensor(at::TensorBase::Impl(g.unsafeGetGeneratorImpl()->get_state())));
  } catch (...) {
    return raise_current(PACKAGE ".Generator.get_state");
  }
}

PyObject* set_state(PyObject* self, PyObject* state) {
  try {
    if (!is_tensor(state)) {
      throw_error(PyExc_TypeError, "expected a Tensor as state, got %s", type_name(state).c_str());
    }
    at::Generator& g = to_generator(self);
    const std::lock_guard<std::mutex> lock(g.mutex());
    g.unsafeGetGeneratorImpl()->set_state(*unwrap(state).unsafeGetTensorImpl());
    return new_reference(self);
  } catch (...) {
    return raise_current(PACKAGE ".Generator.set_state");
  }
}

PyObject* clone_state(PyObject* self, PyObject*) {
  try {
    at::Generator& g = to_generator(self);
    const std::lock_guard<std::mutex> lock(g.mutex());
    return new_generator_object(generator_type, g.clone());
  } catch (...) {
    return raise_current(PACKAGE ".Generator.clone_state");
  }
}

PyObject* get_device(PyObject* self, void*) { return from_device(to_generator(self).device()); }

PyObject* repr(PyObject* self) {
  const Ref device = Ref::steal(from_device(to_generator(self).device()));
  return PyUnicode_FromFormat("<" PACKAGE ".Generator device=%S>", device.get());
}

PyMethodDef methods[] = {
    {"manual_seed", manual_seed, METH_O, "manual_seed(seed) -> Generator\n\nSets the seed (64 bits)."},
    {"seed", seed, METH_NOARGS, "seed() -> int\n\nSets a seed from the system's entropy and returns it."},
    {"initial_seed", initial_seed, METH_NOARGS, "initial_seed() -> int\n\nThe current seed."},
    {"get_state", get_state, METH_NOARGS, "get_state() -> Tensor\n\nThe state as a uint8 tensor."},
    {"set_state", set_state, METH_O, "set_state(state) -> Generator\n\nRestores a state of get_state()."},
    {"clone_state", clone_state, METH_NOARGS, "clone_state() -> Generator\n\nA copy with the same state."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {{"device", get_device, nullptr, "The generator's device.", nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(construct)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc, const_cast<char*>("Generator(device='cpu')\n\nA random number generator for a device.")},
    {0, nullptr}};

PyObject* seed_all(PyObject*, PyObject* seed) {
  try {
    at::manual_seed(to_seed(seed));
    return from_generator(at::default_generator(c10::Device(c10::kCPU)));
  } catch (...) {
    return raise_current(PACKAGE ".manual_seed");
  }
}

PyObject* default_of(PyObject*, PyObject* device) {
  try {
    return from_generator(at::default_generator(to_device(device)));
  } catch (...) {
    return raise_current(PACKAGE ".default_generator");
  }
}

PyMethodDef functions[] = {
    {"manual_seed", seed_all, METH_O,
     "manual_seed(seed) -> Generator\n\nSeeds the default generators of all devices; returns the CPU's."},
    {"_default_generator", default_of, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* from_generator(const at::Generator& g) {
  if (!g.defined()) return none();
  auto* slot = g.unsafeGetGeneratorImpl()->pyobj_slot();
  if (PyObject* known = slot->pyobj()) return new_reference(known);
  PyObject* o = new_generator_object(generator_type, g);
  slot->init_pyobj(o);
  return o;
}

int init_generator(PyObject* module) {
  PyType_Spec spec{PACKAGE ".Generator", sizeof(GeneratorObject), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  generator_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  if (PyModule_AddObject(module, "Generator", type) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
