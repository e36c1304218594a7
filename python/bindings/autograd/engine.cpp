// backward() and grad(): the Python interface of the engine.
#include "autograd/autograd.h"
#include "errors.h"
#include "parser/keywords.h"
#include "parser/overrides.h"
#include "parser/parser.h"
#include "tensor_object.h"

#include <torch/autograd/engine.h>

#include <ATen/ops/fill.h>

#include <array>
#include <optional>
#include <string_view>

namespace at::python {
namespace {

// -------------------- arguments

template <size_t N>
struct Signature {
  const Function function;  // for messages and overrides; has no overload table
  size_t num_required;
  std::array<const char*, N> names;
};

template <size_t N>
Py_ssize_t find_name(const Signature<N>& signature, PyObject* name) {
  for (size_t i = 0; i < N; ++i) {
    if (PyUnicode_CompareWithASCIIString(name, signature.names[i]) == 0) return static_cast<Py_ssize_t>(i);
  }
  return -1;
}

/// The arguments of a call in the order of the names; null for those not passed.
template <size_t N>
std::array<PyObject*, N> take(const Signature<N>& signature, PyObject* const* args, Py_ssize_t nargs,
                              PyObject* kwnames) {
  std::array<PyObject*, N> taken{};
  if (static_cast<size_t>(nargs) > N) {
    throw_error(PyExc_TypeError, "%s(): takes up to %zu arguments, got %zd", signature.function.prefix, N,
                nargs);
  }
  for (Py_ssize_t i = 0; i < nargs; ++i) taken[static_cast<size_t>(i)] = args[i];
  match_keywords(
      kwnames, nargs, [&] { return signature.function.prefix; },
      [&](PyObject* name) { return find_name(signature, name); },
      [&](Py_ssize_t place, Py_ssize_t k) { taken[static_cast<size_t>(place)] = args[nargs + k]; });
  for (size_t i = 0; i < signature.num_required; ++i) {
    if (taken[i] == nullptr) {
      throw_error(PyExc_TypeError, "%s(): missing argument '%s'", signature.function.prefix,
                  signature.names[i]);
    }
  }
  return taken;
}

bool is_given(PyObject* o) { return o != nullptr && o != Py_None; }

bool truth(PyObject* o) {
  if (!is_given(o)) return false;
  const int value = PyObject_IsTrue(o);
  check(value);
  return value != 0;
}
std::optional<bool> optional_truth(PyObject* o) {
  return is_given(o) ? std::optional<bool>(truth(o)) : std::nullopt;
}

// -------------------- roots and inputs: tensors or edges of the graph

/// autograd.graph.GradientEdge, or another tuple that begins with a node.
bool is_edge(PyObject* o) {
  return PyTuple_Check(o) && PyTuple_Size(o) >= 2 && is_node(PyTuple_GetItem(o, 0));
}

autograd::Edge to_edge(PyObject* o) {
  NodePtr node = node_of(PyTuple_GetItem(o, 0));
  const unsigned long nr = PyLong_AsUnsignedLong(PyTuple_GetItem(o, 1));
  if (PyErr_Occurred()) throw PythonError();
  TORCH_CHECK_INDEX(nr < std::max<size_t>(node->num_inputs(), 1), "GradientEdge: ", node->name(), " has ",
                    node->num_inputs(), " inputs, index ", nr, " is out of range");
  return {std::move(node), static_cast<uint32_t>(nr)};
}

struct TensorsOrEdges {
  variable_list tensors;      // undefined for edges
  autograd::edge_list edges;  // as many; valid only for edges until as_edges()
  bool has_edges = false;

