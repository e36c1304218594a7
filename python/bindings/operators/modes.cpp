// __torch_dispatch__: modes, below autograd (Python key) or above everything (PreDispatch key), and tensor
// subclasses.
#include "errors.h"
#include "operators/operators.h"
#include "tensor_object.h"
#include "values/ivalues.h"

#include <ATen/core/PythonModes.h>
#include <ATen/core/stack.h>

#include <string>
#include <vector>

namespace at::python {
namespace {

PyObject* dispatch_name = nullptr;

// The active modes of a thread, the innermost last. The list is created on first use and never freed (it is
// empty at thread exit).
struct ModeStack {
  PyObject* list = nullptr;
  void (*set_active)(bool);

  Py_ssize_t size() const { return list ? PyList_Size(list) : 0; }
  void push(PyObject* mode) {
    if (list == nullptr) list = own(PyList_New(0)).release();
    check(PyList_Append(list, mode));
    set_active(true);
  }
  Ref pop() {
    const Py_ssize_t n = size();
    if (n == 0) throw_error(PyExc_RuntimeError, "no mode of this kind is active");
    Ref mode = Ref::borrow(PyList_GetItem(list, n - 1));
    check(PyList_SetSlice(list, n - 1, n, nullptr));
    set_active(n > 1);
    return mode;
  }
};
thread_local ModeStack dispatch_modes{nullptr, &at::impl::set_python_modes_active};
thread_local ModeStack pre_dispatch_modes{nullptr, &at::impl::set_pre_dispatch_modes_active};

// Removes the innermost mode from the stack while it handles a call.
class WithoutMode {
 public:
  explicit WithoutMode(ModeStack& stack) : stack_(stack), mode_(stack.pop()) {}
  WithoutMode(const WithoutMode&) = delete;
  ~WithoutMode() {
    try {
      stack_.push(mode_.get());
    } catch (...) {
      PyErr_Clear();
    }
  }
  PyObject* mode() const { return mode_.get(); }

 private:
  ModeStack& stack_;
  Ref mode_;
};

// Collects the tensor arguments whose classes have __torch_dispatch__: one for each class, subclasses first.
void collect(const c10::IValue& value, std::vector<Ref>& found) {
  if (value.isList()) {
    for (const c10::IValue& e : value.toListRef()) collect(e, found);
    return;
  }
  if (!value.isTensor() || !value.toTensorBase().defined() ||
      !value.toTensorBase().key_set().has(c10::DispatchKey::Python)) {
    return;
  }
  Ref object = own(wrap(value.toTensor()));
  PyTypeObject* type = Py_TYPE(object.get());
  if (!overrides_dispatch(type)) return;
  auto place = found.end();
  for (auto it = found.begin(); it != found.end(); ++it) {
    if (Py_TYPE(it->get()) == type) return;
    if (place == found.end() && PyType_IsSubtype(type, Py_TYPE(it->get()))) place = it;
  }
  found.insert(place, std::move(object));
}

Ref types_of(const std::vector<Ref>& objects) {
  Ref types = own(PyTuple_New(static_cast<Py_ssize_t>(objects.size())));
  for (size_t i = 0; i < objects.size(); ++i) {
    auto* type = reinterpret_cast<PyObject*>(Py_TYPE(objects[i].get()));
    Py_INCREF(type);
    PyTuple_SetItem(types.get(), static_cast<Py_ssize_t>(i), type);
  }
  return types;
}

Ref call_torch_dispatch(PyObject* target, PyObject* func, PyObject* types, const PythonArguments& arguments) {
  const Ref method = own(PyObject_GetAttr(target, dispatch_name));
  return own(PyObject_CallFunctionObjArgs(method.get(), func, types, arguments.args.get(),
                                          arguments.kwargs.get(), nullptr));
}

void finish(const c10::FunctionSchema& schema, PyObject* result, c10::Stack* stack) {
  torch::jit::drop(stack, schema.arguments().size());
  push_results(schema, result, stack);
}

void handle(const c10::OperatorHandle& op, c10::Stack* stack, ModeStack& modes, bool ask_subclasses) {
  GilAcquire gil;
  const c10::FunctionSchema& schema = op.schema();
  const auto values = torch::jit::last(*stack, schema.arguments().size());
  std::vector<Ref> subclasses;
  if (ask_subclasses) {
    for (const c10::IValue& v : values) collect(v, subclasses);
  }
  const Ref func = own(overload_object(op.entry()));
  const Ref types = types_of(subclasses);
  const PythonArguments arguments = python_arguments(schema, values);
  if (modes.size() > 0) {
    const WithoutMode aside(modes);
    const Ref result = call_torch_dispatch(aside.mode(), func.get(), types.get(), arguments);
    if (result.get() != Py_NotImplemented) return finish(schema, result.get(), stack);
  }
  for (const Ref& object : subclasses) {
    const Ref result = call_torch_dispatch(reinterpret_cast<PyObject*>(Py_TYPE(object.get())), func.get(),
                                           types.get(), arguments);
    if (result.get() != Py_NotImplemented) return finish(schema, result.get(), stack);
  }
  throw_error(PyExc_TypeError, "no implementation of '%S' on types that implement __torch_dispatch__: %R",
              func.get(), types.get());
}

void dispatch(const c10::OperatorHandle& op, c10::DispatchKeySet, c10::Stack* stack) {
  handle(op, stack, dispatch_modes, true);
}
void pre_dispatch(const c10::OperatorHandle& op, c10::DispatchKeySet, c10::Stack* stack) {
  handle(op, stack, pre_dispatch_modes, false);
}
constexpr at::impl::PythonModeHooks hooks{dispatch, pre_dispatch};

ModeStack& stack_for(PyObject* pre) {
  return PyObject_IsTrue(pre) == 1 ? pre_dispatch_modes : dispatch_modes;
}

// _push_dispatch_mode(mode, pre_dispatch)
PyObject* push_mode(PyObject*, PyObject* args) {
  PyObject *mode, *pre;
  if (!PyArg_ParseTuple(args, "OO:_push_dispatch_mode", &mode, &pre)) return nullptr;
  try {
    stack_for(pre).push(mode);
    return none();
  } catch (...) {
    return raise_current();
  }
}

PyObject* pop_mode(PyObject*, PyObject* pre) {
  try {
    return stack_for(pre).pop().release();
  } catch (...) {
    return raise_current();
  }
}

PyObject* modes(PyObject*, PyObject* pre) {
  const ModeStack& stack = stack_for(pre);
  return stack.list ? PySequence_List(stack.list) : PyList_New(0);
}

PyMethodDef functions[] = {{"_push_dispatch_mode", push_mode, METH_VARARGS, nullptr},
                           {"_pop_dispatch_mode", pop_mode, METH_O, nullptr},
                           {"_dispatch_modes", modes, METH_O, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool overrides_dispatch(PyTypeObject* type) {
  const Ref method = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), dispatch_name));
  if (!method) PyErr_Clear();
  return method && method.get() != Py_None;
}

int init_modes(PyObject* module) {
  dispatch_name = PyUnicode_InternFromString("__torch_dispatch__");
  if (dispatch_name == nullptr) return -1;
  at::impl::set_python_mode_hooks(&hooks);
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
