// The Python object of a tensor, and the functions by which the core, which knows no Python, handles it.
#pragma once

#include <c10/macros/Macros.h>

#include <atomic>
#include <cstdint>

struct _object;
using PyObject = _object;

namespace c10::inline C10_ABI {
namespace impl {

/// Set by the Python binding when it is loaded. Every function takes the GIL itself and does nothing once the
/// interpreter is finalized.
struct PyInterpreterHooks {
  void (*incref)(PyObject* object);
  void (*decref)(PyObject* object);
};
C10_API void set_python_hooks(const PyInterpreterHooks* hooks) noexcept;
C10_API const PyInterpreterHooks* python_hooks() noexcept;

/// The tensor's only Python object, if it has one. Normally that object owns the tensor; when only C++ still
/// holds the tensor, the slot owns the object instead, so that attributes and identity survive.
class C10_API PyObjectSlot {
 public:
  PyObjectSlot() = default;
  PyObjectSlot(const PyObjectSlot&) = delete;
  PyObjectSlot& operator=(const PyObjectSlot&) = delete;
  ~PyObjectSlot() {
    if (C10_UNLIKELY(owns_pyobj())) release_owned();
  }

  PyObject* pyobj() const noexcept { return reinterpret_cast<PyObject*>(bits() & ~kOwns); }
  bool owns_pyobj() const noexcept { return (bits() & kOwns) != 0; }
  void init_pyobj(PyObject* object) noexcept { store(reinterpret_cast<uintptr_t>(object)); }
  void set_owns_pyobj(bool owns) noexcept { store((bits() & ~kOwns) | (owns ? kOwns : 0)); }
  void clear() noexcept { store(0); }
  /// Stores `object` if the slot is empty; otherwise returns the present one.
  PyObject* set_if_empty(PyObject* object) noexcept {
    uintptr_t expected = 0;
    if (bits_.compare_exchange_strong(expected, reinterpret_cast<uintptr_t>(object),
                                      std::memory_order_acq_rel)) {
      return object;
    }
    return reinterpret_cast<PyObject*>(expected & ~kOwns);
  }
  /// Drops the object if the slot owns it.
  void maybe_destroy_pyobj() noexcept {
    if (C10_UNLIKELY(owns_pyobj())) release_owned();
  }

 private:
  // Objects are aligned, so the lowest bit of the address is free.
  static constexpr uintptr_t kOwns = 1;
  uintptr_t bits() const noexcept { return bits_.load(std::memory_order_acquire); }
  void store(uintptr_t bits) noexcept { bits_.store(bits, std::memory_order_release); }
  void release_owned() noexcept;

  std::atomic<uintptr_t> bits_{0};
};

}  // namespace impl
}  // namespace c10::inline C10_ABI
