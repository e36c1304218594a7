// Attributes and methods of Tensor for autograd.
#include "autograd/autograd.h"
#include "errors.h"
#include "parser/overrides.h"
#include "parser/parser.h"
#include "tensor_object.h"
#include "values/results.h"

#include <c10/core/impl/VariableVersion.h>

#include <ATen/ops/alias_ops.h>

namespace at::python {
namespace {

// -------------------- properties

// A tensor over the same memory without autograd metadata, with a separate version counter.
at::Tensor detached_data(const at::Tensor& t) {
  return at::Tensor(at::TensorBase::Impl(t.unsafeGetTensorImpl()->shallow_copy_and_detach(
      c10::VariableVersion(), /*allow_tensor_metadata_change=*/true)));
}

at::Tensor gradient(const at::Tensor& t) {
  autograd::AutogradMeta* meta = autograd::meta_of(t);
  if (meta == nullptr) return {};
  at::Tensor grad = meta->gradient();
  if (!grad.defined() && meta->grad_fn && !meta->retains_grad &&
      PyErr_WarnEx(PyExc_UserWarning,
                   "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
                   "attribute won't be populated during autograd.backward(). If you want it to be, call "
                   "retain_grad() on the Tensor before; if you want the gradient of a leaf, access that one.",
                   1) < 0) {
    throw PythonError();
  }
  return grad;
}

int64_t version(const at::Tensor& t) {
  TORCH_CHECK(!t.is_inference(), "Inference tensors do not track version counter.");
  return t._version();
}

#define PROPERTY(name, attribute, expr)                                          \
  PyObject* get_##name(PyObject* self, void*) {                                  \
    try {                                                                        \
      if (PyObject* other = overridden_attribute(self, attribute)) return other; \
      const at::Tensor& t = unwrap(self);                                        \
      return expr;                                                               \
    } catch (...) {                                                              \
      return raise_current(PACKAGE ".Tensor." attribute);                        \
    }                                                                            \
  }
PROPERTY(requires_grad, "requires_grad", boolean(t.requires_grad()))
PROPERTY(grad, "grad", wrap(gradient(t)))
PROPERTY(data, "data", wrap(detached_data(t)))
PROPERTY(is_leaf, "is_leaf", boolean(autograd::is_leaf(t)))
PROPERTY(grad_fn, "grad_fn", wrap_node(autograd::grad_fn_of(t)))
PROPERTY(output_nr, "output_nr", PyLong_FromUnsignedLong(autograd::output_nr_of(t)))
PROPERTY(retains_grad, "retains_grad", boolean(autograd::retains_grad(t)))
PROPERTY(version, "_version", PyLong_FromLongLong(version(t)))
PROPERTY(base, "_base", t.is_view() ? wrap(at::Tensor(t._base())) : none())
#undef PROPERTY

int set_requires_grad(PyObject* self, PyObject* value, void*) {
  try {
    if (value == nullptr || !PyBool_Check(value)) {
      throw_error(PyExc_TypeError, PACKAGE ".Tensor.requires_grad: expected bool, got %s",
                  value ? type_name(value).c_str() : "a deletion");
    }
    TORCH_CHECK(
        autograd::is_leaf(unwrap(self)),
        "you can only change requires_grad flags of leaf variables. If you want to use a computed "
        "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
    autograd::set_requires_grad(unwrap(self), value == Py_True);
    return 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.requires_grad");
  }
}

void check_gradient(const at::Tensor& t, const at::Tensor& g) {
  TORCH_CHECK(&t != &g, "a tensor cannot be its own gradient");
  TORCH_CHECK(g.scalar_type() == t.scalar_type(), "expected a gradient of type ", dtypeName(t.scalar_type()),
              ", got ", dtypeName(g.scalar_type()));
  TORCH_CHECK(g.device() == t.device(), "expected a gradient on ", t.device(), ", got one on ", g.device());
  TORCH_CHECK(g.sizes().equals(t.sizes()), "expected a gradient of shape ", t.sizes(), ", got ", g.sizes());
}

int set_grad(PyObject* self, PyObject* value, void*) {
  try {
    const at::Tensor& t = unwrap(self);
    if (value == nullptr || value == Py_None) {
      if (auto* meta = autograd::meta_of(t)) meta->set_gradient({});
      return 0;
    }
    if (!is_tensor(value)) {
      throw_error(PyExc_TypeError, PACKAGE ".Tensor.grad: expected Tensor or None, got %s",
                  type_name(value).c_str());
    }
    check_gradient(t, unwrap(value));
    autograd::materialize_meta(t).set_gradient(unwrap(value));
    return 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.grad");
  }
}

// Whether a tensor may get the data of another: one of the same kind, or one in memory of another device.
bool is_of_its_kind(const at::Tensor& t, const at::Tensor& data) {
  const auto has_memory = [](const at::Tensor& x) { return x.is_cpu() || x.is_cuda(); };
  return t.key_set() == data.key_set() ||
         (has_memory(t) && has_memory(data) && t.is_inference() == data.is_inference());
}

int set_data(PyObject* self, PyObject* value, void*) {
  try {
    if (value == nullptr || !is_tensor(value)) {
      throw_error(PyExc_TypeError, PACKAGE ".Tensor.data: expected Tensor, got %s",
                  value ? type_name(value).c_str() : "a deletion");
    }
    at::Tensor& t = unwrap(self);
    TORCH_CHECK(is_of_its_kind(t, unwrap(value)),
                "the new data's device or kind differs from the tensor's: it is on ", unwrap(value).device(),
                ", the tensor on ", t.device());
    TORCH_CHECK(!t.requires_grad() || unwrap(value).is_floating_point() || unwrap(value).is_complex(),
                "the data of a tensor that requires grad must be of floating point or complex dtype, got ",
                dtypeName(unwrap(value).scalar_type()));
    const bool fits = t.sizes().equals(unwrap(value).sizes()) &&
                      t.scalar_type() == unwrap(value).scalar_type() && t.device() == unwrap(value).device();
    t.unsafeGetTensorImpl()->shallow_copy_from(unwrap(value).getIntrusivePtr());
    // The AccumulateGrad node expects gradients with the metadata of the old data.
    autograd::AutogradMeta* meta = autograd::meta_of(t);
    if (meta != nullptr && !fits) meta->grad_accumulator = {};
    return 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.data");
  }
}

// -------------------- methods

// Defines a method without overloads: `body` returns the result for the tensor `t` and the object `argument`.
#define METHOD(id, name, body)                       \
  PyObject* id(PyObject* self, PyObject* argument) { \
    try {                                            \
      (void)argument;                                \
      const at::Tensor& t = unwrap(self);            \
      body                                           \
    } catch (...) {                                  \
      return raise_current(PACKAGE ".Tensor." name); \
    }                                                \
  }
METHOD(is_view, "_is_view", return boolean(t.is_view());)
METHOD(retain_grad, "retain_grad", autograd::retain_grad(t); return none();)
// The hook may refer to the tensor, so the garbage collector has to track it.
METHOD(register_hook, "register_hook", PyObject* handle = add_gradient_hook(t, argument); track(self);
       return handle;)
METHOD(register_accumulate_hook, "register_post_accumulate_grad_hook",
       PyObject* handle = add_accumulate_hook(t, argument);
       track(self); return handle;)
#undef METHOD

constexpr Param requires_grad_params[] = {{"requires_grad", ParamType::Bool, HasDefault, 0}};
PyObject* requires_grad_names[1];
constexpr Overload requires_grad_overloads[] = {
    {"(bool requires_grad = True)", requires_grad_params, 1, 1, 0, requires_grad_names}};
constexpr Function requires_grad_spec{"requires_grad_", PACKAGE ".Tensor.requires_grad_", nullptr,
                                      requires_grad_overloads, 1};

PyObject* requires_grad_(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject* storage[1];
  Arguments a(storage);
  try {
    if (a.parse(requires_grad_spec, self, args, nargs, kwnames) < 0) return a.result();
    autograd::set_requires_grad(unwrap(self), a.boolean(0, true));
    Py_INCREF(self);
    return self;
  } catch (...) {
    return raise_current(requires_grad_spec.prefix);
  }
}

// as_subclass(cls): the same tensor, with its grad_fn, as an object of a subclass.
PyObject* as_subclass(PyObject* self, PyObject* cls) {
  try {
    if (!PyType_Check(cls) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), tensor_type)) {
      throw_error(PyExc_TypeError, PACKAGE
                  ".Tensor.as_subclass(): argument 'cls' (position 1): expected a subclass of Tensor");
    }
    const at::Tensor& t = unwrap(self);
    const c10::TensorImpl* impl = t.unsafeGetTensorImpl();
    at::Tensor twin =
        impl->is_tracked()
            ? at::_ops::alias::call(t)
            : at::Tensor(at::TensorBase::Impl(impl->shallow_copy_and_detach(impl->version_counter(), true)));
    if (overrides_dispatch(reinterpret_cast<PyTypeObject*>(cls))) {
      twin.unsafeGetTensorImpl()->set_python_dispatch(true);
    }
    return wrap_as(reinterpret_cast<PyTypeObject*>(cls), std::move(twin));
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.as_subclass");
  }
}

