// Life and death of tensor objects, and their type.
#include "tensor.h"

#include "errors.h"
#include "numbers.h"

#include <c10/core/TensorImpl.h>
#include <c10/core/impl/PyObjectSlot.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

namespace at::python {

PyTypeObject* tensor_type = nullptr;

namespace {

c10::impl::PyObjectSlot& slot_of(const at::Tensor& t) { return *t.unsafeGetTensorImpl()->pyobj_slot(); }

// Dead plain tensors, kept to be used again: creating an object is most of the cost of a small operator.
constexpr int max_free_objects = 64;
TensorObject* free_objects[max_free_objects];
int num_free_objects = 0;
freefunc free_plain_object = nullptr;

TensorObject* allocate_plain() {
  PyObject* o;
  if (num_free_objects > 0) {
    o = PyObject_Init(reinterpret_cast<PyObject*>(free_objects[--num_free_objects]), tensor_type);
  } else {
    // Plain tensors are not tracked by the garbage collector until they get attributes: they can't be part of a cycle.
    o = reinterpret_cast<PyObject*>(PyObject_GC_New(TensorObject, tensor_type));
    if (o == nullptr) throw PythonError();
  }
  auto* object = reinterpret_cast<TensorObject*>(o);
  object->attributes = nullptr;
  object->weak_references = nullptr;
  return object;
}

TensorObject* allocate(PyTypeObject* type) {
  if (type == tensor_type) return allocate_plain();
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* o = alloc(type, 0);
  if (o == nullptr) throw PythonError();
  return reinterpret_cast<TensorObject*>(o);
}

PyObject* adopt(TensorObject* object, at::Tensor t) {
  slot_of(t).set_pyobj(reinterpret_cast<PyObject*>(object));
  new (&object->tensor) at::Tensor(std::move(t));
  object->owns_tensor = true;
  return reinterpret_cast<PyObject*>(object);
}

// The impl's existing object; takes it back from the impl if that owns it.
PyObject* existing(PyObject* o, at::Tensor t) {
  auto* object = reinterpret_cast<TensorObject*>(o);
  if (object->owns_tensor) {
    Py_INCREF(o);
    return o;
  }
  // The impl's reference to the object becomes the caller's, the caller's to the tensor the object's.
  slot_of(t).set_owns_pyobj(false);
  (void)t.unsafeReleaseTensorImpl();
  object->owns_tensor = true;
  return o;
}

bool has_state(const TensorObject* object) {
  return object->attributes || object->weak_references ||
         Py_TYPE(reinterpret_cast<PyObject*>(const_cast<TensorObject*>(object))) != tensor_type;
}

// Hands the object to its impl: `object` must hold a reference that may be given away, and own the tensor.
void give_to_impl(TensorObject* object) {
  c10::TensorImpl* impl = object->tensor.unsafeGetTensorImpl();
  impl->pyobj_slot()->set_owns_pyobj(true);
  object->owns_tensor = false;
  // Drops the object's reference, but keeps the handle. Should it have been the last (another thread was faster), the
  // impl dies here and gives the object's reference back.
  auto last = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim(impl);
}

void release_tensor(TensorObject* object) {
  if (!object->owns_tensor) {
    (void)object->tensor.unsafeReleaseTensorImpl();  // the impl is dying, and with it this object
    return;
  }
  slot_of(object->tensor).set_pyobj(nullptr);
  object->owns_tensor = false;
  at::Tensor last = std::move(object->tensor);
}

void deallocate(PyObject* self) {
  auto* object = reinterpret_cast<TensorObject*>(self);
  PyTypeObject* type = Py_TYPE(self);
  if (has_state(object)) {
    if (object->owns_tensor && object->tensor.defined() && object->tensor.use_count() > 1) {
      Py_SET_REFCNT(self, 1);
      if (PyObject_GC_IsTracked(self) == 0) PyObject_GC_Track(self);
      give_to_impl(object);
      return;
    }
    if (PyObject_GC_IsTracked(self)) PyObject_GC_UnTrack(self);
    if (object->weak_references) PyObject_ClearWeakRefs(self);
    Py_CLEAR(object->attributes);
  }
  if (object->tensor.defined()) release_tensor(object);
  if (type == tensor_type && num_free_objects < max_free_objects) {
    free_objects[num_free_objects++] = object;
  } else {
    const auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
    release(self);
  }
  Py_DECREF(type);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<TensorObject*>(self)->attributes);
  return 0;
}

int clear(PyObject* self) {
  auto* object = reinterpret_cast<TensorObject*>(self);
  // Garbage to Python, but C++ may hand it out again: it keeps its attributes.
  if (object->owns_tensor && object->tensor.defined() && object->tensor.use_count() > 1) {
    Py_INCREF(self);
    give_to_impl(object);
    return 0;
  }
  Py_CLEAR(object->attributes);
  return 0;
}

// An object that gets attributes may become part of a cycle.
void track(PyObject* self) {
  if (reinterpret_cast<TensorObject*>(self)->attributes && !PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);
}

int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  const int status = PyObject_GenericSetAttr(self, name, value);
  track(self);
  return status;
}

