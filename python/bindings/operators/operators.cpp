// OpOverload: one operator, called with a stack of IValues.
#include "operators/op_objects.h"

#include "bindings.h"
#include "parser/keywords.h"
#include "parser/messages.h"
#include "parser/overrides.h"
#include "tensor_object.h"
#include "values/ivalues.h"
#include "values/scalars.h"

#include <structmember.h>

#include <cstddef>
#include <cstring>
#include <unordered_map>

namespace at::python {

uint64_t definitions_generation = 0;

namespace {

PyTypeObject* overload_type = nullptr;

std::string full_label(const c10::OperatorEntry& op) {
  return dotted(op.qualified_name) + "." + overload_label(op);
}

// The stack of a boxed call. Calls may be nested; memory is reused by the next call.
class CallStack {
 public:
  CallStack() : stack_(pool_size > 0 ? std::move(pool()[--pool_size]) : c10::Stack()) {}
  CallStack(const CallStack&) = delete;
  ~CallStack() {
    stack_.clear();
    if (pool_size < capacity) pool()[pool_size++] = std::move(stack_);
  }
  c10::Stack& get() { return stack_; }

 private:
  static constexpr int capacity = 8;
  // Protected by the GIL.
  static c10::Stack* pool() {
    static auto* stacks = new c10::Stack[capacity];
    return stacks;
  }
  static inline int pool_size = 0;
  c10::Stack stack_;
};

bool numbers_as_tensors(const char* name) {
  const char* const* known = numbers_as_tensors_ops;
  while (*known != nullptr && std::strcmp(*known, name) != 0) ++known;
  return *known != nullptr;
}

// Whether another overload takes a Scalar at this position. If so, a number is accepted as a tensor: a scalar
// that was converted to a tensor before it reached a mode is passed on as a number.
bool other_overload_takes_scalar(const c10::OperatorEntry& op, size_t index) {
  for (const auto& other : c10::Dispatcher::singleton().findOverloads(op.qualified_name)) {
    const auto& arguments = other.schema().arguments();
    if (index < arguments.size() && arguments[index].type().kind == c10::TypeKind::Number) return true;
  }
  return false;
}

[[noreturn]] void bad_argument(const c10::OperatorEntry& op, const ArgumentInfo& a, size_t i, bool positional,
                               PyObject* o) {
  PyErr_Clear();
  const std::string place = positional ? " (position " + std::to_string(i + 1) + ")" : std::string();
  throw_error(PyExc_TypeError, "%s(): argument '%U'%s: expected %s, got %s%s", full_label(op).c_str(), a.name,
              place.c_str(), a.argument->type().plain_str().c_str(), type_name(o).c_str(),
              exchange_hint(o).c_str());
}

void check_keywords(const c10::OperatorEntry& op, const CallInfo& info, Py_ssize_t nargs, PyObject* kwnames) {
  const auto place = [&](PyObject* name) {
    for (size_t i = 0; i < info.arguments.size(); ++i) {
      if (PyUnicode_Compare(info.arguments[i].name, name) == 0) return static_cast<Py_ssize_t>(i);
    }
    return Py_ssize_t{-1};
  };
  match_keywords(kwnames, nargs, [&] { return full_label(op); }, place, [](Py_ssize_t, Py_ssize_t) {});
}

void push_arguments(const c10::OperatorEntry& op, const CallInfo& info, PyObject* const* args,
                    Py_ssize_t nargs, PyObject* kwnames, c10::Stack& stack) {
  if (nargs > info.num_positional) {
    throw_error(PyExc_TypeError, "%s(): takes %zd positional arguments but %zd were given",
                full_label(op).c_str(), info.num_positional, nargs);
  }
  if (kwnames != nullptr) check_keywords(op, info, nargs, kwnames);
  stack.reserve(info.arguments.size());
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const ArgumentInfo& a = info.arguments[i];
    const bool positional = static_cast<Py_ssize_t>(i) < nargs;
    PyObject* o = positional ? args[i] : find_keyword(kwnames, args + nargs, a.name);
    if (o == nullptr) {
      if (!a.argument->default_value()) {
        throw_error(PyExc_TypeError, "%s(): missing required argument '%U'", full_label(op).c_str(), a.name);
      }
      stack.push_back(*a.argument->default_value());
    } else if (a.tensor && is_exact_tensor(o)) {
      stack.emplace_back(unwrap(o));
    } else if (a.tensor && o == Py_None && !a.argument->is_write()) {
      stack.emplace_back(at::Tensor());  // undefined; the kernel says where it takes none
    } else {
      const bool fit = fits(o, a.argument->type());
      const bool number = !fit && is_scalar(o) &&
                          ((a.tensor && info.numbers_as_tensors) || other_overload_takes_scalar(op, i));
      if (!fit && !number) bad_argument(op, a, i, positional, o);
      stack.push_back(to_ivalue(o, a.argument->type(), number));
    }
  }
}

// Collects the arguments whose classes override the call.
void find_overrides(PyObject* const* args, Py_ssize_t n, Overridden& found) {
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* o = args[i];
    if (is_exact_tensor(o)) continue;
    if (PyList_Check(o) || PyTuple_Check(o)) {
      const bool list = PyList_Check(o);
      const Py_ssize_t size = list ? PyList_Size(o) : PyTuple_Size(o);
      for (Py_ssize_t k = 0; k < size; ++k) {
        found.add_if_overrides(list ? PyList_GetItem(o, k) : PyTuple_GetItem(o, k));
      }
    } else {
      found.add_if_overrides(o);
    }
  }
}

