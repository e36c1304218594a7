// Generated from templates/src/ufunc.h.mako; not to be edited.
// One dispatch stub for each elementwise operator that is generated from a functor.
#pragma once
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

namespace at::inline C10_ABI {
struct TensorIteratorBase;
}

namespace at::native {

DECLARE_HIDDEN_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar&), ufunc_scale_out_stub)

}  // namespace at::native
