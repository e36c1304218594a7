// OpOverloadPacket: all overloads of an operator; a call selects the first that matches.
#include "operators/op_objects.h"
#include "parser/messages.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace at::python {
namespace {

struct PacketObject {
  PyObject_HEAD VectorCall vectorcall;
  std::string* name;                  // "aten::add"
  std::vector<PyObject*>* overloads;  // as of the last lookup; immortal
  PyObject* attributes;
};

PyTypeObject* packet_type = nullptr;

std::unordered_map<std::string, PyObject*>& packet_objects() {
  static auto* objects = new std::unordered_map<std::string, PyObject*>();
  return *objects;
}

// In the order in which a call tries them: the one without an overload name, then by declaration.
std::vector<c10::OperatorHandle> overloads_of(const std::string& name) {
  auto found = c10::Dispatcher::singleton().findOverloads(name);
  std::stable_partition(found.begin(), found.end(),
                        [](const auto& handle) { return *handle.entry().overload_name == '\0'; });
  return found;
}

void look_up(PacketObject* packet) {
  packet->overloads->clear();
  for (const auto& handle : overloads_of(*packet->name)) {
    packet->overloads->push_back(overload_object(handle.entry()));
  }
}

// A line for each argument that is a tensor of another library.
std::string exchange_hints(PyObject* const* args, Py_ssize_t n) {
  std::string text;
  for (Py_ssize_t i = 0; i < n; ++i) {
    const std::string hint = exchange_hint(args[i]);
    if (!hint.empty()) {
      text += "\nArgument " + std::to_string(i + 1) + " is a " + type_name(args[i]) + hint + ".";
    }
  }
  return text;
}

PyObject* call_packet(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const std::string& name = *reinterpret_cast<PacketObject*>(self)->name;
  const auto nargs = static_cast<Py_ssize_t>(nargsf & ~offset_flag);
  auto* packet = reinterpret_cast<PacketObject*>(self);
  try {
    for (const bool again : {false, true}) {
      if (again || packet->overloads->empty()) look_up(packet);
      for (PyObject* object : *packet->overloads) {
        auto* overload = reinterpret_cast<OverloadObject*>(object);
        if (!overload->op->has_schema()) continue;  // its definition was removed
        if (packet->overloads->size() == 1 || matches(overload->call_info(), args, nargs, kwnames)) {
          return call_overload(object, args, nargsf, kwnames);
        }
      }
    }
    std::string text = dotted(name) + "(): no overload takes these arguments; there are:";
    for (const auto& handle : overloads_of(name)) text += "\n * " + handle.schema().str();
    text += exchange_hints(args, nargs + (kwnames ? PyTuple_Size(kwnames) : 0));
    throw_error(PyExc_TypeError, "%s", text.c_str());
  } catch (...) {
    return raise_current(dotted(name).c_str());
  }
}

const std::string& packet_name(PyObject* self) { return *reinterpret_cast<PacketObject*>(self)->name; }

PyObject* packet_repr(PyObject* self) {
  return PyUnicode_FromFormat("<OpOverloadPacket(op='%s')>", dotted(packet_name(self)).c_str());
}
PyObject* packet_str(PyObject* self) { return PyUnicode_FromString(dotted(packet_name(self)).c_str()); }
PyObject* packet_get_name(PyObject* self, void*) {
  const std::string name = dotted(packet_name(self));
  return PyUnicode_FromString(name.substr(name.find('.') + 1).c_str());
}
PyObject* packet_get_qualified(PyObject* self, void*) {
  return PyUnicode_FromString(packet_name(self).c_str());
}

PyObject* packet_overloads(PyObject* self, PyObject*) {
  try {
    Ref list = own(PyList_New(0));
    for (const auto& handle : overloads_of(packet_name(self))) {
      check(
          PyList_Append(list.get(), own(PyUnicode_FromString(overload_label(handle.entry()).c_str())).get()));
    }
    return list.release();
  } catch (...) {
    return raise_current();
  }
}

PyObject* packet_dir(PyObject* self, PyObject*) {
  try {
    Ref names = own(packet_overloads(self, nullptr));
    const Ref own_names = own(PyObject_Dir(reinterpret_cast<PyObject*>(packet_type)));
    return own(PySequence_Concat(names.get(), own_names.get())).release();
  } catch (...) {
    return raise_current();
  }
}

PyObject* packet_iter(PyObject* self) {
  const Ref names = Ref::steal(packet_overloads(self, nullptr));
  return names ? PyObject_GetIter(names.get()) : nullptr;
}

// Looks up attributes of the packet, then overloads.
PyObject* packet_getattr(PyObject* self, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found != nullptr || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  PyErr_Clear();
  try {
    const std::string overload = utf8(name);
    const auto handle =
        c10::Dispatcher::singleton().findSchema({packet_name(self), overload == "default" ? "" : overload});
    if (!handle) {
      throw_error(PyExc_AttributeError, "The underlying op of '%s' has no overload name '%s'",
                  dotted(packet_name(self)).c_str(), overload.c_str());
    }
    Ref object = own(overload_object(handle->entry()));
    check(PyDict_SetItem(reinterpret_cast<PacketObject*>(self)->attributes, name, object.get()));
    return object.release();
  } catch (...) {
    return raise_current();
  }
}

PyObject* packet_reduce(PyObject* self, PyObject*) {
  try {
    const Ref get = import_from("_ops", "_packet");
    return Py_BuildValue("(O(s))", get.get(), packet_name(self).c_str());
  } catch (...) {
    return raise_current();
  }
}

PyMethodDef packet_methods[] = {{"overloads", packet_overloads, METH_NOARGS, "overloads() -> list of str"},
                                {"__dir__", packet_dir, METH_NOARGS, nullptr},
                                {"__reduce__", packet_reduce, METH_NOARGS, nullptr},
                                {"__deepcopy__", return_self, METH_O, nullptr},
                                {nullptr, nullptr, 0, nullptr}};
PyGetSetDef packet_properties[] = {{"__name__", packet_get_name, nullptr, nullptr, nullptr},
                                   {"_qualified_op_name", packet_get_qualified, nullptr, nullptr, nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMemberDef packet_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(PacketObject, vectorcall), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(PacketObject, attributes), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyType_Slot packet_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_tuple<call_packet>)},
                              {Py_tp_repr, reinterpret_cast<void*>(packet_repr)},
                              {Py_tp_str, reinterpret_cast<void*>(packet_str)},
                              {Py_tp_iter, reinterpret_cast<void*>(packet_iter)},
                              {Py_tp_getattro, reinterpret_cast<void*>(packet_getattr)},
                              {Py_tp_methods, packet_methods},
                              {Py_tp_getset, packet_properties},
                              {Py_tp_members, packet_members},
                              {0, nullptr}};

// _packet("aten::add") -> OpOverloadPacket or None
PyObject* get_packet(PyObject*, PyObject* name) {
  try {
    PyObject* packet = packet_object(utf8(name));
    return packet ? packet : none();
  } catch (...) {
    return raise_current();
  }
}

}  // namespace

PyObject* packet_object(const std::string& name) {
  PyObject*& known = packet_objects()[name];
  if (known == nullptr) {
    if (c10::Dispatcher::singleton().findOverloads(name).empty()) return nullptr;
    auto* packet = new_object<PacketObject>(packet_type, call_packet);
    packet->name = new std::string(name);
    packet->overloads = new std::vector<PyObject*>();
    known = reinterpret_cast<PyObject*>(packet);
  }
  Py_INCREF(known);
  return known;
}

int init_packets(PyObject* module) {
  static PyMethodDef functions[] = {{"_packet", get_packet, METH_O, nullptr}, {nullptr, nullptr, 0, nullptr}};
  packet_type = make_callable_type(module, PACKAGE "._ops.OpOverloadPacket", "OpOverloadPacket",
                                   sizeof(PacketObject), packet_slots);
  return packet_type == nullptr ? -1 : PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
