// The Tensor type, and the lifetime of its objects.
#include "tensor/tensor.h"

#include "autograd/autograd.h"
#include "errors.h"
#include "exchange/exchange.h"

#include <c10/core/TensorImpl.h>
#include <c10/core/impl/PyObjectSlot.h>

#include <structmember.h>

#include <cstddef>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace at::python {

PyTypeObject* tensor_type = nullptr;

namespace {

c10::impl::PyObjectSlot& slot_of(const at::Tensor& t) { return *t.unsafeGetTensorImpl()->pyobj_slot(); }

// A free list of exact Tensor objects: allocation would be most of the cost of a small operator.
constexpr int max_free_objects = 64;
TensorObject* free_objects[max_free_objects];
int num_free_objects = 0;

TensorObject* allocate_plain() {
  PyObject* o;
  if (num_free_objects > 0) {
    o = PyObject_Init(reinterpret_cast<PyObject*>(free_objects[--num_free_objects]), tensor_type);
  } else {
    // The garbage collector doesn't track exact tensors until they get attributes: before that they can't be
    // part of a cycle.
    o = reinterpret_cast<PyObject*>(PyObject_GC_New(TensorObject, tensor_type));
    if (o == nullptr) throw PythonError();
  }
  auto* object = reinterpret_cast<TensorObject*>(o);
  object->attributes = nullptr;
  object->weak_references = nullptr;
  object->tracked = false;
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
  slot_of(t).init_pyobj(reinterpret_cast<PyObject*>(object));
  new (&object->tensor) at::Tensor(std::move(t));
  object->owns_tensor = true;
  return reinterpret_cast<PyObject*>(object);
}

// The impl's existing object. If the impl owns it, ownership is reversed.
PyObject* existing(PyObject* o, at::Tensor t) {
  auto* object = reinterpret_cast<TensorObject*>(o);
  if (object->owns_tensor) {
    Py_INCREF(o);
    return o;
  }
  // The impl's reference to the object passes to the caller, the caller's reference to the impl to the
  // object.
  slot_of(t).set_owns_pyobj(false);
  (void)t.unsafeReleaseTensorImpl();
  object->owns_tensor = true;
  return o;
}

bool has_state(const TensorObject* object) {
  return object->attributes || object->weak_references ||
         Py_TYPE(reinterpret_cast<PyObject*>(const_cast<TensorObject*>(object))) != tensor_type;
}

bool cpp_holds(const TensorObject* object) {
  return object->tensor.defined() && object->tensor.use_count() > 1;
}

// Makes the impl own the object. The caller gives up a reference to `object`, which must own the tensor.
void give_to_impl(TensorObject* object) {
  c10::TensorImpl* impl = object->tensor.unsafeGetTensorImpl();
  impl->pyobj_slot()->set_owns_pyobj(true);
  object->owns_tensor = false;
  // Releases the object's reference, but keeps the pointer. If it was the last one, because another thread
  // released its own meanwhile, the impl is destroyed here and releases its reference to the object.
  auto last = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim(impl);
}

void release_tensor(TensorObject* object) {
  if (!object->owns_tensor) {
    (void)object->tensor.unsafeReleaseTensorImpl();  // the impl is being destroyed, and this object with it
    return;
  }
  slot_of(object->tensor).clear();
  object->owns_tensor = false;
  at::Tensor last = std::move(object->tensor);
}

void deallocate(PyObject* self) {
  auto* object = reinterpret_cast<TensorObject*>(self);
  PyTypeObject* type = Py_TYPE(self);
  if (has_state(object)) {
    if (object->owns_tensor && cpp_holds(object)) {
      Py_SET_REFCNT(self, 1);
      if (PyObject_GC_IsTracked(self) == 0) PyObject_GC_Track(self);
      give_to_impl(object);
      return;
    }
    if (PyObject_GC_IsTracked(self)) PyObject_GC_UnTrack(self);
    if (object->weak_references) PyObject_ClearWeakRefs(self);
    Py_CLEAR(object->attributes);
  } else if (object->tracked) {
    PyObject_GC_UnTrack(self);
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
  auto* object = reinterpret_cast<TensorObject*>(self);
  Py_VISIT(Py_TYPE(self));
  // C++ may return the object to Python again, so it keeps its attributes alive.
  if (object->owns_tensor && cpp_holds(object)) return 0;
  Py_VISIT(object->attributes);
  return object->owns_tensor ? visit_autograd(object->tensor, visit, arg) : 0;
}

int clear(PyObject* self) {
  auto* object = reinterpret_cast<TensorObject*>(self);
  // Garbage to Python, but C++ may return it again, so it keeps its attributes.
  if (object->owns_tensor && cpp_holds(object)) {
    Py_INCREF(self);
    give_to_impl(object);
    return 0;
  }
  Py_CLEAR(object->attributes);
  // Its hooks and its grad_fn may refer to it.
  if (object->owns_tensor && object->tensor.defined()) release_tensor(object);
  return 0;
}

// An object that gets attributes may become part of a cycle.
void track_attributes(PyObject* self) {
  if (reinterpret_cast<TensorObject*>(self)->attributes) track(self);
}

int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  const int status = PyObject_GenericSetAttr(self, name, value);
  track_attributes(self);
  return status;
}

PyObject* get_dict(PyObject* self, void*) {
  PyObject* dict = PyObject_GenericGetDict(self, nullptr);
  track_attributes(self);
  return dict;
}

int set_dict(PyObject* self, PyObject* value, void*) {
  const int status = PyObject_GenericSetDict(self, value, nullptr);
  track_attributes(self);
  return status;
}

// Tensor(data): a copy of the data with the default dtype, as an instance of the called class.
PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  try {
    const Ref make = import_from("_tensor", "_construct");
    const Ref first = own(PyTuple_Pack(1, reinterpret_cast<PyObject*>(type)));
    const Ref all = own(PySequence_Concat(first.get(), args));
    return PyObject_Call(make.get(), all.get(), kwargs);
  } catch (...) {
    return raise_current(PACKAGE ".Tensor");
  }
}

