// Attributes of Tensor.
#include "errors.h"
#include "overrides.h"
#include "results.h"
#include "tensor.h"
#include "values.h"

#include <c10/core/VariableVersion.h>

#include <ATen/ops/numpy_T_ops.h>
#include <ATen/ops/transpose_ops.h>

namespace at::python {
namespace {

// An attribute of a subclass that overrides functions goes through __torch_function__, as
// Tensor.<name>.__get__.
PyObject* overridden_attribute(PyObject* self, const char* name) {
  if (is_exact_tensor(self) && !overrides_active()) return nullptr;
  Overridden overridden;
  if (!overridden.add_if_overrides(self)) return nullptr;
  const Ref descriptor = own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), name));
  const Ref getter = own(PyObject_GetAttrString(descriptor.get(), "__get__"));
  const Ref args = own(PyTuple_Pack(1, self));
  return call_override(getter.get(), args.get(), nullptr, overridden);
}

// A getter: `expr` of the tensor `t`, with exceptions and overrides seen to.
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

at::Tensor matrix_transpose(const at::Tensor& t) {
  if (t.dim() < 2) {
    throw_error(PyExc_RuntimeError,
                PACKAGE ".Tensor.mT: only matrices and batches of them have it, not a %d-dim tensor",
                static_cast<int>(t.dim()));
  }
  return at::_ops::transpose_int::call(t, -2, -1);
}

// The same memory, unknown to autograd; version counters are apart.
at::Tensor detached_data(const at::Tensor& t) {
  return at::Tensor(at::TensorBase::Impl(t.unsafeGetTensorImpl()->shallow_copy_and_detach(
      c10::VariableVersion(), /*allow_tensor_metadata_change=*/true)));
}

at::Tensor gradient(const at::Tensor& t) {
  return t.unsafeGetTensorImpl()->autograd_meta() ? t.unsafeGetTensorImpl()->grad() : at::Tensor();
}

PROPERTY(shape, "shape", from_size(t.sizes()))
PROPERTY(dtype, "dtype", from_dtype(t.scalar_type()))
PROPERTY(device, "device", from_device(t.device()))
PROPERTY(layout, "layout", from_layout(t.layout()))
PROPERTY(ndim, "ndim", PyLong_FromLongLong(t.dim()))
PROPERTY(itemsize, "itemsize", PyLong_FromSize_t(t.itemsize()))
PROPERTY(nbytes, "nbytes", PyLong_FromSize_t(t.nbytes()))
PROPERTY(T, "T", wrap(at::_ops::numpy_T::call(t)))
PROPERTY(mT, "mT", wrap(matrix_transpose(t)))
PROPERTY(requires_grad, "requires_grad", boolean(t.requires_grad()))
PROPERTY(grad, "grad", wrap(gradient(t)))
PROPERTY(data, "data", wrap(detached_data(t)))
// Nothing is recorded as yet, so every tensor is a leaf.
PROPERTY(is_leaf, "is_leaf", ((void)t, boolean(true)))
PROPERTY(grad_fn, "grad_fn", ((void)t, none()))
PROPERTY(version, "_version", PyLong_FromLongLong(t._version()))
PROPERTY(base, "_base", t.is_view() ? wrap(at::Tensor(t._base())) : none())
PROPERTY(is_cpu, "is_cpu", boolean(t.is_cpu()))
PROPERTY(is_cuda, "is_cuda", boolean(t.is_cuda()))
PROPERTY(is_meta, "is_meta", boolean(t.is_meta()))
PROPERTY(is_sparse, "is_sparse", boolean(t.is_sparse()))
PROPERTY(is_quantized, "is_quantized", boolean(t.is_quantized()))
PROPERTY(is_nested, "is_nested", boolean(t.is_nested()))
#undef PROPERTY

int set_requires_grad(PyObject* self, PyObject* value, void*) {
  try {
    if (value == nullptr || !PyBool_Check(value)) {
      throw_error(PyExc_TypeError, PACKAGE ".Tensor.requires_grad: expected bool, got %s",
                  value ? type_name(value).c_str() : "a deletion");
    }
    mark_requires_grad(unwrap(self), value == Py_True);
    return 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.requires_grad");
  }
}

