// Translation of C++ exceptions to Python exceptions.
#pragma once
#include "prelude.h"

namespace at::python {

/// For use in `catch (...)`: sets the Python error for the current exception and returns nullptr. Messages
/// that don't begin with a function's name are prefixed with `function` ("aten.add"), which may be null.
/// c10::IndexError, ValueError, TypeError, NotImplementedError and BufferError map to the same Python
/// classes, OutOfMemoryError and std::bad_alloc to MemoryError, every other c10::Error and std::exception to
/// RuntimeError.
C10_COLD PyObject* raise_current(const char* function = nullptr) noexcept;
/// The same for functions that report failure by -1.
C10_COLD int raise_current_int(const char* function = nullptr) noexcept;

/// linalg.LinAlgError, a subclass of RuntimeError.
PyObject* linalg_error();

/// Redirects c10's warnings to Python's `warnings`, and adds the error classes to the module.
int init_errors(PyObject* module);

}  // namespace at::python
