// Translation of C++ exceptions to Python exceptions; PythonError, and functions of prelude.h.
#include "errors.h"

#include <c10/util/Exception.h>

#include <cxxabi.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace at::python {

PythonError::PythonError() { PyErr_Fetch(&type_, &value_, &traceback_); }

PythonError::PythonError(const PythonError& other) noexcept
    : std::exception(other), type_(other.type_), value_(other.value_), traceback_(other.traceback_) {
  GilAcquire gil;
  Py_XINCREF(type_);
  Py_XINCREF(value_);
  Py_XINCREF(traceback_);
}

PythonError::~PythonError() {
  if (type_ == nullptr || !interpreter_alive()) return;
  GilAcquire gil;
  Py_XDECREF(type_);
  Py_XDECREF(value_);
  Py_XDECREF(traceback_);
}

void PythonError::restore() const {
  if (type_ == nullptr) {
    PyErr_SetString(PyExc_SystemError, "an error was reported but none was set");
    return;
  }
  Py_XINCREF(type_);
  Py_XINCREF(value_);
  Py_XINCREF(traceback_);
  PyErr_Restore(type_, value_, traceback_);
}

PyObject* PythonError::plain_type() const {
  if (traceback_ != nullptr) return nullptr;
  for (PyObject* plain :
       {PyExc_TypeError, PyExc_ValueError, PyExc_OverflowError, PyExc_RuntimeError, PyExc_IndexError}) {
    if (type_ == plain) return plain;
  }
  return nullptr;
}

std::string PythonError::message() const {
  const Ref text = Ref::steal(value_ ? PyObject_Str(value_) : nullptr);
  const char* bytes = text ? PyUnicode_AsUTF8AndSize(text.get(), nullptr) : nullptr;
  if (bytes == nullptr) PyErr_Clear();
  return bytes ? bytes : "";
}

void throw_error(PyObject* type, const char* format, ...) {
  va_list args;
  va_start(args, format);
  PyErr_FormatV(type, format, args);
  va_end(args);
  throw PythonError();
}

Ref import_from(const char* submodule, const char* attribute) {
  const std::string path = *submodule ? std::string(PACKAGE ".") + submodule : std::string(PACKAGE);
  const Ref module = own(PyImport_ImportModule(path.c_str()));
  return own(PyObject_GetAttrString(module.get(), attribute));
}

bool has_attribute(PyObject* o, const char* name) {
  if (Ref::steal(PyObject_GetAttrString(o, name))) return true;
  if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw PythonError();
  PyErr_Clear();
  return false;
}

const char* utf8(PyObject* o, Py_ssize_t* size) {
  const char* text = PyUnicode_AsUTF8AndSize(o, size);
  if (text == nullptr) throw PythonError();
  return text;
}

std::string type_name(PyObject* o) {
  // The limited API hides tp_name.
  const Ref name = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(o)), "__name__"));
  const char* text = name ? PyUnicode_AsUTF8AndSize(name.get(), nullptr) : nullptr;
  if (text == nullptr) PyErr_Clear();
  return text ? text : "object";
}

namespace {
std::atomic<bool> exiting{false};
std::atomic<pthread_t> exiting_thread{};

[[noreturn]] void wait_for_exit() {
  for (;;) ::pause();
}
bool finalized_by_another_thread() { return exiting && pthread_equal(exiting_thread, pthread_self()) == 0; }

}  // namespace

bool interpreter_alive() { return Py_IsInitialized() != 0 && !finalized_by_another_thread(); }
void interpreter_exits() {
  exiting_thread = pthread_self();
  exiting = true;
}

namespace {

// The interpreter may terminate this thread in f() by forced unwinding.
template <class F>
auto unless_unwound(F f) {
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    wait_for_exit();
  }
}

// For a thread that doesn't hold the GIL, and may find the interpreter finalized.
template <class F>
auto unless_finalized(F f) {
  if (finalized_by_another_thread()) [[unlikely]] {
    wait_for_exit();
  }
  return unless_unwound(f);
}

}  // namespace

PyGILState_STATE acquire_gil() {
  return unless_finalized([] { return PyGILState_Ensure(); });
}
void restore_thread(PyThreadState* state) {
  unless_finalized([state] { PyEval_RestoreThread(state); });
}
Ref call_object(PyObject* function, PyObject* args, PyObject* kwargs) {
  return own(unless_unwound([&] { return PyObject_Call(function, args, kwargs); }));
}
Ref call_object_with(PyObject* function, PyObject* a, PyObject* b, PyObject* c) {
  return own(unless_unwound([&] { return PyObject_CallFunctionObjArgs(function, a, b, c, nullptr); }));
}