void check_gradient(const at::Tensor& t, const at::Tensor& g) {
  TORCH_CHECK(&t != &g, "a tensor cannot be its own gradient");
  TORCH_CHECK_TYPE(g.scalar_type() == t.scalar_type(), "expected a gradient of type ",
                   dtypeName(t.scalar_type()), ", got ", dtypeName(g.scalar_type()));
  TORCH_CHECK(g.device() == t.device(), "expected a gradient on ", t.device(), ", got one on ", g.device());
  TORCH_CHECK(g.sizes().equals(t.sizes()), "expected a gradient of shape ", t.sizes(), ", got ", g.sizes());
}

int set_grad(PyObject* self, PyObject* value, void*) {
  try {
    const at::Tensor& t = unwrap(self);
    if (value == nullptr || value == Py_None) {
      if (t.unsafeGetTensorImpl()->autograd_meta()) t.unsafeGetTensorImpl()->mutable_grad() = at::Tensor();
      return 0;
    }
    if (!is_tensor(value)) {
      throw_error(PyExc_TypeError, PACKAGE ".Tensor.grad: expected Tensor or None, got %s",
                  type_name(value).c_str());
    }
    check_gradient(t, unwrap(value));
    t.unsafeGetTensorImpl()->mutable_grad() = unwrap(value);
    return 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.grad");
  }
}

int set_data(PyObject* self, PyObject* value, void*) {
  try {
    if (value == nullptr || !is_tensor(value)) {
      throw_error(PyExc_TypeError, PACKAGE ".Tensor.data: expected Tensor, got %s",
                  value ? type_name(value).c_str() : "a deletion");
    }
    at::Tensor& t = unwrap(self);
    TORCH_CHECK(t.key_set() == unwrap(value).key_set(),
                "the new data's device or kind differs from the tensor's");
    t.unsafeGetTensorImpl()->shallow_copy_from(unwrap(value).getIntrusivePtr());
    return 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.data");
  }
}

}  // namespace

void mark_requires_grad(const at::Tensor& t, bool requires_grad) {
  TORCH_CHECK(!requires_grad || t.is_floating_point() || t.is_complex(),
              "only tensors of floating point and complex type can require gradients");
  TORCH_CHECK(!requires_grad || !t.is_inference(),
              "a tensor made in inference mode cannot require gradients");
  if (t.requires_grad() != requires_grad) t.set_requires_grad(requires_grad);
}

PyGetSetDef tensor_properties[] = {
    {"shape", get_shape, nullptr, "Size of each dimension.", nullptr},
    {"dtype", get_dtype, nullptr, "Type of the elements.", nullptr},
    {"device", get_device, nullptr, "Where the elements lie.", nullptr},
    {"layout", get_layout, nullptr, "How the elements are laid out.", nullptr},
    {"ndim", get_ndim, nullptr, "Number of dimensions.", nullptr},
    {"itemsize", get_itemsize, nullptr, "Bytes of an element.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements.", nullptr},
    {"T", get_T, nullptr, "View with the dimensions in reverse order.", nullptr},
    {"mT", get_mT, nullptr, "View with the last two dimensions exchanged.", nullptr},
    {"requires_grad", get_requires_grad, set_requires_grad, "Whether autograd records operations.", nullptr},
    {"grad", get_grad, set_grad, "The gradient that was accumulated, or None.", nullptr},
    {"data", get_data, set_data, "The same memory as a tensor that autograd doesn't know.", nullptr},
    {"is_leaf", get_is_leaf, nullptr, "Whether the tensor is no result of a recorded operation.", nullptr},
    {"grad_fn", get_grad_fn, nullptr, "The operation that made the tensor, if it was recorded.", nullptr},
    {"_version", get_version, nullptr, "How often the memory was changed in place.", nullptr},
    {"_base", get_base, nullptr, "The tensor that this is a view of, where autograd tracks it.", nullptr},
    {"is_cpu", get_is_cpu, nullptr, "Whether the tensor is on the CPU.", nullptr},
    {"is_cuda", get_is_cuda, nullptr, "Whether the tensor is on a CUDA device.", nullptr},
    {"is_meta", get_is_meta, nullptr, "Whether the tensor has a shape but no memory.", nullptr},
    {"is_sparse", get_is_sparse, nullptr, "False: only strided tensors exist.", nullptr},
    {"is_quantized", get_is_quantized, nullptr, "False: there are no quantized tensors.", nullptr},
    {"is_nested", get_is_nested, nullptr, "False: there are no nested tensors.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace at::python