  void add(PyObject* o, const char* what) {
    if (is_tensor(o)) {
      tensors.push_back(unwrap(o));
      edges.emplace_back();
    } else if (is_edge(o)) {
      tensors.emplace_back();
      edges.push_back(to_edge(o));
      has_edges = true;
    } else {
      throw_error(PyExc_TypeError,
                  "argument '%s': expected Tensor or GradientEdge, or a sequence of them, got %s", what,
                  type_name(o).c_str());
    }
  }
  /// The edges of all tensors and edges.
  const autograd::edge_list& as_edges() {
    for (size_t i = 0; i < edges.size(); ++i) {
      if (!edges[i].is_valid()) edges[i] = autograd::gradient_edge(tensors[i]);
      TORCH_CHECK(edges[i].is_valid(), "element ", i,
                  " of tensors does not require grad and does not have a grad_fn");
    }
    return edges;
  }
};

TensorsOrEdges read_tensors_or_edges(PyObject* o, const char* what) {
  TensorsOrEdges ends;
  if (is_tensor(o) || is_edge(o)) {
    ends.add(o, what);
    return ends;
  }
  const Ref iterator = Ref::steal(PyObject_GetIter(o));
  if (!iterator) {
    PyErr_Clear();
    ends.add(o, what);
  }
  while (const Ref item = Ref::steal(PyIter_Next(iterator.get()))) ends.add(item.get(), what);
  if (PyErr_Occurred()) throw PythonError();
  return ends;
}

/// The gradients of the roots, undefined for None; empty if the argument is None.
variable_list read_gradients(PyObject* o, const char* what) {
  if (!is_given(o)) return {};
  if (is_tensor(o)) return {unwrap(o)};
  const Ref items = Ref::steal(PySequence_Tuple(o));
  if (!items) {
    PyErr_Clear();
    throw_error(PyExc_TypeError,
                "argument '%s': expected Tensor, a sequence of Tensor or None, or None, got %s", what,
                type_name(o).c_str());
  }
  return tensors_of(items.get(), std::string("argument '") + what + "': got");
}

// Collects the arguments that override the call by __torch_function__.
void add_overrides(Overridden& overridden, PyObject* o) {
  if (o == nullptr || is_exact_tensor(o)) return;
  if (is_tensor(o)) {
    overridden.add_if_overrides(o);
  } else if ((PyTuple_Check(o) && !is_edge(o)) || PyList_Check(o)) {
    for (Py_ssize_t i = 0; i < PySequence_Size(o); ++i) {
      add_overrides(overridden, own(PySequence_GetItem(o, i)).get());
    }
  }
}

template <size_t N>
PyObject* overridden_call(const Signature<N>& signature, const std::array<PyObject*, N>& taken,
                          const Call& call) {
  Overridden overridden;
  add_overrides(overridden, call.self);
  for (PyObject* o : taken) add_overrides(overridden, o);
  if (overridden.empty() && !overrides_active()) return nullptr;
  return call_override(signature.function, call, overridden);
}

// -------------------- backward passes with edges

at::Tensor implicit_gradient(const autograd::Edge& root) {
  const autograd::InputMetadata* metadata =
      root.input_nr < root.function->num_inputs() ? &root.function->input_metadata(root.input_nr) : nullptr;
  TORCH_CHECK(metadata != nullptr && metadata->defined,
              "grad can be implicitly created only for outputs of known shape");
  at::Tensor ones = metadata->zeros();
  TORCH_CHECK(ones.numel() == 1, "grad can be implicitly created only for scalar outputs");
  return ones.fill_(1);
}

variable_list explicit_gradients(const autograd::edge_list& roots, variable_list&& gradients) {
  TORCH_CHECK(gradients.empty() || gradients.size() == roots.size(), "got ", roots.size(), " tensors and ",
              gradients.size(), " gradients");
  gradients.resize(roots.size());
  for (size_t i = 0; i < roots.size(); ++i) {
    if (!gradients[i].defined()) gradients[i] = implicit_gradient(roots[i]);
    const auto& expected = roots[i].function->input_metadata(roots[i].input_nr);
    if (!expected.defined) continue;
    TORCH_CHECK(gradients[i].sizes() == c10::IntArrayRef(expected.sizes), "Mismatch in shape: gradient ", i,
                " has a shape of ", gradients[i].sizes(), " and the edge's output one of ",
                c10::IntArrayRef(expected.sizes), ".");
    TORCH_CHECK(gradients[i].device() == expected.device, "Mismatch in device: gradient ", i, " is on ",
                gradients[i].device(), " and the edge's output on ", expected.device, ".");
  }
  return std::move(gradients);
}

struct Run {
  TensorsOrEdges roots, inputs;
  variable_list gradients;
  autograd::GradOptions options;
  bool by_edges() const { return roots.has_edges || inputs.has_edges; }
};

variable_list run_edges(Run& run, bool accumulate) {
  const autograd::edge_list& roots = run.roots.as_edges();
  const autograd::edge_list& inputs = run.inputs.as_edges();
  variable_list gradients = explicit_gradients(roots, std::move(run.gradients));
  const bool retain = run.options.retain_graph.value_or(run.options.create_graph);
  const GilReleased released;
  return autograd::run_backward(roots, std::move(gradients), retain, run.options.create_graph, inputs,
                                accumulate);
}

void run_backward(Run& run) {
  if (run.by_edges()) {
    for (const at::Tensor& t : run.inputs.tensors) {
      if (t.defined()) autograd::retain_grad(t);
    }
    run_edges(run, /*accumulate=*/true);
    return;
  }
  const GilReleased released;
  autograd::backward(run.roots.tensors, run.gradients, run.options, run.inputs.tensors);
}

void finish_unused(const Run& run, variable_list& found) {
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].defined()) continue;
    TORCH_CHECK(
        run.options.allow_unused || run.options.materialize_grads,
        "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True "
        "if this is the desired behavior.");
    if (!run.options.materialize_grads) continue;
    const autograd::Edge& edge = run.inputs.edges[i];
    if (edge.input_nr < edge.function->num_inputs()) {
      found[i] = edge.function->input_metadata(edge.input_nr).zeros();
    }
  }
}