namespace {

PyObject* linalg_error_type = nullptr;

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == ':';
}

// "aten.linalg.svd" ends with "linalg.svd".
bool ends_with(const char* function, const std::string& name) {
  const size_t size = std::strlen(function);
  return name.size() < size && name == function + size - name.size() &&
         function[size - name.size() - 1] == '.';
}

// Whether the message begins with the function's name, as in "add(): ...", "aten.add(): ..." or "linalg.svd:
// ...". The name of another function, which this one calls, doesn't count.
bool names_function(const char* function, const char* message) {
  const char* paren = message;
  while (is_name(*paren) && std::strncmp(paren, ": ", 2) != 0) ++paren;
  if (paren == message) return false;
  if (std::strncmp(paren, ": ", 2) == 0) return ends_with(function, std::string(message, paren));
  if (std::strncmp(paren, "():", 3) != 0) return false;
  const char* last = paren;
  while (last != message && last[-1] != '.' && last[-1] != ':') --last;
  const std::string name(last, paren);
  const char* at = std::strstr(function, name.c_str());
  for (; at != nullptr; at = std::strstr(at + 1, name.c_str())) {
    const char before = at == function ? '.' : at[-1], after = at[name.size()];
    if ((before == '.' || before == ':') && (after == '.' || after == '\0')) return true;
  }
  return false;
}

void set_error(PyObject* type, const char* function, const char* message) {
  // Messages may contain bytes that are not UTF-8.
  const std::string prefix =
      function && !names_function(function, message) ? std::string(function) + "(): " : std::string();
  const std::string text = prefix + message;
  const Ref object =
      Ref::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  if (object) PyErr_SetObject(type, object.get());
}

PyObject* python_class(const c10::Error& e) {
  if (dynamic_cast<const c10::IndexError*>(&e)) return PyExc_IndexError;
  if (dynamic_cast<const c10::ValueError*>(&e)) return PyExc_ValueError;
  if (dynamic_cast<const c10::TypeError*>(&e)) return PyExc_TypeError;
  if (dynamic_cast<const c10::NotImplementedError*>(&e)) return PyExc_NotImplementedError;
  if (dynamic_cast<const c10::OutOfMemoryError*>(&e)) return PyExc_MemoryError;
  if (dynamic_cast<const c10::BufferError*>(&e)) return PyExc_BufferError;
  if (dynamic_cast<const c10::SyntaxError*>(&e)) return PyExc_SyntaxError;
  if (dynamic_cast<const c10::LinAlgError*>(&e)) return linalg_error();
  return PyExc_RuntimeError;
}

void warn_in_python(c10::WarningKind kind, const char* message) {
  if (!interpreter_alive()) return;
  GilAcquire gil;
  PyObject* type =
      kind == c10::WarningKind::DeprecationWarning ? PyExc_DeprecationWarning : PyExc_UserWarning;
  if (PyErr_WarnEx(type, message, 1) < 0) throw PythonError();
}

}  // namespace

PyObject* linalg_error() { return linalg_error_type ? linalg_error_type : PyExc_RuntimeError; }

namespace {

// May throw std::bad_alloc for the message.
void set_current(const char* function) {
  try {
    throw;
  } catch (const PythonError& e) {
    PyObject* plain = function ? e.plain_type() : nullptr;
    plain ? set_error(plain, function, e.message().c_str()) : e.restore();
  } catch (const c10::Error& e) {
    set_error(python_class(e), function, e.msg().c_str());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::length_error& e) {
    set_error(PyExc_MemoryError, function, e.what());
  } catch (const std::exception& e) {
    set_error(PyExc_RuntimeError, function, e.what());
  } catch (...) {
    set_error(PyExc_RuntimeError, function, "unknown C++ exception");
  }
}

}  // namespace

PyObject* raise_current(const char* function) noexcept {
  try {
    set_current(function);
  } catch (...) {
    PyErr_NoMemory();
  }
  return nullptr;
}

int raise_current_int(const char* function) noexcept {
  raise_current(function);
  return -1;
}

int init_errors(PyObject* module) {
  linalg_error_type = PyErr_NewExceptionWithDoc(
      PACKAGE ".linalg.LinAlgError", "Raised by linear algebra functions, such as for a singular matrix.",
      PyExc_RuntimeError, nullptr);
  if (linalg_error_type == nullptr) return -1;
  Py_INCREF(linalg_error_type);
  if (PyModule_AddObject(module, "LinAlgError", linalg_error_type) < 0) return -1;
  c10::set_warning_hook(&warn_in_python);
  return 0;
}

}  // namespace at::python
