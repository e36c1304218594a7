// From C++ exceptions to Python's.
#pragma once
#include "prelude.h"

namespace at::python {

/// Call it in a `catch (...)`: sets the Python error that the current exception stands for, and returns
/// nullptr. `function` ("aten.add") is put before messages that name no function; may be null.
/// c10::IndexError, ValueError, TypeError, NotImplementedError, BufferError become Python's, OutOfMemoryError
/// and std::bad_alloc MemoryError, every other c10::Error and std::exception RuntimeError.
C10_COLD PyObject* raise_current(const char* function = nullptr) noexcept;
/// The same for functions that report failure by -1.
C10_COLD int raise_current_int(const char* function = nullptr) noexcept;

/// Errors of linear algebra; a subclass of RuntimeError.
PyObject* linalg_error();

/// Routes c10's warnings to Python's `warnings`, and adds the error classes to the module.
int init_errors(PyObject* module);

}  // namespace at::python
