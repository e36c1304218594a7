// Stubs of fill and copy, one implementation per device.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

namespace at::native {

using fill_fn = void (*)(TensorIterator&, const Scalar&);
DECLARE_DISPATCH(fill_fn, fill_stub)

// Operands: destination, source, of any dtypes. Of the two devices' kernels, the non-CPU one is called.
using copy_fn = void (*)(TensorIterator&, bool non_blocking);
DECLARE_DISPATCH(copy_fn, copy_stub)

}  // namespace at::native
