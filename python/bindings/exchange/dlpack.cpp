// Export and import by DLPack: capsules "dltensor" and "dltensor_versioned", renamed to "used_..." when they
// are consumed.
#include "errors.h"
#include "exchange/exchange.h"
#include "tensor_object.h"
#include "values/scalars.h"
#include "values/values.h"

#include <ATen/DLConvertor.h>
#include <c10/core/impl/DeviceInterface.h>

#include <ATen/ops/clone_ops.h>
#include <ATen/ops/detach_ops.h>
#include <ATen/ops/to_ops.h>

#include <cstring>

namespace at::python {
namespace {

constexpr const char* legacy_name = "dltensor";
constexpr const char* versioned_name = "dltensor_versioned";

// The consumer renames the capsule, so a capsule with its original name was never consumed.
template <class Managed>
void delete_unused(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
  PyErr_Restore(type, value, traceback);
}
void delete_legacy(PyObject* capsule) { delete_unused<DLManagedTensor>(capsule, legacy_name); }
void delete_versioned(PyObject* capsule) { delete_unused<DLManagedTensorVersioned>(capsule, versioned_name); }

// Streams of CUDA devices as the protocol numbers them; others are handles of streams.
constexpr int64_t no_stream = -1, legacy_stream = 1, per_thread_stream = 2;

struct ExportOptions {
  int64_t stream = legacy_stream;
  bool versioned = false;
  std::optional<c10::Device> device;
  std::optional<bool> copy;
};

std::optional<bool> to_optional_bool(PyObject* o, const char* name) {
  if (o == nullptr || o == Py_None) return std::nullopt;
  if (!PyBool_Check(o)) {
    throw_error(PyExc_TypeError, "__dlpack__(): argument '%s': expected bool or None, got %s", name,
                type_name(o).c_str());
  }
  return o == Py_True;
}

int64_t read_stream(const at::Tensor& t, PyObject* stream) {
  if (stream == nullptr || stream == Py_None) return legacy_stream;
  if (!is_integer(stream)) {
    throw_error(PyExc_TypeError, "__dlpack__(): argument 'stream': expected int or None, got %s",
                type_name(stream).c_str());
  }
  const int64_t value = to_int64(stream);
  TORCH_CHECK_BUFFER(!t.is_cpu() || value == no_stream,
                     "DLPack: stream must be None for a tensor on the CPU");
  TORCH_CHECK_BUFFER(value == no_stream || value > 0,
                     "DLPack: stream must be None, -1, 1 or a stream's handle, got ", value);
  TORCH_CHECK_BUFFER(value != per_thread_stream, "DLPack: the per-thread default stream, 2, isn't supported");
  return value;
}

ExportOptions read_options(const at::Tensor& t, PyObject* stream, PyObject* max_version, PyObject* dl_device,
                           PyObject* copy) {
  ExportOptions options;
  options.stream = read_stream(t, stream);
  options.copy = to_optional_bool(copy, "copy");
  if (max_version != nullptr && max_version != Py_None) {
    long major = 0, minor = 0;
    if (!PyTuple_Check(max_version) || !PyArg_ParseTuple(max_version, "ll", &major, &minor)) {
      PyErr_Clear();
      throw_error(PyExc_TypeError, "__dlpack__(): argument 'max_version': expected (major, minor), got %s",
                  type_name(max_version).c_str());
    }
    options.versioned = major >= 1;
  }
  if (dl_device != nullptr && dl_device != Py_None) {
    int type = 0, id = 0;
    if (!PyTuple_Check(dl_device) || !PyArg_ParseTuple(dl_device, "ii", &type, &id)) {
      PyErr_Clear();
      throw_error(PyExc_TypeError, "__dlpack__(): argument 'dl_device': expected (type, id), got %R",
                  dl_device);
    }
    options.device = at::dlDeviceToTorchDevice({static_cast<DLDeviceType>(type), id});
  }
  return options;
}

}  // namespace

at::Tensor share_of(const at::Tensor& t) { return at::_ops::detach::call(t); }

namespace {

bool same_place(c10::Device a, c10::Device b) {
  return a.type() == b.type() && (a.is_cpu() || a.index() == b.index());
}

// The consumer's stream waits for what the tensor is made by, which a copy for the consumer is part of. One
// on the host is done.
void order_consumer(const at::Tensor& source, int64_t stream) {
  if (source.is_cpu() || stream == no_stream) return;
  void* handle = stream == legacy_stream ? nullptr : reinterpret_cast<void*>(stream);
  const GilReleased released;
  c10::device_interface(source.device().type()).order_native_stream(handle, source.device().index());
}

PyObject* capsule_of(const at::Tensor& t, const ExportOptions& options) {
  const bool moves = options.device && !same_place(*options.device, t.device());
  TORCH_CHECK_BUFFER(!(moves && options.copy == false),
                     "DLPack: exporting to another device needs a copy, but copy=False");
  const bool copies = moves || options.copy == true;
  at::Tensor source = t;
  if (moves) {
    source = at::_ops::to_dtype_layout::call(t, std::nullopt, std::nullopt, options.device, std::nullopt,
                                             false, false, std::nullopt);
  } else if (copies) {
    source = at::_ops::clone::call(t, std::nullopt);
  } else {
    source = share_of(t);
  }
  order_consumer(source, options.stream);
  if (options.versioned) {
    DLManagedTensorVersioned* managed = at::toDLPackVersioned(source, copies);
    PyObject* capsule = PyCapsule_New(managed, versioned_name, delete_versioned);
    if (capsule == nullptr) managed->deleter(managed);
    return capsule;
  }
  DLManagedTensor* managed = at::toDLPack(source);
  PyObject* capsule = PyCapsule_New(managed, legacy_name, delete_legacy);
  if (capsule == nullptr) managed->deleter(managed);
  return capsule;
}

at::Tensor consume(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, versioned_name)) {
    auto* managed = static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, versioned_name));
    check(PyCapsule_SetName(capsule, "used_dltensor_versioned"));
    return at::Tensor(at::fromDLPackVersioned(managed));
  }
  if (PyCapsule_IsValid(capsule, legacy_name)) {
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, legacy_name));
    check(PyCapsule_SetName(capsule, "used_dltensor"));
    return at::Tensor(at::fromDLPack(managed));
  }
  const char* name = PyCapsule_GetName(capsule);
  PyErr_Clear();
  if (name != nullptr && std::strncmp(name, "used_", 5) == 0) {
    throw_error(PyExc_ValueError,
                "from_dlpack(): the capsule was already consumed; it can be used only once");
  }
  // The name may contain any bytes.
  const char* text = name != nullptr ? name : "";
  const Ref shown =
      own(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "backslashreplace"));
  throw_error(PyExc_ValueError, "from_dlpack(): expected a DLPack capsule, got one named %R", shown.get());
}

