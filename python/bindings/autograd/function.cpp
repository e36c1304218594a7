// Function.apply(), and the backward pass of Functions.
#include "autograd/function.h"
#include "errors.h"
#include "tensor_object.h"

#include <ATen/batching/BatchedTensorImpl.h>
#include <c10/core/AutogradState.h>
#include <c10/core/GradMode.h>
#include <torch/autograd/forward.h>
#include <torch/autograd/record.h>

namespace at::python {
namespace {

// Interned names of attributes that every call looks up.
struct Names {
  PyObject* forward = PyUnicode_InternFromString("forward");
  PyObject* backward = PyUnicode_InternFromString("backward");
  PyObject* jvp = PyUnicode_InternFromString("jvp");
  PyObject* setup_context = PyUnicode_InternFromString("setup_context");
  PyObject* context_class = PyUnicode_InternFromString("_backward_cls");
  PyObject* function_class = PyUnicode_InternFromString("_forward_cls");
  PyObject* complete = PyUnicode_InternFromString("_complete_arguments");
  PyObject* has_setup = PyUnicode_InternFromString("_has_setup_context");
};
const Names& names() {
  static const Names* const the = new Names();
  return *the;
}

// Disables forward mode in its scope.
class ForwardGradDisabled {
 public:
  ForwardGradDisabled() : before_(state().get_fw_grad_mode()) { state().set_fw_grad_mode(false); }
  ForwardGradDisabled(const ForwardGradDisabled&) = delete;
  ~ForwardGradDisabled() { state().set_fw_grad_mode(before_); }

