// Conversions between Python objects and IValues.
#include "values/ivalues.h"

#include "tensor_object.h"
#include "values/results.h"
#include "values/scalars.h"
#include "values/storages.h"
#include "values/values.h"

#include <string>

namespace at::python {
namespace {

using c10::IValue;
using c10::TypeKind;

void release_object(void* object) {
  if (!interpreter_alive()) return;
  GilAcquire gil;
  Py_DECREF(static_cast<PyObject*>(object));
}

[[noreturn]] void wrong_type(PyObject* o, const c10::Type& type) {
  throw_error(PyExc_TypeError, "expected %s, got %s", type.plain_str().c_str(), type_name(o).c_str());
}

bool is_list_like(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }

Py_ssize_t size_of(PyObject* o) { return PyList_Check(o) ? PyList_Size(o) : PyTuple_Size(o); }
PyObject* element(PyObject* o, Py_ssize_t i) {
  PyObject* e = PyList_Check(o) ? PyList_GetItem(o, i) : PyTuple_GetItem(o, i);
  if (e == nullptr) throw PythonError();
  return e;
}

IValue to_list_value(PyObject* o, const c10::Type& type) {
  const c10::Type& inner = type.element();
  std::vector<IValue> values;
  if (!is_list_like(o)) {
    // int[2] accepts one int for all elements.
    if (type.size <= 0 || !fits(o, inner)) wrong_type(o, type);
    values.assign(static_cast<size_t>(type.size), to_ivalue(o, inner));
  } else {
    const Py_ssize_t n = size_of(o);
    values.reserve(static_cast<size_t>(n));
    for (Py_ssize_t i = 0; i < n; ++i) values.push_back(to_ivalue(element(o, i), inner));
  }
  return IValue(c10::make_intrusive<c10::detail::ListImpl>(std::move(values)));
}

bool is_class_like(TypeKind kind) {
  return kind == TypeKind::Any || kind == TypeKind::Var || kind == TypeKind::Class ||
         kind == TypeKind::Generic || kind == TypeKind::AnyClass || kind == TypeKind::AnyEnum;
}

}  // namespace

bool fits(PyObject* o, const c10::Type& type) {
  switch (type.kind) {
    case TypeKind::Optional:
      return o == Py_None || fits(o, type.element());
    case TypeKind::Tensor:
      return is_tensor(o);
    case TypeKind::Int:
    case TypeKind::SymInt:
    case TypeKind::DeviceIndex:
      return is_integer(o);
    case TypeKind::Float:
    case TypeKind::SymFloat:
      return is_real(o);
    case TypeKind::Bool:
    case TypeKind::SymBool:
      return is_bool(o);
    case TypeKind::Number:
      return is_scalar(o);
    case TypeKind::Complex:
      return is_scalar(o);
    case TypeKind::String:
      return PyUnicode_Check(o);
    case TypeKind::Device:
      return is_device_like(o);
    case TypeKind::ScalarType:
      return is_dtype_like(o);
    case TypeKind::Layout:
      return is_layout(o);
    case TypeKind::MemoryFormat:
      return is_memory_format(o);
    case TypeKind::Generator:
      return is_generator(o);
    case TypeKind::Stream:
      return is_stream(o);
    case TypeKind::Storage:
      return is_storage(o);
    case TypeKind::None:
      return o == Py_None;
    case TypeKind::List: {
      if (!is_list_like(o)) return type.size > 0 && fits(o, type.element());
      for (Py_ssize_t i = 0; i < size_of(o); ++i) {
        if (!fits(element(o, i), type.element())) return false;
      }
      return true;
    }
    default:
      return is_class_like(type.kind);
  }
}

IValue to_ivalue(PyObject* o, const c10::Type& type, bool numbers_as_tensors) {
  switch (type.kind) {
    case TypeKind::Optional:
      return o == Py_None ? IValue() : to_ivalue(o, type.element(), numbers_as_tensors);
    case TypeKind::List:
      return to_list_value(o, type);
    case TypeKind::Tensor:
      if (is_tensor(o)) return IValue(unwrap(o));
      if (numbers_as_tensors && is_scalar(o)) return IValue(wrapped_number(to_scalar(o)));
      wrong_type(o, type);
    default:
      break;
  }
  if (!fits(o, type)) wrong_type(o, type);
  switch (type.kind) {
    case TypeKind::Int:
    case TypeKind::SymInt:
    case TypeKind::DeviceIndex:
      return to_int64(o);
    case TypeKind::Float:
    case TypeKind::SymFloat:
      return to_double(o);
    case TypeKind::Bool:
    case TypeKind::SymBool:
      return to_bool(o);
    case TypeKind::Number:
      return to_scalar(o);
    case TypeKind::Complex:
      return to_complex(o);
    case TypeKind::String: {
      Py_ssize_t size = 0;
      const char* text = utf8(o, &size);
      return std::string(text, static_cast<size_t>(size));
    }
    case TypeKind::Device:
      return to_device(o);
    case TypeKind::ScalarType:
      return to_dtype(o);
    case TypeKind::Layout:
      return to_layout(o);
    case TypeKind::MemoryFormat:
      return to_memory_format(o);
    case TypeKind::Generator:
      return to_generator(o);
    case TypeKind::Stream:
      return to_stream(o);
    case TypeKind::Storage:
      return to_storage(o);
    case TypeKind::None:
      return {};
    default:
      if (is_tensor(o)) return IValue(unwrap(o));
      Py_INCREF(o);
      return IValue::from_py_object(o, &release_object);
  }
}

namespace {

PyObject* list_from(const IValue& value, const c10::Type* type) {
  const auto elements = value.toListRef();
  const c10::Type* inner = type && type->is_list() ? &type->element() : nullptr;
  Ref list = own(PyList_New(static_cast<Py_ssize_t>(elements.size())));
  for (size_t i = 0; i < elements.size(); ++i) {
    PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), own(from_ivalue(elements[i], inner)).release());
  }
  return list.release();
}

