// softmax's kernels take contiguous operands: what surrounds them, for every backend.
#pragma once

#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>

namespace at::native {

/// Calls kernel(output, input, dim), which writes a result of `dtype`.
template <class Kernel>
void run_softmax(const Tensor& input, int64_t dim, ScalarType dtype, const Tensor& output,
                 const Kernel& kernel) {
  if (input.numel() == 0) return;
  const Tensor source = input.contiguous();
  const bool direct = output.is_contiguous() && output.scalar_type() == dtype;
  const Tensor result = direct ? output : at::empty_like(source, source.options().dtype(dtype));
  kernel(result, source, maybe_wrap_dim(dim, input.dim()));
  if (!direct) const_cast<Tensor&>(output).copy_(result);
}

/// Calls kernel(grad_input, grad, output, dim), which writes a result of `dtype`.
template <class Kernel>
void run_softmax_backward(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType dtype,
                          const Tensor& grad_input, const Kernel& kernel) {
  const Tensor y = output.contiguous();
  run_softmax(grad, dim, dtype, grad_input,
              [&](const Tensor& result, const Tensor& g, int64_t wrapped) { kernel(result, g, y, wrapped); });
}

}  // namespace at::native
