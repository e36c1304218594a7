// What the parser says when no overload takes a call.
#pragma once
#include "overrides.h"
#include "parser.h"

namespace at::python {

struct Mismatch {
  enum Kind { None, TooMany, Missing, WrongType, Keyword } kind = None;
  int param = 0;
  PyObject* got = nullptr;  // borrowed
};

class Matcher;

/// A tensor with one element that may stand for a number.
bool is_number_like_tensor(PyObject* o);

/// "Tensor or Number", "tuple of ints": what a parameter takes.
std::string expected(const Param& p);
/// How a tensor of another library comes over: what follows its type's name in messages. Empty for others.
std::string exchange_hint(PyObject* o);
/// "list of floats" is more telling than "list".
std::string describe(PyObject* o);

// All set a TypeError.
void set_no_match_error(const Function& f, const Call& call, Matcher& matcher);
void set_mismatch_error(const Function& f, const Overload& overload, const Call& call,
                        const Mismatch& mismatch);
void set_overloads_error(const Function& f, const Call& call);

}  // namespace at::python