PyObject* tuple_from(c10::ArrayRef<IValue> elements) {
  Ref tuple = own(PyTuple_New(static_cast<Py_ssize_t>(elements.size())));
  for (size_t i = 0; i < elements.size(); ++i) {
    PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), own(from_ivalue(elements[i])).release());
  }
  return tuple.release();
}

PyObject* from_int(int64_t value, const c10::Type* type) {
  const TypeKind kind = type ? type->kind : TypeKind::Int;
  if (kind == TypeKind::ScalarType) return from_dtype(static_cast<c10::ScalarType>(value));
  if (kind == TypeKind::Layout) return from_layout(static_cast<c10::Layout>(value));
  if (kind == TypeKind::MemoryFormat) return from_memory_format(static_cast<c10::MemoryFormat>(value));
  return PyLong_FromLongLong(value);
}

}  // namespace

PyObject* from_ivalue(const IValue& value, const c10::Type* type) {
  if (type && type->is_optional()) type = &type->element();
  switch (value.tag()) {
    case IValue::Tag::None:
      return none();
    case IValue::Tag::Tensor:
      return wrap(value.toTensor());
    case IValue::Tag::Double:
      return PyFloat_FromDouble(value.toDouble());
    case IValue::Tag::Int:
      return from_int(value.toInt(), type);
    case IValue::Tag::UInt:
      return from_scalar(value.toScalar());
    case IValue::Tag::Bool:
      return boolean(value.toBool());
    case IValue::Tag::Device:
      return from_device(value.toDevice());
    case IValue::Tag::ComplexDouble:
      return from_scalar(c10::Scalar(value.toComplexDouble()));
    case IValue::Tag::String: {
      const std::string& text = value.toStringRef();
      return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    }
    case IValue::Tag::GenericList:
      return list_from(value, type);
    case IValue::Tag::Tuple:
      return tuple_from(value.toTupleRef());
    case IValue::Tag::Stream:
      return from_stream(value.toStream());
    case IValue::Tag::Generator:
      return from_generator(value.toGenerator());
    case IValue::Tag::Storage:
      return from_storage(value.toStorage());
    case IValue::Tag::PyObject: {
      auto* object = static_cast<PyObject*>(value.toPyObject());
      Py_INCREF(object);
      return object;
    }
    default:
      throw_error(PyExc_NotImplementedError, "a value of type %s cannot be converted to Python",
                  value.tagKind());
  }
}

PyObject* from_results(c10::ArrayRef<IValue> values, const c10::FunctionSchema& schema) {
  const auto type_of = [&](size_t i) {
    return i < schema.returns().size() ? &schema.returns()[i].type() : nullptr;
  };
  if (values.empty()) return none();
  if (values.size() == 1) return from_ivalue(values[0], type_of(0));
  Ref tuple = own(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  for (size_t i = 0; i < values.size(); ++i) {
    PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i),
                    own(from_ivalue(values[i], type_of(i))).release());
  }
  return tuple.release();
}

}  // namespace at::python