// Requests the newest version; if the exporter doesn't know the arguments, requests again without them.
Ref ask_for_capsule(PyObject* source, PyObject* dl_device, PyObject* copy, PyObject* stream) {
  const Ref method = own(PyObject_GetAttrString(source, "__dlpack__"));
  const Ref no_arguments = own(PyTuple_New(0));
  const Ref keywords =
      own(Py_BuildValue("{s:(ii)}", "max_version", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION));
  if (dl_device != Py_None) check(PyDict_SetItemString(keywords.get(), "dl_device", dl_device));
  if (copy != Py_None) check(PyDict_SetItemString(keywords.get(), "copy", copy));
  if (stream != nullptr) check(PyDict_SetItemString(keywords.get(), "stream", stream));
  Ref capsule = Ref::steal(PyObject_Call(method.get(), no_arguments.get(), keywords.get()));
  if (capsule) return capsule;
  if (!PyErr_ExceptionMatches(PyExc_TypeError) || dl_device != Py_None || copy != Py_None) {
    throw PythonError();
  }
  PyErr_Clear();
  const Ref old = own(PyDict_New());
  if (stream != nullptr) check(PyDict_SetItemString(old.get(), "stream", stream));
  return own(PyObject_Call(method.get(), no_arguments.get(), old.get()));
}

// The stream to pass to a CUDA exporter: the current one, on which later work here runs.
Ref stream_argument(PyObject* source) {
  const Ref device = Ref::steal(PyObject_CallMethod(source, "__dlpack_device__", nullptr));
  if (!device) {
    PyErr_Clear();
    return {};
  }
  long type = 0, id = 0;
  if (!PyTuple_Check(device.get()) || !PyArg_ParseTuple(device.get(), "ll", &type, &id)) {
    PyErr_Clear();
    return {};
  }
  if (type != kDLCUDA || id < 0 || id >= c10::device_count(c10::DeviceType::CUDA)) return {};
  const auto& device_type = c10::device_interface(c10::DeviceType::CUDA);
  const c10::Stream current = device_type.current_stream(static_cast<c10::DeviceIndex>(id));
  const auto handle = reinterpret_cast<intptr_t>(device_type.native_stream(current));
  return own(PyLong_FromLongLong(handle == 0 ? legacy_stream : handle));
}

// _from_dlpack(source, dl_device or None, copy or None)
PyObject* from_dlpack(PyObject*, PyObject* args) {
  PyObject *source, *dl_device, *copy;
  if (!PyArg_ParseTuple(args, "OOO:from_dlpack", &source, &dl_device, &copy)) return nullptr;
  try {
    if (PyCapsule_CheckExact(source)) return wrap(consume(source));
    if (!has_attribute(source, "__dlpack__")) {
      throw_error(PyExc_TypeError,
                  "from_dlpack(): argument 'source' (position 1): expected an object with __dlpack__ or a "
                  "capsule, got %s",
                  type_name(source).c_str());
    }
    const Ref stream = stream_argument(source);
    const Ref capsule = ask_for_capsule(source, dl_device, copy, stream.get());
    if (!PyCapsule_CheckExact(capsule.get())) {
      throw_error(PyExc_TypeError, "from_dlpack(): __dlpack__() returned %s, not a capsule",
                  type_name(capsule.get()).c_str());
    }
    return wrap(consume(capsule.get()));
  } catch (...) {
    return raise_current(PACKAGE ".from_dlpack");
  }
}

}  // namespace

PyObject* tensor_dlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
  PyObject *stream = nullptr, *max_version = nullptr, *dl_device = nullptr, *copy = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:__dlpack__", const_cast<char**>(names), &stream,
                                   &max_version, &dl_device, &copy)) {
    return nullptr;
  }
  try {
    const at::Tensor& t = unwrap(self);
    TORCH_CHECK_BUFFER(!t.requires_grad(), "a tensor that requires grad can't be exported; use detach()");
    return capsule_of(t, read_options(t, stream, max_version, dl_device, copy));
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__dlpack__");
  }
}

PyObject* tensor_dlpack_device(PyObject* self, PyObject*) {
  try {
    const DLDevice device = at::torchDeviceToDLDevice(unwrap(self).device());
    return Py_BuildValue("(ii)", static_cast<int>(device.device_type), static_cast<int>(device.device_id));
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__dlpack_device__");
  }
}

int init_dlpack(PyObject* module) {
  static PyMethodDef functions[] = {{"_from_dlpack", from_dlpack, METH_VARARGS, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
  return PyModule_AddFunctions(module, functions);
}

}  // namespace at::python
