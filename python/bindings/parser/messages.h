// Error messages of the parser for calls that match no overload.
#pragma once
#include "parser/overrides.h"
#include "parser/parser.h"

namespace at::python {

struct Mismatch {
  enum Kind { None, TooMany, Missing, WrongType, Keyword } kind = None;
  int param = 0;
  PyObject* got = nullptr;  // borrowed
};

class Matcher;

/// Whether `o` is a one-element tensor that is accepted as a scalar.
bool is_scalar_like_tensor(PyObject* o);

/// The types that a parameter accepts: "Tensor or Number", "tuple of ints".
std::string expected(const Param& p);
/// For a tensor of another library, how to convert it; appended to its type's name in messages. Empty for
/// other objects.
std::string exchange_hint(PyObject* o);
/// The type of `o` with its elements' type: "list of floats".
std::string describe(PyObject* o);

/// "got an unexpected keyword argument 'name'".
std::string unexpected_keyword(PyObject* name);
/// "got multiple values for argument 'name'".
std::string multiple_values(PyObject* name);

// All set a TypeError.
void set_no_match_error(const Function& f, const Call& call, Matcher& matcher);
void set_mismatch_error(const Function& f, const Overload& overload, const Call& call,
                        const Mismatch& mismatch);
void set_overloads_error(const Function& f, const Call& call);

}  // namespace at::python
