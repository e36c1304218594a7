// __cuda_array_interface__ both ways, version 3: memory of CUDA devices shared with CuPy, Numba and others,
// with the stream on which its producer works.
#include "errors.h"
#include "exchange/array_interface.h"
#include "exchange/exchange.h"
#include "parser/overrides.h"
#include "tensor_object.h"
#include "values/scalars.h"

#include <c10/core/Event.h>
#include <c10/core/Storage.h>
#include <c10/core/impl/DeviceInterface.h>

#include <string>

namespace at::python {
namespace {

constexpr const char* who = "__cuda_array_interface__";
// The interface's numbers of the default streams; 0 isn't one, as it could mean either.
constexpr long legacy_default_stream = 1;

void check_exportable(const at::Tensor& t) {
  if (!t.is_cuda()) {
    throw_error(PyExc_AttributeError, "%s is only of tensors on CUDA, not on %s; use cuda() to copy it there",
                who, t.device().str().c_str());
  }
  if (t.requires_grad()) {
    throw_error(PyExc_RuntimeError, "%s of a tensor that requires grad; use detach()", who);
  }
  if (array_type(t.scalar_type()) == nullptr) {
    throw_error(PyExc_TypeError, "%s has no type for elements of %s; convert them first, as by float()", who,
                c10::dtypeName(t.scalar_type()));
  }
}

Ref byte_strides(const at::Tensor& t) {
  if (t.is_contiguous()) return Ref::borrow(Py_None);
  const Ref strides = own(PyTuple_New(t.dim()));
  for (int64_t d = 0; d < t.dim(); ++d) {
    check(PyTuple_SetItem(strides.get(), d, PyLong_FromLongLong(t.stride(d) * t.element_size())));
  }
  return strides;
}

Ref shape_of(const at::Tensor& t) {
  const Ref shape = own(PyTuple_New(t.dim()));
  for (int64_t d = 0; d < t.dim(); ++d) {
    check(PyTuple_SetItem(shape.get(), d, PyLong_FromLongLong(t.size(d))));
  }
  return shape;
}

Ref current_stream_of(const at::Tensor& t) {
  const c10::DeviceInterface& interface = c10::device_interface(t.device().type());
  void* handle = interface.native_stream(interface.current_stream(t.device().index()));
  return own(handle == nullptr ? PyLong_FromLong(legacy_default_stream) : PyLong_FromVoidPtr(handle));
}

// An empty array has no address.
Ref interface_of(const at::Tensor& t) {
  const bool read_only = t.storage().unsafeGetStorageImpl()->read_only();
  void* data = t.numel() == 0 ? nullptr : const_cast<void*>(t.const_data_ptr());
  const std::string type = (t.element_size() == 1 ? "|" : "<") + std::string(array_type(t.scalar_type()));
  const Ref address = own(PyLong_FromVoidPtr(data));
  return own(Py_BuildValue("{s:O,s:O,s:s,s:(ON),s:O,s:i}", "shape", shape_of(t).get(), "strides",
                           byte_strides(t).get(), "typestr", type.c_str(), "data", address.get(),
                           boolean(read_only), "stream", current_stream_of(t).get(), "version", 3));
}

// ---- from another library's array

// The current stream waits for the producer's, if it names one.
void wait_for_producer(PyObject* stream, const c10::DeviceInterface& interface, c10::Device device) {
  if (stream == nullptr || stream == Py_None) return;
  const int64_t handle = to_int64(stream);
  if (handle <= 0) {
    throw_error(PyExc_ValueError, "%s: %lld is not a stream", who, static_cast<long long>(handle));
  }
  const c10::Stream producer =
      handle == legacy_default_stream
          ? interface.default_stream(device.index())
          : interface.external_stream(reinterpret_cast<void*>(handle), device.index());
  const c10::Stream consumer = interface.current_stream(device.index());
  if (producer == consumer) return;
  c10::Event event(device.type());
  event.record(producer);
  event.block(consumer);
}

at::Tensor tensor_of(PyObject* array, PyObject* dict) {
  const ArrayInterface a = read_array_interface(dict, who);
  PyObject* mask = PyDict_GetItemString(dict, "mask");
  if (mask != nullptr && mask != Py_None) {
    throw_error(PyExc_NotImplementedError, "%s: arrays with a mask are not supported", who);
  }
  const c10::DeviceInterface& interface = c10::device_interface(c10::kCUDA);
  const c10::Device device =
      a.data == nullptr ? c10::resolve_device(c10::kCUDA) : interface.device_of(a.data);
  wait_for_producer(PyDict_GetItemString(dict, "stream"), interface, device);
  return tensor_over(array, a, device);
}

// _from_cuda_array(array) -> Tensor
PyObject* from_cuda_array(PyObject*, PyObject* array) {
  try {
    const Ref dict = own(PyObject_GetAttrString(array, who));
    return wrap(tensor_of(array, dict.get()));
  } catch (...) {
    return raise_current(PACKAGE ".as_tensor");
  }
}

}  // namespace

PyObject* tensor_cuda_array_interface(PyObject* self, void*) {
  try {
    if (PyObject* other = overridden_attribute(self, who)) return other;
    const at::Tensor& t = unwrap(self);
    check_exportable(t);
    return interface_of(t).release();
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__cuda_array_interface__");
  }
}

int init_cuda_array(PyObject* module) {
  static PyMethodDef functions[] = {{"_from_cuda_array", from_cuda_array, METH_O, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