Ref tuple_of(PyObject* const* args, Py_ssize_t n) {
  Ref tuple = own(PyTuple_New(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SetItem(tuple.get(), i, args[i]);
  }
  return tuple;
}

}  // namespace

std::string dotted(std::string_view name) {
  const size_t colons = name.find("::");
  return colons == std::string_view::npos
             ? std::string(name)
             : std::string(name.substr(0, colons)) + "." + std::string(name.substr(colons + 2));
}
std::string overload_label(const c10::OperatorEntry& op) {
  return *op.overload_name ? op.overload_name : "default";
}
PyObject* find_keyword(PyObject* kwnames, PyObject* const* values, PyObject* name) {
  const Py_ssize_t n = kwnames ? PyTuple_Size(kwnames) : 0;
  for (Py_ssize_t k = 0; k < n; ++k) {
    PyObject* given = PyTuple_GetItem(kwnames, k);
    if (given == name || PyUnicode_Compare(given, name) == 0) return values[k];
  }
  return nullptr;
}

CallInfo::CallInfo(const c10::OperatorEntry& op)
    : schema(op.schema()),
      generation(definitions_generation),
      numbers_as_tensors(at::python::numbers_as_tensors(op.qualified_name)) {
  for (const c10::Argument& a : schema.arguments()) {
    arguments.push_back({own(PyUnicode_InternFromString(a.name().c_str())).release(), &a,
                         a.type().kind == c10::TypeKind::Tensor});
    if (!a.kwarg_only()) ++num_positional;
  }
}

bool matches(const CallInfo& info, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (nargs > info.num_positional) return false;
  Py_ssize_t keywords = kwnames ? PyTuple_Size(kwnames) : 0;
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const ArgumentInfo& a = info.arguments[i];
    const bool positional = static_cast<Py_ssize_t>(i) < nargs;
    PyObject* o = positional ? args[i] : find_keyword(kwnames, args + nargs, a.name);
    if (o == nullptr) {
      if (!a.argument->default_value()) return false;
      continue;
    }
    if (!positional) --keywords;
    if (a.tensor && (is_exact_tensor(o) || (info.numbers_as_tensors && is_scalar(o)))) continue;
    if (!fits(o, a.argument->type())) return false;
  }
  return keywords == 0;
}