variable_list run_grad(Run& run) {
  if (run.by_edges()) {
    variable_list found = run_edges(run, /*accumulate=*/false);
    finish_unused(run, found);
    return found;
  }
  const GilReleased released;
  return autograd::grad(run.roots.tensors, run.inputs.tensors, run.gradients, run.options);
}

void read_inputs(Run& run, PyObject* inputs, const char* function) {
  if (!is_given(inputs)) return;
  run.inputs = read_tensors_or_edges(inputs, "inputs");
  TORCH_CHECK(!run.inputs.tensors.empty(), "`inputs` argument to `", function, "()` cannot be empty.");
}

// -------------------- functions

constexpr Signature<6> backward_signature{
    {"backward", PACKAGE ".autograd.backward", "autograd", nullptr, 0},
    1,
    {"tensors", "grad_tensors", "retain_graph", "create_graph", "grad_variables", "inputs"}};

PyObject* backward(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  try {
    const auto taken = take(backward_signature, args, nargs, kwnames);
    if (PyObject* other = overridden_call(backward_signature, taken, {nullptr, args, nargs, kwnames, 0})) {
      return other;
    }
    const auto [tensors, grad_tensors, retain_graph, create_graph, grad_variables, inputs] = taken;
    TORCH_CHECK(!is_given(grad_tensors) || !is_given(grad_variables),
                "'grad_variables' is an old name of 'grad_tensors': give one of them");
    Run run;
    run.roots = read_tensors_or_edges(tensors, "tensors");
    run.gradients = read_gradients(is_given(grad_tensors) ? grad_tensors : grad_variables, "grad_tensors");
    run.options.retain_graph = optional_truth(retain_graph);
    run.options.create_graph = truth(create_graph);
    read_inputs(run, inputs, "backward");
    run_backward(run);
    return none();
  } catch (...) {
    return raise_current(backward_signature.function.prefix);
  }
}

constexpr Signature<9> grad_signature{
    {"grad", PACKAGE ".autograd.grad", "autograd", nullptr, 0},
    2,
    {"outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "only_inputs", "allow_unused",
     "is_grads_batched", "materialize_grads"}};

void warn_of_only_inputs(PyObject* only_inputs) {
  if (only_inputs == nullptr || truth(only_inputs)) return;
  constexpr const char* text =
      "only_inputs argument is deprecated and is ignored now (defaults to True): the gradients are those of "
      "`inputs`. Call autograd.backward() to accumulate gradients in other parts of the graph.";
  check(PyErr_WarnEx(PyExc_FutureWarning, text, 1));
}

// The gradients for each of a batch of `grad_outputs`.
PyObject* grad_of_batch(const std::array<PyObject*, 9>& taken) {
  const Ref keywords = own(PyDict_New());
  for (size_t i = 0; i < taken.size(); ++i) {
    const std::string_view name = grad_signature.names[i];
    if (taken[i] == nullptr || name == "only_inputs" || name == "is_grads_batched") continue;
    check(PyDict_SetItemString(keywords.get(), grad_signature.names[i], taken[i]));
  }
  const Ref function = import_from("autograd._batches", "grad");
  return call_object(function.get(), own(PyTuple_New(0)).get(), keywords.get()).release();
}

