// Maps over batches: the levels of this thread, and tensors of a level.
#include "autograd/autograd.h"
#include "errors.h"
#include "tensor_object.h"

#include <ATen/batching/BatchedTensorImpl.h>
#include <ATen/native/Batching.h>

#include <string_view>

namespace at::python {
namespace {

at::Randomness randomness_of(std::string_view name) {
  if (name == "same") return at::Randomness::Same;
  return name == "different" ? at::Randomness::Different : at::Randomness::Error;
}

const char* name_of(at::Randomness randomness) {
  if (randomness == at::Randomness::Same) return "same";
  return randomness == at::Randomness::Different ? "different" : "error";
}

// _enter_batch_level(size, randomness) -> the level's number
PyObject* enter_level(PyObject*, PyObject* args) {
  long long size = 0;
  const char* randomness = nullptr;
  if (!PyArg_ParseTuple(args, "Ls:_enter_batch_level", &size, &randomness)) return nullptr;
  try {
    at::native::enable_batching();
    return PyLong_FromLongLong(at::enter_batch_level(size, randomness_of(randomness))->number);
  } catch (...) {
    return raise_current("vmap");
  }
}

PyObject* exit_level(PyObject*, PyObject*) {
  try {
    at::exit_batch_level();
    return none();
  } catch (...) {
    return raise_current("vmap");
  }
}

// _batch_level() -> the number of the innermost map of this thread, 0 outside of maps
PyObject* level(PyObject*, PyObject*) {
  const at::BatchLevelPtr current = at::current_batch_level();
  return PyLong_FromLongLong(current == nullptr ? 0 : current->number);
}

// _batch_level_options() -> (size, randomness) of the innermost map
PyObject* level_options(PyObject*, PyObject*) {
  try {
    const at::BatchLevelPtr current = at::current_batch_level();
    TORCH_CHECK(current != nullptr, "this thread is in no vmap");
    return Py_BuildValue("(Ls)", static_cast<long long>(current->size), name_of(current->randomness));
  } catch (...) {
    return raise_current("vmap");
  }
}

// _call_below(number, function, args) -> function(*args), called as if only the maps outside of the one of
// that number ran
PyObject* call_below(PyObject*, PyObject* args) {
  long long number = 0;
  PyObject *function = nullptr, *arguments = nullptr;
  if (!PyArg_ParseTuple(args, "LOO!:_call_below", &number, &function, &PyTuple_Type, &arguments)) {
    return nullptr;
  }
  try {
    TORCH_CHECK(number > 0, "maps have numbers from 1, got ", number);
    const at::BatchLevelsTaken taken(number);
    return call_object(function, arguments).release();
  } catch (...) {
    return raise_current("vmap");
  }
}

// _make_batched(tensor, is_batched) -> the tensor in the innermost map; its examples are along dimension 0
PyObject* make_batched(PyObject*, PyObject* args) {
  PyObject* o = nullptr;
  int is_batched = 0;
  if (!PyArg_ParseTuple(args, "Op:_make_batched", &o, &is_batched)) return nullptr;
  try {
    if (!is_tensor(o)) throw_error(PyExc_TypeError, "expected Tensor, got %s", type_name(o).c_str());
    const at::BatchLevelPtr current = at::current_batch_level();
    TORCH_CHECK(current != nullptr, "this thread is in no vmap");
    return wrap(at::Tensor(at::make_batched(unwrap(o), is_batched != 0, current)));
  } catch (...) {
    return raise_current("vmap");
  }
}

// _batched_value(tensor) -> None for a tensor that isn't batched, else (value, is_batched, level's number,
// ended)
PyObject* batched_value(PyObject*, PyObject* o) {
  try {
    if (!is_tensor(o)) return none();
    const at::BatchedTensorImpl* impl = at::batched_impl(unwrap(o));
    if (impl == nullptr) return none();
    Ref value = own(wrap(at::Tensor(impl->value())));
    return Py_BuildValue("(NNLN)", value.release(), boolean(impl->is_batched()),
                         static_cast<long long>(impl->level()->number), boolean(impl->level()->ended));
  } catch (...) {
    return raise_current("vmap");
  }
}

// _batched_alias(tensor) -> another tensor of the level with the same value and no graph at the level
PyObject* batched_alias(PyObject*, PyObject* o) {
  try {
    const at::BatchedTensorImpl* impl = is_tensor(o) ? at::batched_impl(unwrap(o)) : nullptr;
    TORCH_CHECK(impl != nullptr, "expected a batched tensor");
    return wrap(at::Tensor(at::make_batched(impl->value(), impl->is_batched(), impl->level())));
  } catch (...) {
    return raise_current("vmap");
  }
}

// _batch_rules() -> how many operators have a rule of each kind
PyObject* rules(PyObject*, PyObject*) {
  try {
    const auto counts = at::native::count_batch_rules();
    Ref all = own(PyList_New(static_cast<Py_ssize_t>(counts.size())));
    for (size_t i = 0; i < counts.size(); ++i) {
      check(PyList_SetItem(all.get(), static_cast<Py_ssize_t>(i),
                           own(PyLong_FromLongLong(counts[i])).release()));
    }
    return all.release();
  } catch (...) {
    return raise_current("vmap");
  }
}

PyMethodDef functions[] = {{"_enter_batch_level", enter_level, METH_VARARGS, nullptr},
                           {"_exit_batch_level", exit_level, METH_NOARGS, nullptr},
                           {"_batch_level", level, METH_NOARGS, nullptr},
                           {"_batch_level_options", level_options, METH_NOARGS, nullptr},
                           {"_call_below", call_below, METH_VARARGS, nullptr},
                           {"_make_batched", make_batched, METH_VARARGS, nullptr},
                           {"_batched_value", batched_value, METH_O, nullptr},
                           {"_batched_alias", batched_alias, METH_O, nullptr},
                           {"_batch_rules", rules, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

int init_batching(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace at::python