PyObject* call_overload(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  auto* object = reinterpret_cast<OverloadObject*>(self);
  const auto nargs = static_cast<Py_ssize_t>(nargsf & ~offset_flag);
  try {
    const CallInfo& info = object->call_info();
    Overridden overridden;
    find_overrides(args, nargs + (kwnames ? PyTuple_Size(kwnames) : 0), overridden);
    if (!overridden.empty() || overrides_active()) [[unlikely]] {
      const Ref tuple = tuple_of(args, nargs);
      return call_override(self, tuple.get(), keywords_of(args + nargs, kwnames).get(), overridden);
    }
    CallStack stack;
    push_arguments(*object->op, info, args, nargs, kwnames, stack.get());
    object->op->call_boxed(&stack.get());
    return from_results(stack.get(), info.schema);
  } catch (...) {
    return raise_current(full_label(*object->op).c_str());
  }
}

PyObject* return_self(PyObject* self, PyObject*) {
  Py_INCREF(self);
  return self;
}

namespace {

// overload.redispatch(keyset, *args, **kwargs)
PyObject* redispatch(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  auto* object = reinterpret_cast<OverloadObject*>(self);
  try {
    if (nargs < 1) {
      throw_error(PyExc_TypeError, "redispatch(): missing required argument 'keyset' (position 1)");
    }
    const Ref raw = own(PyNumber_Index(args[0]));
    const unsigned long long bits = PyLong_AsUnsignedLongLong(raw.get());
    if (PyErr_Occurred()) throw PythonError();
    const CallInfo& info = object->call_info();
    CallStack stack;
    push_arguments(*object->op, info, args + 1, nargs - 1, kwnames, stack.get());
    object->op->redispatch_boxed(c10::DispatchKeySet(c10::DispatchKeySet::RAW, bits), &stack.get());
    return from_results(stack.get(), info.schema);
  } catch (...) {
    return raise_current(full_label(*object->op).c_str());
  }
}

const c10::OperatorEntry& entry_of(PyObject* self) { return *reinterpret_cast<OverloadObject*>(self)->op; }

PyObject* overload_repr(PyObject* self) {
  const auto& op = entry_of(self);
  return PyUnicode_FromFormat("<OpOverload(op='%s', overload='%s')>", dotted(op.qualified_name).c_str(),
                              overload_label(op).c_str());
}
PyObject* overload_str(PyObject* self) { return PyUnicode_FromString(full_label(entry_of(self)).c_str()); }
PyObject* overload_name(PyObject* self, PyObject*) {
  const auto& op = entry_of(self);
  return PyUnicode_FromString(c10::toString(c10::OperatorName(op.qualified_name, op.overload_name)).c_str());
}
PyObject* overload_get_name(PyObject* self, void*) {
  const auto& op = entry_of(self);
  return PyUnicode_FromFormat(
      "%s.%s", dotted(op.qualified_name).substr(dotted(op.qualified_name).find('.') + 1).c_str(),
      overload_label(op).c_str());
}
PyObject* overload_get_overload(PyObject* self, void*) {
  return PyUnicode_FromString(overload_label(entry_of(self)).c_str());
}
PyObject* overload_get_namespace(PyObject* self, void*) {
  const std::string name = dotted(entry_of(self).qualified_name);
  return PyUnicode_FromString(name.substr(0, name.find('.')).c_str());
}
PyObject* overload_get_packet(PyObject* self, void*) {
  try {
    return packet_object(entry_of(self).qualified_name);
  } catch (...) {
    return raise_current();
  }
}

// The schema's Python object, created on first use; anew for what was defined at run time, and may be again.
PyObject* overload_get_schema(PyObject* self, void*) {
  auto* object = reinterpret_cast<OverloadObject*>(self);
  try {
    const bool is_linked = object->op->schema_text != nullptr;
    PyObject* known = is_linked ? PyDict_GetItemString(object->attributes, "_schema") : nullptr;
    if (known == nullptr) {
      const Ref make = import_from("_schema", "_make");
      const Ref schema = own(PyObject_CallFunctionObjArgs(make.get(), self, nullptr));
      if (is_linked) check(PyDict_SetItemString(object->attributes, "_schema", schema.get()));
      return Ref(schema).release();
    }
    Py_INCREF(known);
    return known;
  } catch (...) {
    return raise_current();
  }
}

PyObject* overload_get_tags(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(entry_of(self).tags());
}

PyObject* overload_get_tag_list(PyObject* self, void*) {
  try {
    const Ref make = import_from("_tags", "_of");
    return own(PyObject_CallFunction(make.get(), "K", entry_of(self).tags())).release();
  } catch (...) {
    return raise_current();
  }
}

PyObject* overload_reduce(PyObject* self, PyObject*) {
  try {
    const Ref get = import_from("_ops", "_overload");
    const auto& op = entry_of(self);
    return Py_BuildValue("(O(ss))", get.get(), op.qualified_name, op.overload_name);
  } catch (...) {
    return raise_current();
  }
}

PyObject* overload_has_kernel(PyObject* self, PyObject* key) {
  try {
    const auto k = c10::parseDispatchKey(utf8(key));
    return boolean(c10::OperatorHandle(entry_of(self)).hasKernelForDispatchKey(k));
  } catch (...) {
    return raise_current("has_kernel_for_dispatch_key");
  }
}

PyMethodDef overload_methods[] = {
    {"name", overload_name, METH_NOARGS, "name() -> str\n\n'aten::add.Tensor'."},
    fast_method("redispatch", redispatch,
                "redispatch(keyset, *args, **kwargs)\n\nCalls the kernel for exactly these keys."),
    {"has_kernel_for_dispatch_key", overload_has_kernel, METH_O,
     "has_kernel_for_dispatch_key(key) -> bool\n\nWas a kernel registered for exactly this key?"},
    {"__reduce__", overload_reduce, METH_NOARGS, nullptr},
    {"__deepcopy__", return_self, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef overload_properties[] = {
    {"__name__", overload_get_name, nullptr, nullptr, nullptr},
    {"_overloadname", overload_get_overload, nullptr, nullptr, nullptr},
    {"namespace", overload_get_namespace, nullptr, "'aten'", nullptr},
    {"overloadpacket", overload_get_packet, nullptr, "All overloads of the operator.", nullptr},
    {"_schema", overload_get_schema, nullptr, "The operator's schema.", nullptr},
    {"tags", overload_get_tag_list, nullptr, "What the operator promises: a list of Tag.", nullptr},
    {"_tags", overload_get_tags, nullptr, "Bit n is tag number n.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMemberDef overload_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(OverloadObject, vectorcall), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(OverloadObject, attributes), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyType_Slot overload_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_tuple<call_overload>)},
                                {Py_tp_repr, reinterpret_cast<void*>(overload_repr)},
                                {Py_tp_str, reinterpret_cast<void*>(overload_str)},
                                {Py_tp_methods, overload_methods},
                                {Py_tp_getset, overload_properties},
                                {Py_tp_members, overload_members},
                                {0, nullptr}};

std::unordered_map<const c10::OperatorEntry*, PyObject*>& overload_objects() {
  static auto* objects = new std::unordered_map<const c10::OperatorEntry*, PyObject*>();
  return *objects;
}
}  // namespace

PyTypeObject* make_callable_type(PyObject* module, const char* full_name, const char* name, int size,
                                 PyType_Slot* slots) {
  constexpr auto flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  PyType_Spec spec{full_name, size, 0, static_cast<unsigned>(flags | have_vectorcall), slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return nullptr;
  Py_INCREF(type);
  if (PyModule_AddObject(module, name, type) < 0) return nullptr;
  return reinterpret_cast<PyTypeObject*>(type);
}

PyObject* overload_object(const c10::OperatorEntry& op) {
  PyObject*& known = overload_objects()[&op];
  if (known == nullptr) {
    auto* object = new_object<OverloadObject>(overload_type, call_overload);
    object->op = &op;
    object->info = nullptr;
    known = reinterpret_cast<PyObject*>(object);
  }
  Py_INCREF(known);
  return known;
}

const c10::OperatorEntry* overload_entry(PyObject* o) {
  return Py_TYPE(o) == overload_type ? reinterpret_cast<OverloadObject*>(o)->op : nullptr;
}

int init_operators(PyObject* module) {
  overload_type = make_callable_type(module, PACKAGE "._ops.OpOverload", "OpOverload", sizeof(OverloadObject),
                                     overload_slots);
  return overload_type == nullptr ? -1 : init_packets(module);
}

}  // namespace at::python
