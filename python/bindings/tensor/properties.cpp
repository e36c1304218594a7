// Attributes of Tensor, except those of autograd.
#include "errors.h"
#include "exchange/exchange.h"
#include "parser/overrides.h"
#include "tensor/tensor.h"
#include "values/results.h"
#include "values/values.h"

#include <ATen/ops/numpy_T_ops.h>
#include <ATen/ops/transpose_ops.h>

namespace at::python {

namespace {

// Defines a getter that returns `expr` for the tensor `t`; handles exceptions and overrides.
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

PROPERTY(shape, "shape", from_size(t.sizes()))
PROPERTY(dtype, "dtype", from_dtype(t.scalar_type()))
PROPERTY(device, "device", from_device(t.device()))
PROPERTY(layout, "layout", from_layout(t.layout()))
PROPERTY(ndim, "ndim", PyLong_FromLongLong(t.dim()))
PROPERTY(itemsize, "itemsize", PyLong_FromSize_t(t.itemsize()))
PROPERTY(nbytes, "nbytes", PyLong_FromSize_t(t.nbytes()))
PROPERTY(T, "T", wrap(at::_ops::numpy_T::call(t)))
PROPERTY(mT, "mT", wrap(matrix_transpose(t)))
PROPERTY(is_cpu, "is_cpu", boolean(t.is_cpu()))
PROPERTY(is_cuda, "is_cuda", boolean(t.is_cuda()))
PROPERTY(is_meta, "is_meta", boolean(t.is_meta()))
PROPERTY(is_sparse, "is_sparse", boolean(t.is_sparse()))
PROPERTY(is_quantized, "is_quantized", boolean(t.is_quantized()))
PROPERTY(is_nested, "is_nested", boolean(t.is_nested()))
#undef PROPERTY

}  // namespace

PyGetSetDef tensor_properties[] = {
    {"shape", get_shape, nullptr, "Size of each dimension.", nullptr},
    {"dtype", get_dtype, nullptr, "The dtype of the elements.", nullptr},
    {"device", get_device, nullptr, "The tensor's device.", nullptr},
    {"layout", get_layout, nullptr, "The memory layout.", nullptr},
    {"ndim", get_ndim, nullptr, "Number of dimensions.", nullptr},
    {"itemsize", get_itemsize, nullptr, "The size of an element in bytes.", nullptr},
    {"nbytes", get_nbytes, nullptr, "The size of all elements in bytes.", nullptr},
    {"T", get_T, nullptr, "View with the dimensions in reverse order.", nullptr},
    {"mT", get_mT, nullptr, "View with the last two dimensions exchanged.", nullptr},
    {"is_cpu", get_is_cpu, nullptr, "Whether the tensor is on the CPU.", nullptr},
    {"is_cuda", get_is_cuda, nullptr, "Whether the tensor is on a CUDA device.", nullptr},
    {"is_meta", get_is_meta, nullptr, "Whether the tensor has a shape but no memory.", nullptr},
    {"is_sparse", get_is_sparse, nullptr, "False: only strided tensors exist.", nullptr},
    {"is_quantized", get_is_quantized, nullptr, "False: there are no quantized tensors.", nullptr},
    {"is_nested", get_is_nested, nullptr, "False: there are no nested tensors.", nullptr},
    {"__cuda_array_interface__", tensor_cuda_array_interface, nullptr,
     "The memory, as CuPy, Numba and others take it.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace at::python