PyObject* grad(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  try {
    const auto taken = take(grad_signature, args, nargs, kwnames);
    if (PyObject* other = overridden_call(grad_signature, taken, {nullptr, args, nargs, kwnames, 0})) {
      return other;
    }
    const auto [outputs, inputs, grad_outputs, retain_graph, create_graph, only_inputs, allow_unused, batched,
                materialize] = taken;
    warn_of_only_inputs(only_inputs);
    if (truth(batched)) return grad_of_batch(taken);
    Run run;
    run.options.materialize_grads = truth(materialize);
    if (run.options.materialize_grads && is_given(allow_unused) && !truth(allow_unused)) {
      throw_error(PyExc_ValueError,
                  "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                  "allow_unused=False.");
    }
    run.options.allow_unused = truth(allow_unused) || run.options.materialize_grads;
    run.options.retain_graph = optional_truth(retain_graph);
    run.options.create_graph = truth(create_graph);
    run.roots = read_tensors_or_edges(outputs, "outputs");
    read_inputs(run, inputs == Py_None ? Ref::steal(PyTuple_New(0)).get() : inputs, "grad");
    run.gradients = read_gradients(grad_outputs, "grad_outputs");
    return tuple_of(run_grad(run)).release();
  } catch (...) {
    return raise_current(grad_signature.function.prefix);
  }
}

constexpr Signature<4> method_signature{{"backward", PACKAGE ".Tensor.backward", nullptr, nullptr, 0},
                                        0,
                                        {"gradient", "retain_graph", "create_graph", "inputs"}};

PyMethodDef functions[] = {
    fast_method(
        "backward", backward,
        "backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None)\n\n"
        "Accumulates the gradients of the sum of the tensors in `grad` of the leaves that they depend on, "
        "or only of `inputs`. `grad_tensors` has a gradient of the same shape for each tensor, or None "
        "(1 for a one-element tensor). The graph is freed unless retain_graph is set; with create_graph the "
        "gradients can themselves be differentiated. RuntimeError for tensors that don't require grad, wrong "
        "shapes, freed graphs, and saved tensors that were modified in place."),
    fast_method(
        "grad", grad,
        "grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, "
        "allow_unused=None, is_grads_batched=False, materialize_grads=False) -> tuple\n\n"
        "The gradients of the sum of the outputs with respect to each input, in the inputs' shapes; `grad` "
        "is "
        "not changed. An input that the outputs don't depend on is an error, None with allow_unused, and "
        "zeros with materialize_grads. With is_grads_batched, grad_outputs have a batch dimension in front: "
        "the gradients for all of them are computed at once, by vmap(), and have that dimension too. "
        "only_inputs is ignored; False is a FutureWarning. Raises the errors of backward()."),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* tensor_backward(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  try {
    const auto taken = take(method_signature, args, nargs, kwnames);
    if (PyObject* other = overridden_call(method_signature, taken, {self, args, nargs, kwnames, 0})) {
      return other;
    }
    const auto [gradient, retain_graph, create_graph, inputs] = taken;
    if (is_given(gradient) && !is_tensor(gradient)) {
      throw_error(PyExc_TypeError, "argument 'gradient' (position 1): expected Tensor or None, got %s",
                  type_name(gradient).c_str());
    }
    Run run;
    run.roots.add(self, "self");
    run.gradients = read_gradients(gradient, "gradient");
    run.options.retain_graph = optional_truth(retain_graph);
    run.options.create_graph = truth(create_graph);
    read_inputs(run, inputs, "backward");
    run_backward(run);
    return none();
  } catch (...) {
    return raise_current(method_signature.function.prefix);
  }
}

int init_engine(PyObject* module) {
  // In a submodule, like generated functions, so that their __module__ is the public one.
  PyObject* sub = PyImport_AddModule(PACKAGE "._C._autograd");  // borrowed
  if (sub == nullptr || PyModule_AddFunctions(sub, functions) < 0) return -1;
  Py_INCREF(sub);
  return PyModule_AddObject(module, "_autograd", sub);
}

}  // namespace at::python