// _make_subclass(cls, data, require_grad=False): detached.
PyObject* make_subclass(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"cls", "data", "require_grad", nullptr};
  PyObject *cls = nullptr, *data = nullptr;
  int require_grad = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|p:_make_subclass", const_cast<char**>(names), &cls,
                                   &data, &require_grad)) {
    return nullptr;
  }
  if (!is_tensor(data)) {
    PyErr_Format(PyExc_TypeError, "_make_subclass(): argument 'data' (position 2): expected Tensor, got %s",
                 type_name(data).c_str());
    return nullptr;
  }
  try {
    const Ref detached = own(wrap(detached_data(unwrap(data))));
    Ref object = Ref::steal(as_subclass(detached.get(), cls));
    if (object && require_grad != 0) autograd::set_requires_grad(unwrap(object.get()), true);
    return object.release();
  } catch (...) {
    return raise_current("_make_subclass");
  }
}

}  // namespace

PyGetSetDef autograd_properties[] = {
    {"requires_grad", get_requires_grad, set_requires_grad, "Whether autograd records operations.", nullptr},
    {"grad", get_grad, set_grad, "The gradient that was accumulated, or None.", nullptr},
    {"data", get_data, set_data, "The same memory as a tensor that autograd doesn't know.", nullptr},
    {"is_leaf", get_is_leaf, nullptr, "Whether the tensor is no result of a recorded operation.", nullptr},
    {"grad_fn", get_grad_fn, nullptr, "The node of the operation that made the tensor, if it was recorded.",
     nullptr},
    {"output_nr", get_output_nr, nullptr, "Which of the results of grad_fn's operation the tensor is.",
     nullptr},
    {"retains_grad", get_retains_grad, nullptr, "Whether retain_grad() was called; False for leaves.",
     nullptr},
    {"_version", get_version, nullptr, "How often the memory was changed in place.", nullptr},
    {"_base", get_base, nullptr, "The tensor that this is a view of, where autograd tracks it.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef autograd_methods[] = {
    fast_method("requires_grad_", requires_grad_,
                "requires_grad_(requires_grad=True) -> Tensor\n\nSets whether autograd records operations on "
                "the tensor; returns the tensor."),
    fast_method(
        "backward", tensor_backward,
        "backward(gradient=None, retain_graph=None, create_graph=False, inputs=None)\n\n"
        "Accumulates the tensor's gradients in `grad` of the leaves that it depends on, or only of `inputs`. "
        "`gradient` has the tensor's shape; a one-element tensor needs none. See autograd.backward()."),
    {"retain_grad", retain_grad, METH_NOARGS,
     "retain_grad()\n\nMakes backward() set `grad` of this non-leaf tensor."},
    {"register_hook", register_hook, METH_O,
     "register_hook(hook) -> RemovableHandle\n\nhook(grad) is called when the tensor's gradient is computed; "
     "it may return a replacement of the same shape."},
    {"register_post_accumulate_grad_hook", register_accumulate_hook, METH_O,
     "register_post_accumulate_grad_hook(hook) -> RemovableHandle\n\nhook(tensor) is called after a "
     "gradient was accumulated in the leaf's `grad`."},
    {"_is_view", is_view, METH_NOARGS,
     "_is_view() -> bool\n\nWhether autograd tracks it as a view of another tensor."},
    {"as_subclass", as_subclass, METH_O,
     "as_subclass(cls) -> Tensor\n\nThe same data as an object of a subclass."},
    {"_make_subclass", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(make_subclass)),
     METH_VARARGS | METH_KEYWORDS | METH_STATIC, "_make_subclass(cls, data, require_grad=False) -> Tensor"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace at::python
