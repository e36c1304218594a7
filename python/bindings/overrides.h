// __torch_function__: classes that take calls of functions with their instances among the arguments into
// their own hands, and modes that take every call.
#pragma once
#include "prelude.h"

#include <vector>

namespace at::python {

struct Function;

/// The arguments as the interpreter handed them over; self is null but for methods.
struct Call {
  PyObject* self;
  PyObject* const* args;
  Py_ssize_t nargs;
  PyObject* kwnames;
  Py_ssize_t num_keywords;
};

/// The arguments whose classes override functions: borrowed, one for each class, subclasses before their
/// bases.
class Overridden {
 public:
  /// Whether `o` is such an argument, which is then added.
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

/// Whether a mode takes this thread's calls.
inline bool overrides_active() { return override_state.modes_active; }

/// Asks the mode, then the arguments' classes, to make the call; TypeError when all return NotImplemented.
PyObject* call_override(const Function& f, const Call& call, const Overridden& overridden);
/// The same for any callable with its arguments.
PyObject* call_override(PyObject* callable, PyObject* args, PyObject* kwargs, const Overridden& overridden);

/// A dict of a call's keywords; null if it has none.
Ref keywords_of(PyObject* const* values, PyObject* kwnames);

int init_overrides(PyObject* module);

}  // namespace at::python
