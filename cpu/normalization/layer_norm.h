// Kernels of layer normalisation and its gradients.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// x, y: [rows, columns], contiguous. gamma and beta [columns] may be undefined; they, mean and rstd [rows]
// are of x's dtype, or Float with a 16-bit x.
using layer_norm_fn = void (*)(const TensorBase& x, const TensorBase& gamma, const TensorBase& beta,
                               int64_t rows, int64_t columns, double eps, const TensorBase& y,
                               const TensorBase& mean, const TensorBase& rstd);
DECLARE_DISPATCH(layer_norm_fn, layer_norm_kernel)

// The backward pass. Gradients that are not requested are undefined.
using layer_norm_backward_fn = void (*)(const TensorBase& grad, const TensorBase& x, const TensorBase& mean,
                                        const TensorBase& rstd, const TensorBase& gamma, int64_t rows,
                                        int64_t columns, const TensorBase& grad_x,
                                        const TensorBase& grad_gamma, const TensorBase& grad_beta);
DECLARE_DISPATCH(layer_norm_backward_fn, layer_norm_backward_kernel)

}  // namespace at::native
