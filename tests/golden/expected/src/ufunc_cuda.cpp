// Generated from templates/src/ufunc_cuda.cpp.mako; not to be edited.
// Implementations on CUDA of the elementwise operators that are generated from functors.
#include <ATen/ops/scale_native.h>
#include <c10/core/Scalar.h>

namespace at::native {

void ufunc_scale_out_cuda(TensorIteratorBase& iter, const c10::Scalar& alpha);
void structured_ufunc_scale_CUDA::impl(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, const at::Tensor & out) {
  ufunc_scale_out_cuda(*this, alpha);
}

}  // namespace at::native
