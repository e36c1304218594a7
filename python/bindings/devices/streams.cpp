// Stream: an ordered queue of work on a device. aten.cuda.Stream is a subclass, written in Python.
#include "devices/devices.h"
#include "errors.h"
#include "values/scalars.h"
#include "values/values.h"

#include <c10/core/Event.h>
#include <c10/core/impl/DeviceInterface.h>

namespace at::python {

PyTypeObject* stream_type = nullptr;

namespace {

c10::DeviceInterface& interface_of(c10::Device device) { return c10::device_interface(device.type()); }

PyObject* new_stream_object(PyTypeObject* type, const c10::Stream& stream) {
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* o = own(alloc(type, 0)).release();
  reinterpret_cast<StreamObject*>(o)->id = stream.id();
  reinterpret_cast<StreamObject*>(o)->device = stream.device();
  return o;
}

// By stream_id and device, the object of a stream that exists already; else a new stream.
PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"device", "priority", "stream_id", nullptr};
  PyObject *device = nullptr, *id = nullptr;
  int priority = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O$iO:Stream", const_cast<char**>(names), &device,
                                   &priority, &id)) {
    return nullptr;
  }
  try {
    const bool given = device != nullptr && device != Py_None;
    if (given && !is_device_like(device)) {
      throw_error(PyExc_TypeError, "Stream(): argument 'device': expected device, str or int, got %s",
                  type_name(device).c_str());
    }
    const c10::Device d = c10::resolve_device(given ? to_device(device) : c10::Device(c10::kCUDA));
    if (id != nullptr) return new_stream_object(type, c10::Stream(c10::Stream::UNSAFE, d, to_int64(id)));
    return new_stream_object(type, interface_of(d).new_stream(d.index(), priority));
  } catch (...) {
    return raise_current(PACKAGE ".Stream");
  }
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* repr(PyObject* self) {
  const c10::Stream s = to_stream(self);
  return PyUnicode_FromFormat(PACKAGE ".Stream device_type=%s, device_index=%d, stream_id=%lld",
                              c10::Device(s.device_type()).str().c_str(), static_cast<int>(s.device_index()),
                              static_cast<long long>(s.id()));
}

PyObject* compare(PyObject* a, PyObject* b, int op) {
  if (!is_stream(b) || (op != Py_EQ && op != Py_NE)) {
    Py_INCREF(Py_NotImplemented);
    return Py_NotImplemented;
  }
  return boolean((to_stream(a) == to_stream(b)) == (op == Py_EQ));
}
Py_hash_t hash(PyObject* self) {
  const c10::Stream s = to_stream(self);
  const auto value =
      static_cast<Py_hash_t>(std::hash<c10::Device>()(s.device()) * 1000003 + static_cast<size_t>(s.id()));
  return value == -1 ? -2 : value;
}

PyObject* get_device(PyObject* self, void*) { return from_device(to_stream(self).device()); }
PyObject* get_device_index(PyObject* self, void*) { return PyLong_FromLong(to_stream(self).device_index()); }
PyObject* get_id(PyObject* self, void*) { return PyLong_FromLongLong(to_stream(self).id()); }
PyObject* get_handle(PyObject* self, void*) {
  try {
    const c10::Stream s = to_stream(self);
    return PyLong_FromVoidPtr(interface_of(s.device()).native_stream(s));
  } catch (...) {
    return raise_current(PACKAGE ".Stream.native_handle");
  }
}

PyObject* synchronize(PyObject* self, PyObject*) {
  try {
    const c10::Stream stream = to_stream(self);
    const GilReleased released;
    stream.synchronize();
  } catch (...) {
    return raise_current(PACKAGE ".Stream.synchronize");
  }
  return none();
}
PyObject* query(PyObject* self, PyObject*) {
  try {
    return boolean(to_stream(self).query());
  } catch (...) {
    return raise_current(PACKAGE ".Stream.query");
  }
}
PyObject* wait_stream(PyObject* self, PyObject* other) {
  try {
    if (!is_stream(other)) {
      throw_error(PyExc_TypeError, "expected " PACKAGE ".Stream, got %s", type_name(other).c_str());
    }
    const c10::Stream earlier = to_stream(other);
    c10::Event event(earlier.device_type());
    event.record(earlier);
    event.block(to_stream(self));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".Stream.wait_stream");
  }
}

PyMethodDef methods[] = {
    {"synchronize", synchronize, METH_NOARGS, "Waits for all work on the stream."},
    {"query", query, METH_NOARGS, "Whether all work on the stream is done."},
    {"wait_stream", wait_stream, METH_O,
     "wait_stream(stream)\n\nLater work on this stream waits for the other's present work."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    {"device", get_device, nullptr, "The stream's device.", nullptr},
    {"device_index", get_device_index, nullptr, "The index of the stream's device.", nullptr},
    {"stream_id", get_id, nullptr, "The stream's number.", nullptr},
    {"native_handle", get_handle, nullptr, "The device's own handle of the stream, as an int.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(construct)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_hash, reinterpret_cast<void*>(hash)},
    {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc,
     const_cast<char*>("Stream(device='cuda', *, priority=0)\n\nAn ordered queue of work on a device.")},
    {0, nullptr}};

PyObject* current_stream(PyObject*, PyObject* device) {
  try {
    const c10::Device d = c10::resolve_device(to_device(device));
    return from_stream(interface_of(d).current_stream(d.index()));
  } catch (...) {
    return raise_current(PACKAGE ".current_stream");
  }
}
PyObject* default_stream(PyObject*, PyObject* device) {
  try {
    const c10::Device d = c10::resolve_device(to_device(device));
    return from_stream(interface_of(d).default_stream(d.index()));
  } catch (...) {
    return raise_current(PACKAGE ".default_stream");
  }
}

// _exchange_stream(stream) -> what was current on its device
PyObject* exchange_stream(PyObject*, PyObject* stream) {
  try {
    if (!is_stream(stream)) {
      throw_error(PyExc_TypeError, "expected " PACKAGE ".Stream, got %s", type_name(stream).c_str());
    }
    return from_stream(interface_of(to_stream(stream).device()).exchange_stream(to_stream(stream)));
  } catch (...) {
    return raise_current(PACKAGE ".set_stream");
  }
}

// _external_stream(device, handle) -> Stream
PyObject* external_stream(PyObject*, PyObject* args) {
  PyObject *device, *handle;
  if (!PyArg_ParseTuple(args, "OO:_external_stream", &device, &handle)) return nullptr;
  try {
    const c10::Device d = c10::resolve_device(to_device(device));
    void* native = PyLong_AsVoidPtr(handle);
    if (PyErr_Occurred()) throw PythonError();
    return from_stream(interface_of(d).external_stream(native, d.index()));
  } catch (...) {
    return raise_current(PACKAGE ".ExternalStream");
  }
}

PyMethodDef functions[] = {{"_current_stream", current_stream, METH_O, nullptr},
                           {"_default_stream", default_stream, METH_O, nullptr},
                           {"_exchange_stream", exchange_stream, METH_O, nullptr},
                           {"_external_stream", external_stream, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* from_stream(c10::Stream s) { return new_stream_object(stream_type, s); }

int init_streams(PyObject* module) {
  PyType_Spec spec{PACKAGE ".Stream", sizeof(StreamObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                   slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  stream_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  if (PyModule_AddObject(module, "Stream", type) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
