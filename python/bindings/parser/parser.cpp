// Overload selection. The fast path is for common calls: positional arguments, tensors of the exact type.
#include "parser/parser.h"

#include "errors.h"
#include "parser/messages.h"
#include "parser/overrides.h"
#include "values/scalars.h"
#include "values/values.h"

#include <cstring>
#include <string>

namespace at::python {

namespace {

// NumPy's names of parameters that PyTorch names differently.
const char* const numpy_names[][2] = {{"dim", "axis"}, {"keepdim", "keepdims"}, {"input", "x"},
                                      {"input", "a"},  {"input", "x1"},         {"other", "x2"}};

PyObject** interned_names(const Overload& overload) {
  if (overload.num_params != 0 && overload.names[0] == nullptr) {
    for (int i = 0; i < overload.num_params; ++i) {
      overload.names[i] = own(PyUnicode_InternFromString(overload.params[i].name)).release();
    }
  }
  return overload.names;
}

// view(2, 3): if an int list is the only positional parameter, its elements may be passed as arguments.
bool one_list(const Overload& o) {
  return o.num_positional == 1 && o.params[0].type == ParamType::IntList && o.params[0].size == 0;
}

}  // namespace

// Matches the arguments of a call with one overload after the other.
class Matcher {
 public:
  Matcher(Arguments& out, const Call& call) : out_(out), call_(call) {}

  bool fits(const Overload& overload);
  const Mismatch& mismatch() const { return mismatch_; }
  Overridden& overridden() { return overridden_; }

 private:
  bool takes(const Param& p, PyObject* o);
  bool takes_list(const Param& p, PyObject* o);
  bool takes_tensor(const Param& p, PyObject* o);
  bool fail(Mismatch::Kind kind, int param, PyObject* got) {
    mismatch_ = {kind, param, got};
    return false;
  }
  PyObject* keyword(PyObject* name, const char* text);

  Arguments& out_;
  const Call& call_;
  Mismatch mismatch_;
  Overridden overridden_;
};

PyObject* Matcher::keyword(PyObject* name, const char* text) {
  for (Py_ssize_t k = 0; k < call_.num_keywords; ++k) {
    if (PyTuple_GetItem(call_.kwnames, k) == name) return call_.args[call_.nargs + k];
  }
  for (Py_ssize_t k = 0; k < call_.num_keywords; ++k) {
    PyObject* given = PyTuple_GetItem(call_.kwnames, k);
    if (PyUnicode_Compare(given, name) == 0) return call_.args[call_.nargs + k];
  }
  for (const auto& names : numpy_names) {
    if (std::strcmp(names[0], text) != 0) continue;
    for (Py_ssize_t k = 0; k < call_.num_keywords; ++k) {
      if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(call_.kwnames, k), names[1]) == 0) {
        return call_.args[call_.nargs + k];
      }
    }
  }
  return nullptr;
}

bool Matcher::fits(const Overload& overload) {
  overridden_.clear();
  if (call_.self != nullptr) overridden_.add_if_overrides(call_.self);
  out_.overload_ = &overload;
  out_.varargs_ = nullptr;
  const bool may_spread = one_list(overload);
  if (call_.nargs > overload.num_positional && !may_spread) return fail(Mismatch::TooMany, 0, nullptr);
  PyObject** names = call_.num_keywords ? interned_names(overload) : nullptr;
  Py_ssize_t position = 0, keywords_left = call_.num_keywords;
  for (int i = 0; i < overload.num_params; ++i) {
    const Param& p = overload.params[i];
    PyObject* o = nullptr;
    bool positional = false;
    if (position < call_.nargs) {
      if (p.flags & KeywordOnly) return fail(Mismatch::TooMany, i, nullptr);
      o = call_.args[position];
      positional = true;
    } else if (keywords_left > 0) {
      o = keyword(names[i], p.name);
    }
    PyObject*& value = out_.values_[i];
    value = nullptr;
    if (o == nullptr) {
      if (!(p.flags & HasDefault)) return fail(Mismatch::Missing, i, nullptr);
      continue;
    }
    if (o == Py_None && (p.flags & TakesNone)) {
      // keeps the default, which is None
    } else if (positional && may_spread && i == 0 && is_listed_integer(o)) {
      out_.varargs_ = call_.args;
      out_.num_varargs_ = call_.nargs;
      value = o;
      position = call_.nargs;
      continue;
    } else if (takes(p, o)) {
      value = o;
    } else {
      return fail(Mismatch::WrongType, i, o);
    }
    positional ? ++position : --keywords_left;
  }
  if (position < call_.nargs) return fail(Mismatch::TooMany, 0, nullptr);
  if (keywords_left > 0) return fail(Mismatch::Keyword, 0, nullptr);
  return true;
}

bool Matcher::takes_tensor(const Param& p, PyObject* o) {
  if (is_exact_tensor(o)) return true;
  if ((p.flags & NumberAsTensor) && is_scalar(o)) return true;
  if (is_tensor(o)) {
    overridden_.add_if_overrides(o);
    return true;
  }
  return overridden_.add_if_overrides(o);
}