void incref_from_cpp(PyObject* o) {
  if (!interpreter_alive()) return;
  GilAcquire gil;
  Py_INCREF(o);
}
void decref_from_cpp(PyObject* o) {
  if (!interpreter_alive()) return;
  GilAcquire gil;
  Py_DECREF(o);
}
constexpr c10::impl::PyInterpreterHooks hooks{incref_from_cpp, decref_from_cpp};

// As id() is.
Py_hash_t hash(PyObject* self) { return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(self)); }

PyMemberDef members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(TensorObject, attributes), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

// Hand-written methods come first and take precedence. The type keeps a pointer to the table.
PyMethodDef* all_methods(const PyMethodDef* generated) {
  auto* all = new std::vector<PyMethodDef>();
  for (const PyMethodDef* table :
       {static_cast<const PyMethodDef*>(tensor_methods), static_cast<const PyMethodDef*>(autograd_methods),
        static_cast<const PyMethodDef*>(tensor_exchange_methods), generated}) {
    for (; table->ml_name != nullptr; ++table) {
      const std::string_view name = table->ml_name;
      bool taken = false;
      for (const PyMethodDef& m : *all) taken = taken || name == m.ml_name;
      if (!taken) all->push_back(*table);
    }
  }
  all->push_back({nullptr, nullptr, 0, nullptr});
  return all->data();
}

PyGetSetDef* all_properties() {
  auto* all = new std::vector<PyGetSetDef>();
  for (const PyGetSetDef* table : {tensor_properties, autograd_properties}) {
    for (const PyGetSetDef* p = table; p->name != nullptr; ++p) all->push_back(*p);
  }
  all->push_back({"__dict__", get_dict, set_dict, nullptr, nullptr});
  all->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  return all->data();
}

// _swap_tensor_impl(a, b): each object gets the tensor and the attributes of the other.
PyObject* swap_tensor_impl(PyObject*, PyObject* args) {
  PyObject *a = nullptr, *b = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!:_swap_tensor_impl", tensor_type, &a, tensor_type, &b)) return nullptr;
  auto *one = reinterpret_cast<TensorObject*>(a), *other = reinterpret_cast<TensorObject*>(b);
  std::swap(one->tensor, other->tensor);
  std::swap(one->attributes, other->attributes);
  // Both are referred to from Python, so they own their tensors.
  slot_of(one->tensor).init_pyobj(a);
  slot_of(other->tensor).init_pyobj(b);
  // Their classes may have been exchanged as well, and objects of subclasses are always tracked.
  track(a);
  track(b);
  return none();
}
PyMethodDef swap_functions[] = {{"_swap_tensor_impl", swap_tensor_impl, METH_VARARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

constexpr const char* doc =
    "Tensor(data)\n\nAn array of elements of one type, on one device. Functions of the package make them: "
    "tensor, empty, zeros, arange, from_numpy, ...";

}  // namespace

void track(PyObject* self) {
  reinterpret_cast<TensorObject*>(self)->tracked = true;
  if (!PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);
}

bool is_tensor_subclass_instance(PyObject* o) { return PyType_IsSubtype(Py_TYPE(o), tensor_type) != 0; }

PyObject* wrap(at::Tensor t) {
  if (!t.defined()) [[unlikely]] {
    return none();
  }
  if (PyObject* known = slot_of(t).pyobj()) return existing(known, std::move(t));
  return adopt(allocate_plain(), std::move(t));
}

PyObject* wrap_as(PyTypeObject* type, at::Tensor t) {
  if (PyObject* known = slot_of(t).pyobj()) {
    throw_error(PyExc_RuntimeError, "the tensor already has a Python object, a %s", type_name(known).c_str());
  }
  TensorObject* object = allocate(type);
  return adopt(object, std::move(t));
}

int init_tensor(PyObject* module, const PyMethodDef* generated_methods, const PyType_Slot* slots) {
  std::vector<PyType_Slot> all = {
      {Py_tp_new, reinterpret_cast<void*>(construct)},
      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(clear)},
      {Py_tp_free, reinterpret_cast<void*>(PyObject_GC_Del)},
      {Py_tp_setattro, reinterpret_cast<void*>(set_attribute)},
      {Py_tp_hash, reinterpret_cast<void*>(hash)},
      {Py_tp_members, members},
      {Py_tp_methods, all_methods(generated_methods)},
      {Py_tp_getset, all_properties()},
      {Py_tp_doc, const_cast<char*>(doc)},
  };
  for (const PyType_Slot* s = tensor_slots; s->slot != 0; ++s) all.push_back(*s);
  for (const PyType_Slot* s = slots; s->slot != 0; ++s) all.push_back(*s);
  all.push_back({0, nullptr});
  PyType_Spec spec{PACKAGE ".Tensor", sizeof(TensorObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, all.data()};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  tensor_type = reinterpret_cast<PyTypeObject*>(type);
  c10::impl::set_python_hooks(&hooks);
  Py_INCREF(type);
  if (PyModule_AddFunctions(module, swap_functions) < 0) return -1;
  return PyModule_AddObject(module, "Tensor", type);
}

}  // namespace at::python
