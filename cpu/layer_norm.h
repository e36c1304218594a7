// The kernel of layer normalisation.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// x, y: rows x columns, contiguous. gamma and beta (columns each) may be undefined; they, mean and rstd (rows
// each) are of x's dtype, or Float with a 16-bit x.
using layer_norm_fn = void (*)(const TensorBase& x, const TensorBase& gamma, const TensorBase& beta,
                               int64_t rows, int64_t columns, double eps, const TensorBase& y,
                               const TensorBase& mean, const TensorBase& rstd);
DECLARE_DISPATCH(layer_norm_fn, layer_norm_kernel)

}  // namespace at::native
