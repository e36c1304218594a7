// UntypedStorage, a class of the package's Python half, and c10::Storage.
#pragma once
#include "prelude.h"

#include <c10/core/Storage.h>

namespace at::python {

bool is_storage(PyObject* o);
/// The memory of an UntypedStorage.
c10::Storage to_storage(PyObject* o);
/// A new reference to an UntypedStorage of this memory.
PyObject* from_storage(const c10::Storage& storage);

}  // namespace at::python
