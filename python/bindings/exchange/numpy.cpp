// numpy() and from_numpy(), without copying, by NumPy's array interface (__array_struct__ for the export).
// NumPy is imported on first use.
#include "errors.h"
#include "exchange/array_interface.h"
#include "exchange/construct.h"
#include "exchange/exchange.h"
#include "tensor_object.h"
#include "values/scalars.h"
#include "values/values.h"

#include <c10/core/Storage.h>
#include <c10/util/SmallVector.h>

#include <ATen/ops/to_ops.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace at::python {
namespace {

// ---- to NumPy: an object that has the interface and keeps the tensor alive

struct ExportObject {
  PyObject_HEAD PyObject* tensor;
};
PyTypeObject* export_type = nullptr;

// NumPy's PyArrayInterface.
struct ArrayStruct {
  int two = 2;
  int ndim;
  char kind;
  int element_size;
  int flags;
  int64_t* shape;
  int64_t* strides;  // in bytes
  void* data;
  PyObject* descr = nullptr;
  c10::SmallVector<int64_t, 6> sizes, steps;
};
static_assert(sizeof(Py_intptr_t) == sizeof(int64_t));
enum ArrayFlags { Aligned = 0x100, NotSwapped = 0x200, Writeable = 0x400 };

bool is_read_only(const at::Tensor& t) {
  return t.has_storage() && t.storage().unsafeGetStorageImpl()->read_only();
}

char type_kind(c10::ScalarType dtype) {
  if (const char* text = array_type(dtype)) return text[0];
  throw_error(PyExc_TypeError, "NumPy has no dtype for %s; convert the tensor first, for example by float()",
              c10::dtypeName(dtype));
}

void delete_struct(PyObject* capsule) {
  delete static_cast<ArrayStruct*>(PyCapsule_GetPointer(capsule, nullptr));
}

PyObject* get_struct(PyObject* self, void*) {
  try {
    const at::Tensor& t = unwrap(reinterpret_cast<ExportObject*>(self)->tensor);
    // NumPy allocates memory for a null pointer, so an empty tensor needs some address.
    static char nothing[64];
    auto array = std::make_unique<ArrayStruct>();
    array->ndim = static_cast<int>(t.dim());
    array->kind = type_kind(t.scalar_type());
    array->element_size = static_cast<int>(t.element_size());
    array->flags = Aligned | NotSwapped | (is_read_only(t) ? 0 : Writeable);
    array->sizes.assign(t.sizes().begin(), t.sizes().end());
    array->steps.assign(t.strides().begin(), t.strides().end());
    for (int64_t& s : array->steps) s *= t.element_size();
    array->shape = array->sizes.data();
    array->strides = array->steps.data();
    array->data = t.numel() == 0 ? nothing : const_cast<void*>(t.const_data_ptr());
    PyObject* capsule = PyCapsule_New(array.get(), nullptr, delete_struct);
    if (capsule != nullptr) (void)array.release();
    return capsule;
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.numpy");
  }
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<ExportObject*>(self)->tensor);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// NumPy is never unloaded, so the function stays valid.
PyObject* numpy_asarray() {
  static PyObject* found = nullptr;
  if (found == nullptr) {
    const Ref numpy = own(PyImport_ImportModule("numpy"));
    found = own(PyObject_GetAttrString(numpy.get(), "asarray")).release();
  }
  return found;
}

// ---- from NumPy

PyObject* from_numpy(PyObject*, PyObject* array) {
  try {
    // The interface of a NumPy scalar is that of a copy.
    if (is_numpy(array, NumpyKind::Generic) || !has_attribute(array, "__array_interface__")) {
      throw_error(PyExc_TypeError,
                  "from_numpy(): argument 'array' (position 1): expected a NumPy array, got %s",
                  type_name(array).c_str());
    }
    return wrap(tensor_of_array(array, "from_numpy()"));
  } catch (...) {
    return raise_current(PACKAGE ".from_numpy");
  }
}

PyGetSetDef export_properties[] = {{"__array_struct__", get_struct, nullptr, nullptr, nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot export_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)}, {Py_tp_getset, export_properties}, {0, nullptr}};

at::Tensor for_numpy(const at::Tensor& t, bool force) {
  if (t.requires_grad() && !force) {
    throw_error(PyExc_RuntimeError, "numpy() of a tensor that requires grad; use detach().numpy()");
  }
  if (t.is_cpu()) return t;
  if (!force) {
    throw_error(PyExc_TypeError, "numpy() of a tensor on %s; use cpu() to copy it to host memory first",
                t.device().str().c_str());
  }
  return at::_ops::to_dtype_layout::call(t, std::nullopt, std::nullopt, c10::Device(c10::kCPU), std::nullopt,
                                         false, false, std::nullopt);
}

}  // namespace

PyObject* tensor_numpy(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"force", nullptr};
  PyObject* force = Py_False;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$O!:numpy", const_cast<char**>(names), &PyBool_Type,
                                   &force)) {
    return nullptr;
  }
  try {
    at::Tensor source = share_of(for_numpy(unwrap(self), force == Py_True));
    (void)type_kind(source.scalar_type());
    const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(export_type, Py_tp_alloc));
    const Ref holder = own(alloc(export_type, 0));
    reinterpret_cast<ExportObject*>(holder.get())->tensor = wrap(std::move(source));
    return PyObject_CallFunctionObjArgs(numpy_asarray(), holder.get(), nullptr);
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.numpy");
  }
}

PyMethodDef tensor_exchange_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(tensor_dlpack)),
     METH_VARARGS | METH_KEYWORDS,
     "__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) -> capsule"},
    {"__dlpack_device__", tensor_dlpack_device, METH_NOARGS,
     "__dlpack_device__() -> (device type, device id)"},
    {"numpy", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(tensor_numpy)),
     METH_VARARGS | METH_KEYWORDS,
     "numpy(*, force=False) -> numpy.ndarray\n\nThe same memory as an array; read-only if the tensor's "
     "memory is. With `force`, "
     "tensors on other devices are copied."},
    {"tolist", to_list, METH_NOARGS, "tolist() -> list or number\n\nThe elements in nested lists."},
    {nullptr, nullptr, 0, nullptr}};

int init_numpy(PyObject* module) {
  static PyMethodDef functions[] = {
      {"from_numpy", from_numpy, METH_O,
       "from_numpy(array) -> Tensor\n\nA tensor over the array's memory; read-only if the array is."},
      {nullptr, nullptr, 0, nullptr}};
  PyType_Spec spec{PACKAGE "._C._ArrayExport", sizeof(ExportObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, export_slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  export_type = reinterpret_cast<PyTypeObject*>(type);
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