bool Matcher::takes(const Param& p, PyObject* o) {
  switch (p.type) {
    case ParamType::Tensor:
      return takes_tensor(p, o);
    case ParamType::Scalar:
      return is_scalar(o) || is_scalar_like_tensor(o);
    case ParamType::Int:
      return is_integer(o);
    case ParamType::Double:
      return is_real(o) || is_scalar_like_tensor(o);
    case ParamType::Bool:
      return is_bool(o);
    case ParamType::String:
      return PyUnicode_Check(o);
    case ParamType::ScalarType:
      return is_dtype_like(o);
    case ParamType::Layout:
      return is_layout(o);
    case ParamType::MemoryFormat:
      return is_memory_format(o);
    case ParamType::Device:
      return is_device_like(o);
    case ParamType::Generator:
      return is_generator(o);
    case ParamType::Stream:
      return is_stream(o);
    case ParamType::Storage:
    case ParamType::Unsupported:
      return false;
    default:
      return takes_list(p, o);
  }
}

bool Matcher::takes_list(const Param& p, PyObject* o) {
  if (p.size != 0) {  // a single value is accepted for the whole list
    if (p.type == ParamType::IntList && is_listed_integer(o)) return true;
    if (p.type == ParamType::DoubleList && is_real(o)) return true;
  }
  const bool list = PyList_Check(o);
  if (!list && !PyTuple_Check(o)) return false;
  const Py_ssize_t size = list ? PyList_Size(o) : PyTuple_Size(o);
  if (p.type == ParamType::BoolList && size != p.size) return false;
  const bool every = p.type == ParamType::TensorList || p.type == ParamType::OptionalTensorList;
  for (Py_ssize_t k = 0; k < (every ? size : std::min<Py_ssize_t>(size, 1)); ++k) {
    PyObject* e = list ? PyList_GetItem(o, k) : PyTuple_GetItem(o, k);
    bool good = false;
    switch (p.type) {
      case ParamType::TensorList:
        good = takes_tensor({p.name, ParamType::Tensor, 0, 0}, e);
        break;
      case ParamType::OptionalTensorList:
        good = e == Py_None || takes_tensor({p.name, ParamType::Tensor, 0, 0}, e);
        break;
      case ParamType::IntList:
        good = is_listed_integer(e);
        break;
      case ParamType::DoubleList:
        good = is_real(e) || is_scalar_like_tensor(e);
        break;
      case ParamType::ScalarList:
        good = is_scalar(e);  // a list of tensors is another overload's, whatever their dimensions
        break;
      case ParamType::BoolList:
        good = is_bool(e);
        break;
      default:
        good = PyUnicode_Check(e);
        break;
    }
    if (!good) return false;
  }
  return true;
}

bool is_scalar_like_tensor(PyObject* o) {
  return is_tensor(o) && unwrap(o).dim() == 0 && !unwrap(o).requires_grad();
}

namespace {

// The fast path: if all arguments are positional, exact tensors or None, the first overload accepts them.
bool takes_plain_tensors(const Overload& overload, PyObject* const* args, Py_ssize_t nargs,
                         PyObject** values) {
  if (nargs > overload.num_positional || nargs < overload.num_required) return false;
  Py_ssize_t i = 0;
  for (; i < nargs; ++i) {
    if (overload.params[i].type != ParamType::Tensor || !is_exact_tensor(args[i])) return false;
    values[i] = args[i];
  }
  for (; i < overload.num_params; ++i) {
    if (!(overload.params[i].flags & HasDefault)) return false;
    values[i] = nullptr;
  }
  return true;
}

}  // namespace

int Arguments::parse(const Function& f, PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                     PyObject* kwnames) {
  function_ = &f;
  num_given_ = nargs;
  if (kwnames == nullptr && takes_plain_tensors(f.overloads[0], args, nargs, values_) &&
      !overrides_active() && (!f.is_method() || is_exact_tensor(self))) [[likely]] {
    overload_ = &f.overloads[0];
    return 0;
  }
  const Call call{f.is_method() ? self : nullptr, args, nargs, kwnames, kwnames ? PyTuple_Size(kwnames) : 0};
  Matcher matcher(*this, call);
  for (int i = 0; i < f.num_overloads; ++i) {
    if (!matcher.fits(f.overloads[i])) continue;
    if (matcher.overridden().empty() && !overrides_active()) return i;
    result_ = call_override(f, call, matcher.overridden());
    return -1;
  }
  set_no_match_error(f, call, matcher);
  return -1;
}

namespace {

// Whether the number of arguments fits. If it fits one overload only, that one's mismatch is reported.
bool plausible(const Overload& o, const Call& call) {
  const Py_ssize_t given = call.nargs + call.num_keywords;
  return given >= o.num_required && (given <= o.num_params || one_list(o));
}

}  // namespace

void set_no_match_error(const Function& f, const Call& call, Matcher& matcher) {
  const Overload* only = nullptr;
  int candidates = 0;
  for (int i = 0; i < f.num_overloads; ++i) {
    if (f.num_overloads == 1 || plausible(f.overloads[i], call)) {
      only = &f.overloads[i];
      ++candidates;
    }
  }
  if (candidates == 1) {
    matcher.fits(*only);
    set_mismatch_error(f, *only, call, matcher.mismatch());
  } else {
    set_overloads_error(f, call);
  }
}

}  // namespace at::python
