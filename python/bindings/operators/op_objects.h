// The objects in aten.ops: OpOverload calls one overload, OpOverloadPacket the first one that matches.
#pragma once
#include "errors.h"
#include "operators/operators.h"
#include "prelude.h"

#include <ATen/core/function_schema.h>

#include <string>
#include <string_view>
#include <vector>

namespace at::python {

/// Vectorcall is in the limited API since 3.12, but unchanged since 3.8.
using VectorCall = PyObject* (*)(PyObject*, PyObject* const*, size_t, PyObject*);
inline constexpr unsigned long have_vectorcall = 1UL << 11;
inline constexpr size_t offset_flag = size_t{1} << (8 * sizeof(size_t) - 1);

struct ArgumentInfo {
  PyObject* name;
  const c10::Argument* argument;
  bool tensor;
};

// The parts of an operator's schema that a call needs.
struct CallInfo {
  explicit CallInfo(const c10::OperatorEntry& op);
  const c10::FunctionSchema schema;
  const uint64_t generation;
  const bool numbers_as_tensors;
  std::vector<ArgumentInfo> arguments;
  Py_ssize_t num_positional = 0;
};

struct OverloadObject {
  PyObject_HEAD VectorCall vectorcall;
  const c10::OperatorEntry* op;
  CallInfo* info;  // created on first use
  PyObject* attributes;
  // An operator defined at run time may have been redefined. The old CallInfo is kept for calls in progress.
  const CallInfo& call_info() {
    const bool stale =
        info != nullptr && op->schema_text == nullptr && info->generation != definitions_generation;
    if (info == nullptr || stale) [[unlikely]] {
      info = new CallInfo(*op);
    }
    return *info;
  }
};

/// "aten.add" of "aten::add".
std::string dotted(std::string_view name);
/// "Tensor", or "default".
std::string overload_label(const c10::OperatorEntry& op);

/// The value of a keyword argument; null if it was not passed.
PyObject* find_keyword(PyObject* kwnames, PyObject* const* values, PyObject* name);
/// Whether the overload accepts the arguments, by their number and types.
bool matches(const CallInfo& info, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
PyObject* call_overload(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames);
/// A new reference to an operator's packet; null, without an error, if it has no overload.
PyObject* packet_object(const std::string& name);
PyObject* return_self(PyObject* self, PyObject*);

/// A type whose instances have a `vectorcall` and `attributes`; added to the module.
PyTypeObject* make_callable_type(PyObject* module, const char* full_name, const char* name, int size,
                                 PyType_Slot* slots);
int init_packets(PyObject* module);

/// An instance of such a type.
template <class Object>
Object* new_object(PyTypeObject* type, VectorCall call) {
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  auto* object = reinterpret_cast<Object*>(own(alloc(type, 0)).release());
  object->vectorcall = call;
  object->attributes = own(PyDict_New()).release();
  return object;
}

/// tp_call, for callers that don't use vectorcall.
template <VectorCall f>
PyObject* call_tuple(PyObject* self, PyObject* args, PyObject* kwargs) {
  try {
    std::vector<PyObject*> values;
    for (Py_ssize_t i = 0; i < PyTuple_Size(args); ++i) values.push_back(PyTuple_GetItem(args, i));
    const size_t nargs = values.size();
    const Ref names = kwargs && PyDict_Size(kwargs) > 0 ? own(PyTuple_New(PyDict_Size(kwargs))) : Ref();
    PyObject *key, *value;
    Py_ssize_t position = 0, k = 0;
    while (names && PyDict_Next(kwargs, &position, &key, &value)) {
      Py_INCREF(key);
      PyTuple_SetItem(names.get(), k++, key);
      values.push_back(value);
    }
    return f(self, values.data(), nargs, names.get());
  } catch (...) {
    return raise_current();
  }
}

}  // namespace at::python
