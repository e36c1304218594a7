// Event: a point in a stream's work, for streams and the host to wait for. aten.cuda.Event is a subclass,
// written in Python.
#include "devices/devices.h"
#include "errors.h"
#include "values/values.h"

#include <c10/core/Event.h>
#include <c10/core/impl/DeviceInterface.h>

#include <memory>

namespace at::python {
namespace {

struct EventObject {
  PyObject_HEAD c10::Event* event;
};
PyTypeObject* event_type = nullptr;

c10::Event& to_event(PyObject* o) { return *reinterpret_cast<EventObject*>(o)->event; }

c10::EventFlag flag_of(bool times, bool blocking) {
  if (times) return blocking ? c10::EventFlag::BACKEND_BLOCKING : c10::EventFlag::BACKEND_DEFAULT;
  return blocking ? c10::EventFlag::PYTORCH_BLOCKING : c10::EventFlag::PYTORCH_DEFAULT;
}

PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"device", "enable_timing", "blocking", "interprocess", nullptr};
  PyObject* device = nullptr;
  int times = 0, blocking = 0, interprocess = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O$ppp:Event", const_cast<char**>(names), &device, &times,
                                   &blocking, &interprocess)) {
    return nullptr;
  }
  try {
    const bool given = device != nullptr && device != Py_None;
    if (given && !is_device_like(device)) {
      throw_error(PyExc_TypeError, "Event(): argument 'device': expected device, str or int, got %s",
                  type_name(device).c_str());
    }
    TORCH_CHECK_NOT_IMPLEMENTED(!interprocess, "Event(): events can't be shared between processes");
    auto event = std::make_unique<c10::Event>((given ? to_device(device) : c10::Device(c10::kCUDA)).type(),
                                              flag_of(times != 0, blocking != 0));
    const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
    PyObject* o = own(alloc(type, 0)).release();
    reinterpret_cast<EventObject*>(o)->event = event.release();
    return o;
  } catch (...) {
    return raise_current(PACKAGE ".Event");
  }
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<EventObject*>(self)->event;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* repr(PyObject* self) {
  return PyUnicode_FromFormat(PACKAGE ".Event device_type=%s, event_id=%p",
                              c10::Device(to_event(self).device_type()).str().c_str(),
                              to_event(self).eventId());
}

// The one optional argument of record() and wait(): a stream; by default the current device's current one.
c10::Stream stream_argument(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"stream", nullptr};
  PyObject* stream = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", const_cast<char**>(names), &stream)) {
    throw PythonError();
  }
  if (stream == nullptr || stream == Py_None) {
    const c10::Device d = c10::resolve_device(c10::Device(to_event(self).device_type()));
    return c10::device_interface(d.type()).current_stream(d.index());
  }
  if (!is_stream(stream)) {
    throw_error(PyExc_TypeError, "expected " PACKAGE ".Stream, got %s", type_name(stream).c_str());
  }
  TORCH_CHECK(to_stream(stream).device_type() == to_event(self).device_type(), "Event: of device type ",
              to_event(self).device_type(), ", but the stream is of ", to_stream(stream).device());
  return to_stream(stream);
}

PyObject* record(PyObject* self, PyObject* args, PyObject* kwargs) {
  try {
    to_event(self).record(stream_argument(self, args, kwargs));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".Event.record");
  }
}
PyObject* wait(PyObject* self, PyObject* args, PyObject* kwargs) {
  try {
    to_event(self).block(stream_argument(self, args, kwargs));
    return none();
  } catch (...) {
    return raise_current(PACKAGE ".Event.wait");
  }
}
PyObject* query(PyObject* self, PyObject*) {
  try {
    return boolean(to_event(self).query());
  } catch (...) {
    return raise_current(PACKAGE ".Event.query");
  }
}
PyObject* synchronize(PyObject* self, PyObject*) {
  try {
    const GilReleased released;
    to_event(self).synchronize();
  } catch (...) {
    return raise_current(PACKAGE ".Event.synchronize");
  }
  return none();
}
PyObject* elapsed_time(PyObject* self, PyObject* end) {
  try {
    if (!PyType_IsSubtype(Py_TYPE(end), event_type)) {
      throw_error(PyExc_TypeError, "expected " PACKAGE ".Event, got %s", type_name(end).c_str());
    }
    return PyFloat_FromDouble(to_event(self).elapsedTime(to_event(end)));
  } catch (...) {
    return raise_current(PACKAGE ".Event.elapsed_time");
  }
}

PyObject* get_device(PyObject* self, void*) {
  const c10::Event& event = to_event(self);
  return event.was_marked_for_recording()
             ? from_device(c10::Device(event.device_type(), event.device_index()))
             : none();
}
PyObject* get_id(PyObject* self, void*) { return PyLong_FromVoidPtr(to_event(self).eventId()); }

PyMethodDef keyword_method(const char* name, PyCFunctionWithKeywords f, const char* doc) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(f)), METH_VARARGS | METH_KEYWORDS, doc};
}

PyMethodDef methods[] = {
    keyword_method("record", record, "record(stream=None)\n\nMarks the end of the stream's present work."),
    keyword_method("wait", wait, "wait(stream=None)\n\nLater work on the stream waits for the event."),
    {"query", query, METH_NOARGS, "Whether the work before the event is done."},
    {"synchronize", synchronize, METH_NOARGS, "Waits for the work before the event."},
    {"elapsed_time", elapsed_time, METH_O,
     "elapsed_time(end_event) -> float\n\nMilliseconds from this event to the other."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef getters[] = {
    {"device", get_device, nullptr, "Where the event was recorded; None before that.", nullptr},
    {"event_id", get_id, nullptr, "The device's own handle of the event, as an int.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(construct)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {Py_tp_doc,
     const_cast<char*>("Event(device='cuda', *, enable_timing=False, blocking=False)\n\nA point in a "
                       "stream's work.")},
    {0, nullptr}};

}  // namespace

int init_events(PyObject* module) {
  PyType_Spec spec{PACKAGE ".Event", sizeof(EventObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  event_type = reinterpret_cast<PyTypeObject*>(type);
  Py_INCREF(type);
  return PyModule_AddObject(module, "Event", type);
}

}  // namespace at::python
