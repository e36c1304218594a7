// Kernels of elementwise operators with a mode, optional bounds or operands of different dtypes, one
// implementation per device. Operators of one functor need none of these: their kernels are generated.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

namespace at::native {

using structured_binary_fn = void (*)(TensorIteratorBase&);
using structured_scalar_fn = void (*)(TensorIteratorBase&, const Scalar&);

// Rounded towards zero, towards minus infinity. Operands: out, self, other, of one dtype.
DECLARE_DISPATCH(structured_binary_fn, div_trunc_stub)
DECLARE_DISPATCH(structured_binary_fn, div_floor_stub)

DECLARE_DISPATCH(structured_binary_fn, pow_tensor_tensor_stub)
DECLARE_DISPATCH(structured_scalar_fn, pow_tensor_scalar_stub)

// Operands: out, self, min, max.
DECLARE_DISPATCH(structured_binary_fn, clamp_stub)
// Null: no bound on this side.
using clamp_scalar_fn = void (*)(TensorIteratorBase&, const Scalar* min, const Scalar* max);
DECLARE_DISPATCH(clamp_scalar_fn, clamp_scalar_stub)

// Operands: out, condition (bool), self, other.
using where_fn = void (*)(TensorIterator&);
DECLARE_DISPATCH(where_fn, where_kernel)

// Operands: out, self, end; the weight.
DECLARE_DISPATCH(structured_scalar_fn, lerp_scalar_stub)

// Operands: out, self (complex).
DECLARE_DISPATCH(structured_binary_fn, conj_physical_stub)

enum class GeluType { None, Tanh, END };
using gelu_fn = void (*)(TensorIteratorBase&, GeluType);
DECLARE_DISPATCH(gelu_fn, GeluKernel)

}  // namespace at::native
