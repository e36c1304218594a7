// Stubs of distances between rows, one implementation per device. Tensors are contiguous, float or double,
// and not empty.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

/// result[b][i][j] is the p-norm of x1[b][i] - x2[b][j].
using cdist_fn = void (*)(const TensorBase& result, const TensorBase& x1, const TensorBase& x2, double p);
DECLARE_DISPATCH(cdist_fn, cdist_stub)

/// result is the gradient of x1.
using cdist_backward_fn = void (*)(const TensorBase& result, const TensorBase& grad, const TensorBase& x1,
                                   const TensorBase& x2, double p, const TensorBase& dist);
DECLARE_DISPATCH(cdist_backward_fn, cdist_backward_stub)

/// Distances of all pairs of rows i < j, ordered by i.
using pdist_fn = void (*)(const TensorBase& result, const TensorBase& self, double p);
DECLARE_DISPATCH(pdist_fn, pdist_stub)

using pdist_backward_fn = void (*)(const TensorBase& result, const TensorBase& grad, const TensorBase& self,
                                   double p, const TensorBase& dist);
DECLARE_DISPATCH(pdist_backward_fn, pdist_backward_stub)

}  // namespace at::native
