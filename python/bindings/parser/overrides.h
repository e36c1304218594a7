// __torch_function__: classes that override functions called with their instances, and modes that override
// every call.
#pragma once
#include "prelude.h"

#include <vector>

namespace at::python {

struct Function;

/// The arguments as the interpreter passes them; self is null except for methods.
struct Call {
  PyObject* self;
  PyObject* const* args;
  Py_ssize_t nargs;
  PyObject* kwnames;
  Py_ssize_t num_keywords;
};

/// The arguments whose classes override functions: borrowed references, one for each class, subclasses before
/// their bases.
class Overridden {
 public:
  /// Adds `o` if its class overrides functions; returns whether it does.
  bool add_if_overrides(PyObject* o);
  bool empty() const { return objects_.empty(); }
  void clear() { objects_.clear(); }
  const std::vector<PyObject*>& objects() const { return objects_; }

 private:
  std::vector<PyObject*> objects_;
};

struct OverrideState {
  PyObject* modes = nullptr;    // a list, the innermost mode last; null: none
  bool subclasses_off = false;  // within DisableTorchFunctionSubclass
  bool modes_active = false;
};
extern thread_local OverrideState override_state;

/// Whether a mode overrides this thread's calls.
inline bool overrides_active() { return override_state.modes_active; }

/// Calls __torch_function__ of the mode, then of the arguments' classes; TypeError if all return
/// NotImplemented.
PyObject* call_override(const Function& f, const Call& call, const Overridden& overridden);
/// The same for any callable with its arguments.
PyObject* call_override(PyObject* callable, PyObject* args, PyObject* kwargs, const Overridden& overridden);

/// For a subclass that overrides functions: the result of __torch_function__ for Tensor.<name>.__get__; null
/// for others.
PyObject* overridden_attribute(PyObject* self, const char* name);

/// A dict of a call's keyword arguments; null if it has none.
Ref keywords_of(PyObject* const* values, PyObject* kwnames);

int init_overrides(PyObject* module);

}  // namespace at::python
