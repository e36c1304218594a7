// Generated from templates/src/ufunc_cuda.h.mako; not to be edited.
// The loops on CUDA of the elementwise operators that are generated from functors.
#pragma once
#include <c10/core/Scalar.h>

namespace at::inline C10_ABI {
struct TensorIteratorBase;
}

namespace at::native {

void ufunc_scale_out_cuda(TensorIteratorBase& iter, const c10::Scalar& alpha);

}  // namespace at::native
