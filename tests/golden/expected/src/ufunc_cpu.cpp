// Generated from templates/src/ufunc.cpp.mako; not to be edited.
// Implementations of the elementwise operators that are generated from functors.
#include <ATen/ops/scale_native.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

namespace at::native {

DECLARE_HIDDEN_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar&), ufunc_scale_out_stub)
DEFINE_DISPATCH(ufunc_scale_out_stub);
void structured_ufunc_scale_CPU::impl(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, const at::Tensor & out) {
  ufunc_scale_out_stub(device_type(), *this, alpha);
}

}  // namespace at::native
