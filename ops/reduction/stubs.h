// Stubs of reductions, one implementation per device. Iterations are made by make_reduction
// (reduced_shape.h).
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/reduction/reducers.h>

namespace at::native {

using accumulate_fn = void (*)(TensorIterator&, Accumulation);
DECLARE_DISPATCH(accumulate_fn, accumulate_stub)

using reduce_fn = void (*)(TensorIterator&);
DECLARE_DISPATCH(reduce_fn, and_stub)
DECLARE_DISPATCH(reduce_fn, or_stub)
DECLARE_DISPATCH(reduce_fn, min_values_stub)
DECLARE_DISPATCH(reduce_fn, max_values_stub)
// The index of the first extremum along the one reduced dimension, as int64; NaN counts as the extremum.
DECLARE_DISPATCH(reduce_fn, argmax_stub)
DECLARE_DISPATCH(reduce_fn, argmin_stub)

// Of int64.
DECLARE_DISPATCH(reduce_fn, xor_stub)
// How many elements aren't zero, as int64.
DECLARE_DISPATCH(reduce_fn, count_stub)

// sum((x - mean)^2) / max(0, n - correction), or its square root.
using reduce_std_var_fn = void (*)(TensorIterator&, double correction, bool take_sqrt);
DECLARE_DISPATCH(reduce_std_var_fn, std_var_stub)

// Vector norms; ord is 0, 1, 2, inf or -inf. Input and output have one floating dtype.
using norm_fn = void (*)(TensorIterator&, double ord);
DECLARE_DISPATCH(norm_fn, norm_stub)

}  // namespace at::native
