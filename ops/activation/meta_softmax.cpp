// Meta functions of _softmax and _log_softmax and their gradients: the input's shape, contiguous.

#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/_log_softmax_backward_data_meta.h>
#include <ATen/ops/_log_softmax_meta.h>
#include <ATen/ops/_softmax_backward_data_meta.h>
#include <ATen/ops/_softmax_meta.h>

namespace at::meta {

namespace {

TensorOptions softmax_options(const Tensor& input, int64_t dim, bool half_to_float) {
  maybe_wrap_dim(dim, input.dim());
  TORCH_CHECK(!half_to_float || input.scalar_type() == kHalf, "conversion is supported for Half type only");
  return half_to_float ? input.options().dtype(kFloat) : input.options();
}

// The dtype of the forward pass's input: Half where the output is Float by `half_to_float`.
TensorOptions softmax_backward_options(const Tensor& grad, const Tensor& output, int64_t dim,
                                       ScalarType input_dtype) {
  maybe_wrap_dim(dim, grad.dim());
  TORCH_CHECK(grad.sizes() == output.sizes(),
              "Expected tensor for argument 'grad_output' to have the size of "
              "argument 'output', ",
              output.sizes(), ", but got ", grad.sizes());
  TORCH_CHECK(grad.scalar_type() == output.scalar_type(), "expected scalar type ", output.scalar_type(),
              " for argument 'grad_output' but found ", grad.scalar_type());
  TORCH_CHECK(grad.scalar_type() == input_dtype || (grad.scalar_type() == kFloat && input_dtype == kHalf),
              "expected input and grad types to match, or input to be at::Half and grad to be at::Float");
  return grad.options().dtype(input_dtype);
}

}  // namespace

TORCH_META_FUNC(_softmax_backward_data)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype) {
  set_output_contiguous(0, grad.sizes(), softmax_backward_options(grad, output, dim, input_dtype));
}

TORCH_META_FUNC(_log_softmax_backward_data)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype) {
  set_output_contiguous(0, grad.sizes(), softmax_backward_options(grad, output, dim, input_dtype));
}

TORCH_META_FUNC(_softmax)(const Tensor& input, int64_t dim, bool half_to_float) {
  set_output_contiguous(0, input.sizes(), softmax_options(input, dim, half_to_float));
}

TORCH_META_FUNC(_log_softmax)(const Tensor& input, int64_t dim, bool half_to_float) {
  set_output_contiguous(0, input.sizes(), softmax_options(input, dim, half_to_float));
}

}  // namespace at::meta
