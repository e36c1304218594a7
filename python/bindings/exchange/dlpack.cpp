// DLPack both ways: capsules "dltensor" and "dltensor_versioned", which become "used_..." when they are
// consumed.
#include "errors.h"
#include "exchange.h"
#include "numbers.h"
#include "tensor.h"
#include "values.h"

#include <ATen/DLConvertor.h>
#include <c10/core/DeviceInterface.h>

#include <ATen/ops/clone_ops.h>
#include <ATen/ops/detach_ops.h>
#include <ATen/ops/to_ops.h>

#include <cstring>

namespace at::python {
namespace {

constexpr const char* legacy_name = "dltensor";
constexpr const char* versioned_name = "dltensor_versioned";

// The consumer renames the capsule; one that still has its name was never consumed.
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

struct ExportOptions {
  bool versioned = false;
  std::optional<c10::Device> device;
  std::optional<bool> copy;
};

std::optional<bool> to_optional_bool(PyObject* o, const char* name) {
  if (o == nullptr || o == Py_None) return std::nullopt;
  if (!PyBool_Check(o))
    throw_error(PyExc_TypeError, "__dlpack__(): argument '%s': expected bool or None, got %s", name,
                type_name(o).c_str());
  return o == Py_True;
}

ExportOptions read_options(PyObject* max_version, PyObject* dl_device, PyObject* copy) {
  ExportOptions options;
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

PyObject* capsule_of(const at::Tensor& t, const ExportOptions& options) {
  const bool moves = options.device && !same_place(*options.device, t.device());
  TORCH_CHECK_BUFFER(!(moves && options.copy == false), "DLPack: another device was asked for, but no copy");
  const bool copies = moves || options.copy == true;
  at::Tensor source = t;
  if (moves) {
    source = at::_ops::to_dtype_layout::call(t, std::nullopt, std::nullopt, *options.device, std::nullopt,
                                             false, false, std::nullopt);
  } else if (copies) {
    source = at::_ops::clone::call(t, std::nullopt);
  } else {
    source = share_of(t);
  }
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

// A stream that another library is going to use the memory on: this one's work must be done by then.
void settle_stream(const at::Tensor& t, PyObject* stream) {
  if (stream == nullptr || stream == Py_None) return;
  const int64_t value = is_integer(stream) ? to_int64(stream) : -2;
  if (value == -2)
    throw_error(PyExc_TypeError, "__dlpack__(): argument 'stream': expected int or None, got %s",
                type_name(stream).c_str());
  TORCH_CHECK_BUFFER(!t.is_cpu() || value == -1, "DLPack: stream must be None for a tensor on the CPU");
  if (!t.is_cpu() && value != -1) {
    const GilReleased released;
    c10::device_interface(t.device().type()).synchronize_device(t.device().index());
  }
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
    throw_error(PyExc_ValueError, "from_dlpack(): the capsule was consumed already; a capsule serves once");
  }
  // Whoever named it may have put anything into the name.
  const char* text = name != nullptr ? name : "";
  const Ref shown =
      own(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "backslashreplace"));
  throw_error(PyExc_ValueError, "from_dlpack(): expected a DLPack capsule, got one named %R", shown.get());
}

// Asks for the newest form; exporters that don't know it are asked again without it.
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
  if (!PyErr_ExceptionMatches(PyExc_TypeError) || dl_device != Py_None || copy != Py_None)
    throw PythonError();
  PyErr_Clear();
  const Ref old = own(PyDict_New());
  if (stream != nullptr) check(PyDict_SetItemString(old.get(), "stream", stream));
  return own(PyObject_Call(method.get(), no_arguments.get(), old.get()));
}

// The stream to tell an exporter on a device with streams: the legacy default one, numbered 1.
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
  return type == kDLCUDA ? own(PyLong_FromLong(1)) : Ref();
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
    TORCH_CHECK_BUFFER(!t.requires_grad(), "a tensor that requires grad can't be handed over; use detach()");
    settle_stream(t, stream);
    return capsule_of(t, read_options(max_version, dl_device, copy));
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
