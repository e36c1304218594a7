#include "values/storages.h"

#include "errors.h"
#include "tensor_object.h"

#include <c10/core/TensorImpl.h>

namespace at::python {
namespace {

// Looked up by each call: the class is in the half of the package that is imported after this module, and
// few operators take a Storage.
Ref storage_class() { return import_from("_storage", "UntypedStorage"); }

// All of the memory, as uint8. No operator makes it: modes would see it.
at::Tensor bytes_of(const c10::Storage& storage) {
  auto impl = c10::make_intrusive<c10::TensorImpl>(
      c10::Storage(storage), c10::impl::dense_key_set(storage.device_type()), c10::kByte);
  impl->set_sizes_and_strides({static_cast<int64_t>(storage.nbytes())}, {1}, 0);
  return at::Tensor(std::move(impl));
}

}  // namespace

bool is_storage(PyObject* o) {
  const int is = PyObject_IsInstance(o, storage_class().get());
  if (is < 0) throw PythonError();
  return is != 0;
}

c10::Storage to_storage(PyObject* o) {
  const Ref bytes = own(PyObject_GetAttrString(o, "_bytes"));
  return unwrap(bytes.get()).storage();
}

PyObject* from_storage(const c10::Storage& storage) {
  const Ref bytes = own(wrap(bytes_of(storage)));
  return own(PyObject_CallMethod(storage_class().get(), "_of_bytes", "O", bytes.get())).release();
}

}  // namespace at::python
