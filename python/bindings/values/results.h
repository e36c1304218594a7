// Conversion of C++ results to Python objects: new references; PythonError on failure.
#pragma once
#include "prelude.h"
#include "tensor_object.h"
#include "values/scalars.h"
#include "values/values.h"

#include <c10/core/QScheme.h>
#include <c10/core/SymInt.h>

#include <string_view>
#include <tuple>
#include <vector>

namespace at::python {

/// The named tuple type of an operator whose results all have names; created on first use.
struct NamedTuple {
  const char* name;
  int num_fields;
  const char* const* fields;
  PyTypeObject* type = nullptr;

  /// A new instance without elements.
  PyObject* make();
};

PyObject* wrap_list(const std::vector<at::Tensor>& tensors);

template <class T>
PyObject* result(T&& value) {
  using V = std::decay_t<T>;
  if constexpr (std::is_base_of_v<at::TensorBase, V>) {
    return wrap(at::Tensor(std::forward<T>(value)));
  } else if constexpr (std::is_same_v<V, bool>) {
    return boolean(value);
  } else if constexpr (std::is_integral_v<V>) {
    return PyLong_FromLongLong(value);
  } else if constexpr (std::is_same_v<V, c10::SymInt>) {
    return PyLong_FromLongLong(value.as_int_unchecked());
  } else if constexpr (std::is_floating_point_v<V>) {
    return PyFloat_FromDouble(value);
  } else if constexpr (std::is_same_v<V, c10::Scalar>) {
    return from_scalar(value);
  } else if constexpr (std::is_same_v<V, c10::ScalarType>) {
    return from_dtype(value);
  } else if constexpr (std::is_same_v<V, c10::Layout>) {
    return from_layout(value);
  } else if constexpr (std::is_same_v<V, c10::MemoryFormat>) {
    return from_memory_format(value);
  } else if constexpr (std::is_same_v<V, c10::Device>) {
    return from_device(value);
  } else if constexpr (std::is_same_v<V, c10::QScheme>) {
    return PyUnicode_FromString(toString(value));
  } else if constexpr (std::is_convertible_v<const V&, std::string_view>) {
    const std::string_view text = value;
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  } else if constexpr (std::is_same_v<V, std::vector<at::Tensor>>) {
    return wrap_list(value);
  } else if constexpr (requires { value.has_value(); }) {
    return value.has_value() ? result(*value) : none();
  } else {
    Ref list = own(PyList_New(0));
    for (const auto& e : value) check(PyList_Append(list.get(), own(result(e)).get()));
    return list.release();
  }
}

/// Several results: a tuple, or the operator's named tuple.
template <class... T>
PyObject* result_tuple(const std::tuple<T...>& values, NamedTuple* named = nullptr) {
  Ref tuple = own(named ? named->make() : PyTuple_New(sizeof...(T)));
  Py_ssize_t i = 0;
  const auto put = [&](PyObject* element) {
    if (element == nullptr) throw PythonError();
    if (named) {
      PyStructSequence_SetItem(tuple.get(), i++, element);
    } else {
      PyTuple_SetItem(tuple.get(), i++, element);
    }
  };
  std::apply([&](const auto&... e) { (put(result(e)), ...); }, values);
  return tuple.release();
}

}  // namespace at::python