 private:
  static c10::AutogradState& state() { return c10::AutogradState::get_tls_state(); }
  bool before_;
};

Ref attribute(PyObject* o, PyObject* name) { return own(PyObject_GetAttr(o, name)); }

Ref prepended(PyObject* first, PyObject* tuple) {
  const Py_ssize_t n = PyTuple_Size(tuple);
  Ref all = own(PyTuple_New(n + 1));
  check(PyTuple_SetItem(all.get(), 0, Ref::borrow(first).release()));
  for (Py_ssize_t i = 0; i < n; ++i) {
    check(PyTuple_SetItem(all.get(), i + 1, Ref::borrow(PyTuple_GetItem(tuple, i)).release()));
  }
  return all;
}

// The state of a call of apply().
struct ApplyCall {
  PyObject* function;  // the class
  Ref arguments;       // a tuple
  Ref context;
  c10::intrusive_ptr<PyNode> node;
  variable_list inputs;  // the tensors among the arguments
  bool requires_grad = false;
  bool has_tangents = false;
  bool has_batch_rule = false;  // the class defines vmap(), and an argument is a tensor in a map
};

Ref all_arguments(PyObject* function, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  Ref tuple = own(PyTuple_New(nargs));
  for (Py_ssize_t i = 0; i < nargs; ++i) {
    check(PyTuple_SetItem(tuple.get(), i, Ref::borrow(args[i]).release()));
  }
  const bool has_keywords = kwnames != nullptr && PyTuple_Size(kwnames) > 0;
  if (!has_keywords && attribute(function, names().has_setup).get() != Py_True) return tuple;
  const Ref keywords = own(PyDict_New());
  for (Py_ssize_t k = 0; has_keywords && k < PyTuple_Size(kwnames); ++k) {
    check(PyDict_SetItem(keywords.get(), PyTuple_GetItem(kwnames, k), args[nargs + k]));
  }
  const Ref complete = attribute(function, names().complete);
  return call_object_with(complete.get(), tuple.get(), keywords.get());
}

void read_arguments(ApplyCall& call) {
  const Py_ssize_t n = PyTuple_Size(call.arguments.get());
  const Ref needed = own(PyTuple_New(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* argument = PyTuple_GetItem(call.arguments.get(), i);
    const bool tensor = is_tensor(argument);
    bool needs_grad = false;
    if (tensor) {
      const at::Tensor& t = unwrap(argument);
      needs_grad = t.requires_grad();
      call.inputs.push_back(t);
      call.has_tangents = call.has_tangents || autograd::tangent(t).defined();
    }
    call.requires_grad = call.requires_grad || needs_grad;
    call.node->add_argument(tensor);
    check(PyTuple_SetItem(needed.get(), i, boolean(needs_grad)));
  }
  call.requires_grad = call.requires_grad && c10::GradMode::is_enabled();
  if (call.requires_grad) {
    for (const at::Tensor& t : call.inputs) autograd::collect_next_edges(*call.node, t);
    if (autograd::AnomalyMode::is_enabled()) autograd::remember_forward_call(*call.node);
  }
  auto* context = reinterpret_cast<ContextObject*>(call.context.get());
  context->needs_input_grad = Ref(needed).release();
}

bool is_any_batched(const ApplyCall& call) {
  for (const at::Tensor& t : call.inputs) {
    if (at::batched_impl(t) != nullptr) return true;
  }
  return false;
}

// Whether the class defines vmap(). Without it forward() gets the tensors as they are in the map, and nothing
// is recorded in the graphs around it: what is behind a batched tensor must not be part of one.
bool has_batch_rule(const ApplyCall& call) {
  if (!is_any_batched(call)) return false;
  const Ref check_rule = import_from("autograd._batches", "has_rule");
  if (call_object_with(check_rule.get(), call.function).get() == Py_True) return true;
  for (const at::Tensor& t : call.inputs) {
    for (const at::BatchedTensorImpl* impl = at::batched_impl(t); impl != nullptr;) {
      const at::Tensor value(impl->value());
      TORCH_CHECK_NOT_IMPLEMENTED(
          !(c10::GradMode::is_enabled() && value.requires_grad()) && !autograd::tangent(value).defined(),
          call.node->name(),
          ": a Function in vmap can't be differentiated from outside of it: write it with "
          "operators, or differentiate inside of the mapped function");
      impl = at::batched_impl(value);
    }
  }
  return false;
}

// Calls vmap() for all examples, as part of the graphs around the map.
Ref run_batch_rule(const ApplyCall& call) {
  const Ref run_rule = import_from("autograd._batches", "run_rule");
  return call_object_with(run_rule.get(), call.function, call.arguments.get());
}

// Calls forward(), which returns a tuple or a single value.
Ref run_forward(const ApplyCall& call) {
  Ref returned;
  if (call.has_batch_rule) returned = run_batch_rule(call);
  const c10::AutoGradMode off(false);
  const ForwardGradDisabled no_tangents;
  const Ref forward = attribute(call.function, names().forward);
  if (attribute(call.function, names().has_setup).get() != Py_True) {
    return call_object(forward.get(), prepended(call.context.get(), call.arguments.get()).get());
  }
  if (!call.has_batch_rule) returned = call_object(forward.get(), call.arguments.get());
  const Ref setup = attribute(call.function, names().setup_context);
  call_object_with(setup.get(), call.context.get(), call.arguments.get(), returned.get());
  return returned;
}

// The tensors among the results of forward(); undefined for others.
variable_list tensors_among(PyObject* tuple) {
  variable_list tensors;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
    PyObject* item = PyTuple_GetItem(tuple, i);
    tensors.push_back(is_tensor(item) ? unwrap(item) : at::Tensor());
  }
  return tensors;
}

Ref with_tensors(PyObject* returned, variable_list&& results, bool requires_grad) {
  Ref all = own(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
  for (size_t i = 0; i < results.size(); ++i) {
    const auto place = static_cast<Py_ssize_t>(i);
    const bool tensor = results[i].defined();
    Ref item = tensor ? own(wrap(std::move(results[i]))) : Ref::borrow(PyTuple_GetItem(returned, place));
    // A reference cycle is possible: the context may refer to the result, which refers to it by its node.
    if (tensor && requires_grad) track(item.get());
    check(PyTuple_SetItem(all.get(), place, item.release()));
  }
  return all;
}

// Sets the tangents that jvp() returned.
void set_tangents(const ApplyCall& call, const variable_list& tangents, const variable_list& results) {
  auto* context = reinterpret_cast<ContextObject*>(call.context.get());
  Ref arguments = own(PyTuple_New(PyTuple_Size(call.arguments.get())));
  for (Py_ssize_t i = 0, nr = 0; i < PyTuple_Size(arguments.get()); ++i) {
    const bool tensor = is_tensor(PyTuple_GetItem(call.arguments.get(), i));
    const at::Tensor tangent = tensor ? tangents[static_cast<size_t>(nr++)] : at::Tensor();
    check(PyTuple_SetItem(arguments.get(), i, own(wrap(tangent)).release()));
  }
  const ForwardGradDisabled no_tangents;
  const Ref jvp = attribute(call.function, names().jvp);
  Ref returned = call_object(jvp.get(), prepended(call.context.get(), arguments.get()).get());
  if (!PyTuple_Check(returned.get())) returned = own(PyTuple_Pack(1, returned.get()));
  Py_CLEAR(context->saved_for_forward);
  const variable_list made = tensors_of(returned.get(), std::string(call.node->name()) + ": jvp() returned");
  TORCH_CHECK(made.size() == results.size(), call.node->name(), ": jvp() returned ", made.size(),
              " tangents, expected one for each of the ", results.size(), " results of forward()");
  for (size_t i = 0; i < results.size(); ++i) autograd::set_tangent(results[i], made[i], /*in_place=*/false);
}

variable_list tangents_of(const ApplyCall& call) {
  variable_list tangents;
  const bool zeros = call.node->context().materializes_grads();
  for (const at::Tensor& t : call.inputs) {
    tangents.push_back(zeros && (t.is_floating_point() || t.is_complex()) ? autograd::tangent_or_zeros(t)
                                                                          : autograd::tangent(t));
  }
  return tangents;
}

PyObject* run(ApplyCall& call) {
  const Ref context_class = attribute(call.function, names().context_class);
  call.context = own(PyObject_CallObject(context_class.get(), nullptr));
  if (PyType_IsSubtype(Py_TYPE(call.context.get()), context_type) == 0) {
    throw_error(PyExc_TypeError, "_backward_cls must derive from FunctionCtx");
  }
  call.node = c10::make_intrusive<PyNode>();
  call.node->attach(reinterpret_cast<ContextObject*>(call.context.get()), type_name(call.context.get()));
  read_arguments(call);
  call.has_batch_rule = has_batch_rule(call);
  Ref returned = run_forward(call);
  const bool single = !PyTuple_Check(returned.get());
  if (single) returned = own(PyTuple_Pack(1, returned.get()));
  variable_list tangents = call.has_tangents ? tangents_of(call) : variable_list();
  variable_list results = call.node->record(call.inputs, tensors_among(returned.get()), call.requires_grad);
  if (call.has_tangents) set_tangents(call, tangents, results);
  if (call.requires_grad) call.node->own_context();
  const Ref all = with_tensors(returned.get(), std::move(results), call.requires_grad);
  return Ref(single ? Ref::borrow(PyTuple_GetItem(all.get(), 0)) : all).release();
}

PyObject* apply(PyObject* function, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  try {
    ApplyCall call{function, all_arguments(function, args, nargs, kwnames), {}, {}, {}};
    return run(call);
  } catch (...) {
    const Ref name = Ref::steal(PyObject_GetAttrString(function, "__name__"));
    if (!name) PyErr_Clear();
    return raise_current(name && PyUnicode_Check(name.get()) ? utf8(name.get()) : "Function");
  }
}

PyMethodDef function_methods[] = {
    fast_method("apply", apply, "apply(*args)\n\nRuns forward() and records a node that runs backward().",
                METH_CLASS),
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot function_slots[] = {{Py_tp_methods, function_methods}, {0, nullptr}};

}  // namespace

// -------------------- backward

variable_list PyNode::gradients_of(PyObject* returned) const {
  const auto expected = static_cast<Py_ssize_t>(is_tensor_.size());
  const Py_ssize_t n = PyTuple_Size(returned);
  bool only_none = true;
  for (Py_ssize_t i = expected; i < n; ++i) only_none = only_none && PyTuple_GetItem(returned, i) == Py_None;
  TORCH_CHECK(n >= expected && only_none, "function ", name(),
              " returned an incorrect number of gradients (expected ", expected, ", got ", n, ")");
  variable_list gradients;
  for (Py_ssize_t i = 0; i < expected; ++i) {
    PyObject* item = PyTuple_GetItem(returned, i);
    const bool none = item == Py_None;
    if (!none && !is_tensor(item)) {
      throw_error(PyExc_TypeError,
                  "function %s returned a gradient of type %s at position %zd: expected Tensor or None",
                  name(), type_name(item).c_str(), i + 1);
    }
    TORCH_CHECK(none || is_tensor_[static_cast<size_t>(i)], "function ", name(),
                " returned a gradient different than None at position ", i + 1,
                ", but the corresponding forward input was not a Variable");
    gradients.push_back(none ? at::Tensor() : unwrap(item));
  }
  return gradients;
}

variable_list PyNode::run_backward(variable_list grads) {
  const GilAcquire gil;
  TORCH_CHECK(object_ != nullptr, name(), ": the context of this call was already destroyed");
  const Ref context = Ref::borrow(reinterpret_cast<PyObject*>(object_));
  const Ref function = attribute(context.get(), names().function_class);
  const Ref backward = attribute(function.get(), names().backward);
  const Ref arguments = prepended(context.get(), tuple_of(grads).get());
  grads.clear();
  Ref returned = call_object(backward.get(), arguments.get());
  if (!PyTuple_Check(returned.get())) returned = own(PyTuple_Pack(1, returned.get()));
  return gradients_of(returned.get());
}

int init_functions(PyObject* module) {
  if (init_contexts(module) < 0) return -1;
  PyType_Spec spec{PACKAGE "._C._FunctionBase", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                   function_slots};
  PyObject* type = PyType_FromSpec(&spec);
  return type == nullptr ? -1 : PyModule_AddObject(module, "_FunctionBase", type);
}

}  // namespace at::python
