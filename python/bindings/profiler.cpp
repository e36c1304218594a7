// Recording a thread's calls: what profiler.profile and record_function are made of.
#include "errors.h"
#include "state.h"
#include "values/values.h"

#include <ATen/profiler/Profiler.h>

#include <unistd.h>

namespace at::python {
namespace {

using profiler::Event;
using profiler::Input;

// _profiler_start(record_shapes, profile_memory)
PyObject* start(PyObject*, PyObject* args) {
  int shapes = 0, memory = 0;
  if (!PyArg_ParseTuple(args, "pp:_profiler_start", &shapes, &memory)) return nullptr;
  try {
    profiler::start_recording(shapes != 0, memory != 0);
    return none();
  } catch (...) {
    return raise_current();
  }
}

Ref integers(const std::vector<int64_t>& values) {
  Ref list = own(PyList_New(0));
  for (const int64_t value : values) check(PyList_Append(list.get(), own(PyLong_FromLongLong(value)).get()));
  return list;
}

// (type, sizes): those of a tensor, a list of them for a list of tensors, and [] for other arguments.
Ref input_object(const Input& input) {
  Ref sizes = own(PyList_New(0));
  if (!input.is_list && !input.sizes.empty()) {
    sizes = integers(input.sizes[0]);
  } else {
    for (const auto& each : input.sizes) check(PyList_Append(sizes.get(), integers(each).get()));
  }
  return own(Py_BuildValue("(sO)", input.type.c_str(), sizes.get()));
}

// (name, kind, parent, start, end, inputs)
Ref event_object(const Event& event) {
  const Ref inputs = own(PyList_New(0));
  for (const Input& input : event.inputs) check(PyList_Append(inputs.get(), input_object(input).get()));
  return own(Py_BuildValue("(siiLLO)", event.name, static_cast<int>(event.kind),
                           static_cast<int>(event.parent), static_cast<long long>(event.start_ns),
                           static_cast<long long>(event.end_ns), inputs.get()));
}

// _profiler_stop() -> (thread, end, events, [(time, bytes, address, event), ...])
PyObject* stop(PyObject*, PyObject*) {
  try {
    const profiler::Recording recording = profiler::stop_recording();
    const Ref events = own(PyList_New(0)), memory = own(PyList_New(0));
    for (const Event& event : recording.events) check(PyList_Append(events.get(), event_object(event).get()));
    for (const profiler::MemoryEvent& each : recording.memory) {
      const Ref row = own(
          Py_BuildValue("(LLKi)", static_cast<long long>(each.time_ns), static_cast<long long>(each.bytes),
                        static_cast<unsigned long long>(each.address), static_cast<int>(each.event)));
      check(PyList_Append(memory.get(), row.get()));
    }
    return Py_BuildValue("(iLOO)", static_cast<int>(::gettid()), static_cast<long long>(recording.stopped_ns),
                         events.get(), memory.get());
  } catch (...) {
    return raise_current();
  }
}

PyObject* begin(PyObject*, PyObject* name) {
  try {
    if (!profiler::is_recording()) return PyLong_FromLong(-1);
    return PyLong_FromLongLong(profiler::begin_range(profiler::EventKind::Range, std::string(utf8(name))));
  } catch (...) {
    return raise_current();
  }
}

PyObject* end(PyObject*, PyObject* index) {
  const long long value = PyLong_AsLongLong(index);
  if (value == -1 && PyErr_Occurred()) return nullptr;
  profiler::end_range(value);
  return none();
}

PyObject* now(PyObject*, PyObject*) { return PyLong_FromLongLong(profiler::now_ns()); }
PyObject* active(PyObject*, PyObject*) { return boolean(profiler::is_recording()); }

PyMethodDef functions[] = {{"_profiler_start", start, METH_VARARGS, nullptr},
                           {"_profiler_stop", stop, METH_NOARGS, nullptr},
                           {"_profiler_begin", begin, METH_O, nullptr},
                           {"_profiler_end", end, METH_O, nullptr},
                           {"_profiler_now", now, METH_NOARGS, nullptr},
                           {"_profiler_enabled", active, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

int init_profiler(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace at::python
