// Kernels of reductions, one implementation per device. Iterations are made by make_reduction
// (ReduceOpsUtils.h).
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

using reduce_fn = void (*)(TensorIterator&);
DECLARE_DISPATCH(reduce_fn, sum_stub)
DECLARE_DISPATCH(reduce_fn, mean_stub)
DECLARE_DISPATCH(reduce_fn, prod_stub)
DECLARE_DISPATCH(reduce_fn, and_stub)
DECLARE_DISPATCH(reduce_fn, or_stub)
DECLARE_DISPATCH(reduce_fn, min_values_stub)
DECLARE_DISPATCH(reduce_fn, max_values_stub)
// Position of the first extremum along the one folded dimension, as int64; NaN counts as the extremum.
DECLARE_DISPATCH(reduce_fn, argmax_stub)
DECLARE_DISPATCH(reduce_fn, argmin_stub)

// sum((x - mean)^2) / max(0, n - correction), or its square root.
using reduce_std_var_fn = void (*)(TensorIterator&, double correction, bool take_sqrt);
DECLARE_DISPATCH(reduce_std_var_fn, std_var_stub)

// Norms of vectors; ord is 0, 1, 2, inf or -inf. Input and output have one floating dtype.
using norm_fn = void (*)(TensorIterator&, double ord);
DECLARE_DISPATCH(norm_fn, norm_stub)

// result and self have the same shape and dtype; dim is not negative.
using cum_fn = void (*)(const TensorBase& result, const TensorBase& self, int64_t dim);
DECLARE_DISPATCH(cum_fn, cumsum_stub)

}  // namespace at::native