PyObject* get_dict(PyObject* self, void*) {
  PyObject* dict = PyObject_GenericGetDict(self, nullptr);
  track(self);
  return dict;
}

int set_dict(PyObject* self, PyObject* value, void*) {
  const int status = PyObject_GenericSetDict(self, value, nullptr);
  track(self);
  return status;
}

// Tensor(data): as PyTorch's legacy constructor for what is still common: no argument, or data of the default dtype.
PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  try {
    const Ref make = import_from("_tensor", "_new");
    const Ref rest = own(PySequence_Tuple(args));
    const Ref first = own(PyTuple_New(1));
    Py_INCREF(reinterpret_cast<PyObject*>(type));
    PyTuple_SetItem(first.get(), 0, reinterpret_cast<PyObject*>(type));
    const Ref all = own(PySequence_Concat(first.get(), rest.get()));
    return PyObject_Call(make.get(), all.get(), kwargs);
  } catch (...) {
    return raise_current("Tensor");
  }
}

// Tensor._make_subclass(cls, data, require_grad=False): the same memory as an object of a subclass.
PyObject* make_subclass(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"cls", "data", "require_grad", nullptr};
  PyObject *cls = nullptr, *data = nullptr;
  int require_grad = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|p:_make_subclass", const_cast<char**>(names), &cls, &data,
                                   &require_grad)) {
    return nullptr;
  }
  try {
    if (!PyType_Check(cls) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), tensor_type)) {
      throw_error(PyExc_TypeError, "_make_subclass(): argument 'cls' (position 1): expected a subclass of Tensor");
    }
    if (!is_tensor(data)) {
      throw_error(PyExc_TypeError, "_make_subclass(): argument 'data' (position 2): expected Tensor, got %s",
                  type_name(data));
    }
    at::Tensor twin(unwrap(data).unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(), true));
    if (overrides_dispatch(reinterpret_cast<PyTypeObject*>(cls))) {
      twin.unsafeGetTensorImpl()->set_python_dispatch(true);
    }
    twin.set_requires_grad(require_grad != 0);
    return wrap_as(reinterpret_cast<PyTypeObject*>(cls), std::move(twin));
  } catch (...) {
    return raise_current("_make_subclass");
  }
}

void release_from_cpp(PyObject* o) {
  if (!interpreter_alive()) return;
  GilAcquire gil;
  Py_DECREF(o);
}

}  // namespace

bool is_tensor_subclass_instance(PyObject* o) { return PyType_IsSubtype(Py_TYPE(o), tensor_type) != 0; }

PyObject* wrap(at::Tensor t) {
  if (!t.defined()) [[unlikely]] return none();
  if (PyObject* known = slot_of(t).pyobj()) return existing(known, std::move(t));
  return adopt(allocate_plain(), std::move(t));
}

PyObject* wrap_as(PyTypeObject* type, at::Tensor t) {
  if (slot_of(t).pyobj() != nullptr) {
    throw_error(PyExc_RuntimeError, "the tensor already has a Python object of type %s", type_name(slot_of(t).pyobj()));
  }
  return adopt(allocate(type), std::move(t));
}

bool overrides_dispatch(PyTypeObject* type) {
  const Ref method = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__torch_dispatch__"));
  if (!method) PyErr_Clear();
  return method && method.get() != Py_None;
}

}  // namespace at::python
