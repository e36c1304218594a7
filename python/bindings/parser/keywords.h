// Keyword arguments of calls that no table of overloads describes.
#pragma once
#include "errors.h"
#include "parser/messages.h"

#include <string>

namespace at::python {

/// Calls take(place, k) for each keyword argument `k`; place(name) is that of a parameter, -1 for none.
/// Throws a TypeError, whose message begins with function(), for other names and for parameters that are
/// among the first `nargs`, which were passed by position.
template <class Function, class Place, class Take>
void match_keywords(PyObject* kwnames, Py_ssize_t nargs, const Function& function, const Place& place,
                    const Take& take) {
  const Py_ssize_t count = kwnames ? PyTuple_Size(kwnames) : 0;
  for (Py_ssize_t k = 0; k < count; ++k) {
    PyObject* name = PyTuple_GetItem(kwnames, k);
    const Py_ssize_t at = place(name);
    if (at < nargs) {
      const std::string fault = at < 0 ? unexpected_keyword(name) : multiple_values(name);
      throw_error(PyExc_TypeError, "%s(): %s", std::string(function()).c_str(), fault.c_str());
    }
    take(at, k);
  }
}

}  // namespace at::python
