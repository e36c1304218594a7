// Python's C API (the limited API of 3.10, so that one binary works with all later versions), an owning
// reference, and the exception for Python errors.
#pragma once
#if !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED)
#define Py_LIMITED_API 0x030A0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <c10/macros/Macros.h>

#include <exception>
#include <string>
#include <utility>

// Not in the limited API, but documented and exported by every CPython since 3.4.
extern "C" int PyGILState_Check(void);

namespace at::python {

/// Owns one reference, or is empty. All members need the GIL.
class Ref {
 public:
  Ref() = default;
  static Ref steal(PyObject* o) { return Ref(o); }
  static Ref borrow(PyObject* o) {
    Py_XINCREF(o);
    return Ref(o);
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref(const Ref& other) : object_(other.object_) { Py_XINCREF(object_); }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Ref(PyObject* o) : object_(o) {}
  PyObject* object_ = nullptr;
};

/// A Python error that propagates through C++ frames. The constructor fetches the error that is set.
class PythonError : public std::exception {
 public:
  PythonError();
  PythonError(const PythonError&) noexcept;
  ~PythonError() override;
  const char* what() const noexcept override { return "a Python error"; }
  /// Sets it in the interpreter again.
  void restore() const;
  /// The type of a builtin error without a traceback, such as one raised by a conversion; else null.
  PyObject* plain_type() const;
  std::string message() const;

 private:
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
};

/// `o` as an owned reference; throws PythonError for a null pointer, which means that an error is set.
inline Ref own(PyObject* o) {
  if (o == nullptr) [[unlikely]] {
    throw PythonError();
  }
  return Ref::steal(o);
}
/// Throws PythonError if a C API function returned a negative status.
inline void check(int status) {
  if (status < 0) [[unlikely]] {
    throw PythonError();
  }
}
/// Sets a Python error of that type and throws it; the format is PyErr_Format's.
[[noreturn]] C10_COLD void throw_error(PyObject* type, const char* format, ...);

/// The package's name ("aten"), for names such as PACKAGE ".x".
#define PACKAGE C10_LIBRARY_NAME
/// `attribute` of a submodule of the package, which is imported; a new reference.
Ref import_from(const char* submodule, const char* attribute);

/// The UTF-8 text of a str, valid as long as `o` lives.
const char* utf8(PyObject* o, Py_ssize_t* size = nullptr);
/// The name of an object's type for messages: "list", "Tensor".
std::string type_name(PyObject* o);
/// PyObject_HasAttrString() that throws errors other than AttributeError (MemoryError, an interrupt).
bool has_attribute(PyObject* o, const char* name);

inline PyObject* none() {
  Py_INCREF(Py_None);
  return Py_None;
}
inline PyObject* boolean(bool value) {
  PyObject* o = value ? Py_True : Py_False;
  Py_INCREF(o);
  return o;
}

// While the interpreter shuts down, CPython terminates threads that acquire the GIL by forced unwinding,
// which aborts in noexcept destructors. These functions block until the process exits instead.
PyGILState_STATE acquire_gil();
/// PyEval_RestoreThread, also for threads that outlive the interpreter.
void restore_thread(PyThreadState* state);
/// PyObject_Call for code that any thread may run; PythonError on failure.
Ref call_object(PyObject* function, PyObject* args, PyObject* kwargs = nullptr);
/// The same with one to three arguments.
Ref call_object_with(PyObject* function, PyObject* a, PyObject* b = nullptr, PyObject* c = nullptr);

/// Acquires the GIL in its scope; for code that any thread may run.
class GilAcquire {
 public:
  GilAcquire() : state_(acquire_gil()) {}
  GilAcquire(const GilAcquire&) = delete;
  ~GilAcquire() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// Releases the GIL in its scope.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  GilReleased(const GilReleased&) = delete;
  ~GilReleased() { restore_thread(state_); }

 private:
  PyThreadState* state_;
};

/// Whether Python can still be called; false once the interpreter is shutting down. Python objects that C++
/// owns are leaked then.
bool interpreter_alive();
/// Called at exit by the thread that finalizes the interpreter: no other thread may acquire the GIL after it.
void interpreter_exits();

using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
/// A METH_FASTCALL | METH_KEYWORDS row of a method table.
inline PyMethodDef fast_method(const char* name, FastFunction f, const char* doc, int flags = 0) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(f)),
          METH_FASTCALL | METH_KEYWORDS | flags, doc};
}

}  // namespace at::python
