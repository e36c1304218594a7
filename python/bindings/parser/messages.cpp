// Error messages of the parser for calls that match no overload.
#include "parser/messages.h"

#include "tensor_object.h"
#include "values/values.h"

#include <cstring>
#include <string>

namespace at::python {
namespace {

std::string element_name(ParamType type) {
  switch (type) {
    case ParamType::Tensor:
    case ParamType::TensorList:
      return "Tensor";
    case ParamType::OptionalTensorList:
      return "Tensor or None";
    case ParamType::Scalar:
    case ParamType::ScalarList:
      return "Number";
    case ParamType::Int:
    case ParamType::IntList:
      return "int";
    case ParamType::Double:
    case ParamType::DoubleList:
      return "float";
    case ParamType::Bool:
    case ParamType::BoolList:
      return "bool";
    case ParamType::String:
    case ParamType::StringList:
      return "str";
    case ParamType::ScalarType:
      return PACKAGE ".dtype";
    case ParamType::Layout:
      return PACKAGE ".layout";
    case ParamType::MemoryFormat:
      return PACKAGE ".memory_format";
    case ParamType::Device:
      return PACKAGE ".device";
    case ParamType::Generator:
      return PACKAGE ".Generator";
    case ParamType::Stream:
      return PACKAGE ".Stream";
    case ParamType::Storage:
      return "Storage";
    default:
      return "a value this version cannot pass";
  }
}

bool is_list(ParamType type) { return type >= ParamType::TensorList && type <= ParamType::StringList; }

std::string text_of(PyObject* o) {
  const char* text = PyUnicode_AsUTF8AndSize(o, nullptr);
  if (text == nullptr) {
    PyErr_Clear();
    return "?";
  }
  return text;
}

void set_type_error(const std::string& message) { PyErr_SetString(PyExc_TypeError, message.c_str()); }

bool keyword_known(const Overload& overload, PyObject* name) {
  static const char* const aliases[][2] = {{"dim", "axis"}, {"keepdim", "keepdims"}, {"input", "x"},
                                           {"input", "a"},  {"input", "x1"},         {"other", "x2"}};
  for (int i = 0; i < overload.num_params; ++i) {
    const char* param = overload.params[i].name;
    if (PyUnicode_CompareWithASCIIString(name, param) == 0) return true;
    for (const auto& alias : aliases) {
      if (std::strcmp(alias[0], param) == 0 && PyUnicode_CompareWithASCIIString(name, alias[1]) == 0) {
        return true;
      }
    }
  }
  return false;
}

// An unknown keyword, or one for a parameter that was also passed by position.
std::string keyword_mismatch(const Overload& overload, const Call& call) {
  for (Py_ssize_t k = 0; k < call.num_keywords; ++k) {
    PyObject* name = PyTuple_GetItem(call.kwnames, k);
    if (!keyword_known(overload, name)) return unexpected_keyword(name);
  }
  for (Py_ssize_t k = 0; k < call.num_keywords; ++k) {
    PyObject* name = PyTuple_GetItem(call.kwnames, k);
    for (int i = 0; i < overload.num_params && i < call.nargs; ++i) {
      if (PyUnicode_CompareWithASCIIString(name, overload.params[i].name) == 0) {
        return multiple_values(name);
      }
    }
  }
  return "got invalid keyword arguments";
}

std::string missing(const Overload& overload, const Call& call, int param) {
  for (Py_ssize_t k = 0; k < call.num_keywords; ++k) {
    if (!keyword_known(overload, PyTuple_GetItem(call.kwnames, k))) return keyword_mismatch(overload, call);
  }
  const Param& p = overload.params[param];
  return std::string("missing required ") + (p.flags & KeywordOnly ? "keyword-only " : "") + "argument '" +
         p.name + "'" + (p.flags & KeywordOnly ? "" : " (position " + std::to_string(param + 1) + ")");
}

}  // namespace

std::string unexpected_keyword(PyObject* name) {
  return "got an unexpected keyword argument '" + text_of(name) + "'";
}

std::string multiple_values(PyObject* name) {
  return "got multiple values for argument '" + text_of(name) + "'";
}

std::string exchange_hint(PyObject* o) {
  if (PyList_Check(o) || PyTuple_Check(o)) {  // check the elements
    const Py_ssize_t size = PyList_Check(o) ? PyList_Size(o) : PyTuple_Size(o);
    for (Py_ssize_t i = 0; i < size; ++i) {
      PyObject* e = PyList_Check(o) ? PyList_GetItem(o, i) : PyTuple_GetItem(o, i);
      const std::string hint = PyList_Check(e) || PyTuple_Check(e) ? "" : exchange_hint(e);
      if (!hint.empty()) return hint;
    }
    return {};
  }
  if (is_tensor(o) || !has_attribute(o, "__dlpack__")) return {};
  return " of another library; " PACKAGE
         ".from_dlpack() makes a tensor of it by DLPack, which shares its memory";
}

std::string expected(const Param& p) {
  std::string text = element_name(p.type);
  if (is_list(p.type)) {
    if (p.type == ParamType::OptionalTensorList) return "tuple of Tensors or None";
    const std::string list = "tuple of " + text + "s";
    return p.size != 0 && p.type != ParamType::BoolList ? text + " or " + list : list;
  }
  if (p.flags & NumberAsTensor) text += " or Number";
  if (p.flags & TakesNone) text += " or None";
  return text;
}

std::string describe(PyObject* o) {
  const bool list = PyList_Check(o);
  if (!list && !PyTuple_Check(o)) return type_name(o);
  const Py_ssize_t size = list ? PyList_Size(o) : PyTuple_Size(o);
  std::string text = type_name(o);
  if (size == 0) return text;
  text += " of (";
  for (Py_ssize_t i = 0; i < size && i < 4; ++i) {
    if (i) text += ", ";
    text += type_name(list ? PyList_GetItem(o, i) : PyTuple_GetItem(o, i));
  }
  return text + (size > 4 ? ", ...)" : ")");
}

void set_mismatch_error(const Function& f, const Overload& overload, const Call& call,
                        const Mismatch& mismatch) {
  const std::string head = std::string(f.prefix) + "(): ";
  switch (mismatch.kind) {
    case Mismatch::TooMany:
      return set_type_error(head + "takes " + std::to_string(overload.num_positional) +
                            " positional argument" + (overload.num_positional == 1 ? "" : "s") + " but " +
                            std::to_string(call.nargs) + (call.nargs == 1 ? " was" : " were") + " given");
    case Mismatch::Missing:
      return set_type_error(head + missing(overload, call, mismatch.param));
    case Mismatch::Keyword:
      return set_type_error(head + keyword_mismatch(overload, call));
    default:
      break;
  }
  const Param& p = overload.params[mismatch.param];
  std::string text = head + "argument '" + p.name + "'";
  if (mismatch.param < call.nargs) text += " (position " + std::to_string(mismatch.param + 1) + ")";
  const std::string got = is_list(p.type) ? describe(mismatch.got) : type_name(mismatch.got);
  set_type_error(text + ": expected " + expected(p) + ", got " + got + exchange_hint(mismatch.got));
}

void set_overloads_error(const Function& f, const Call& call) {
  std::string text = std::string(f.prefix) + "(): received an invalid combination of arguments - got (";
  for (Py_ssize_t i = 0; i < call.nargs; ++i) text += (i ? ", " : "") + describe(call.args[i]);
  for (Py_ssize_t k = 0; k < call.num_keywords; ++k) {
    text += (call.nargs || k ? ", " : "") + text_of(PyTuple_GetItem(call.kwnames, k)) + "=" +
            describe(call.args[call.nargs + k]);
  }
  text += "), but expected one of:\n";
  for (int i = 0; i < f.num_overloads; ++i) text += std::string(" * ") + f.overloads[i].text + "\n";
  for (Py_ssize_t i = 0; i < call.nargs; ++i) {
    const std::string hint = exchange_hint(call.args[i]);
    if (!hint.empty()) text += "Argument " + std::to_string(i + 1) + " is a tensor" + hint + "\n";
  }
  set_type_error(text);
}

}  // namespace at::python
