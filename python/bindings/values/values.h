// The package's value types: dtype, device, layout, memory_format, Size, Generator, Stream.
#pragma once
#include "prelude.h"

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Stream.h>
#include <c10/util/ArrayRef.h>

namespace at::python {

extern PyTypeObject* dtype_type;
extern PyTypeObject* layout_type;
extern PyTypeObject* memory_format_type;
extern PyTypeObject* device_type;
extern PyTypeObject* size_type;
extern PyTypeObject* generator_type;
extern PyTypeObject* stream_type;

// dtype, layout and memory_format: one object for each value, compared by identity.
template <class T>
struct EnumObject {
  PyObject_HEAD T value;
};
struct DeviceObject {
  PyObject_HEAD c10::Device value;
};
struct GeneratorObject {
  PyObject_HEAD at::Generator value;
};
struct StreamObject {
  PyObject_HEAD int64_t id;
  c10::Device device;
};

// New references.
PyObject* from_dtype(c10::ScalarType t);
PyObject* from_layout(c10::Layout l);
PyObject* from_memory_format(c10::MemoryFormat f);
PyObject* from_device(c10::Device d);
PyObject* from_size(c10::IntArrayRef sizes);
PyObject* from_ints(c10::IntArrayRef values);  // a plain tuple
PyObject* from_generator(const at::Generator& g);
PyObject* from_stream(c10::Stream s);

inline bool is_dtype(PyObject* o) { return Py_TYPE(o) == dtype_type; }
/// A dtype object, or one of Python's float, int, bool, complex.
bool is_dtype_like(PyObject* o);
c10::ScalarType to_dtype(PyObject* o);
inline bool is_layout(PyObject* o) { return Py_TYPE(o) == layout_type; }
inline c10::Layout to_layout(PyObject* o) { return reinterpret_cast<EnumObject<c10::Layout>*>(o)->value; }
inline bool is_memory_format(PyObject* o) { return Py_TYPE(o) == memory_format_type; }
inline c10::MemoryFormat to_memory_format(PyObject* o) {
  return reinterpret_cast<EnumObject<c10::MemoryFormat>*>(o)->value;
}
/// A device object, "cuda:0", or an int: the index of an accelerator.
bool is_device_like(PyObject* o);
c10::Device to_device(PyObject* o);
inline bool is_generator(PyObject* o) { return PyType_IsSubtype(Py_TYPE(o), generator_type) != 0; }
inline at::Generator& to_generator(PyObject* o) { return reinterpret_cast<GeneratorObject*>(o)->value; }
inline bool is_stream(PyObject* o) { return PyType_IsSubtype(Py_TYPE(o), stream_type) != 0; }
inline c10::Stream to_stream(PyObject* o) {
  const auto* s = reinterpret_cast<StreamObject*>(o);
  return c10::Stream(c10::Stream::UNSAFE, s->device, s->id);
}

int init_values(PyObject* module);
int init_size(PyObject* module);
int init_generator(PyObject* module);

}  // namespace at::python
