// Meta functions of activation functions, and of the gradient of threshold, which is threshold again.
#include <ATen/TensorIterator.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/gelu_meta.h>
#include <ATen/ops/glu_meta.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/relu_meta.h>
#include <ATen/ops/softplus_meta.h>
#include <ATen/ops/softshrink_meta.h>
#include <ATen/ops/threshold_backward_meta.h>
#include <ATen/ops/threshold_meta.h>

namespace at::meta {

TORCH_META_FUNC(relu)(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool, "Boolean inputs not supported for relu");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(gelu)(const Tensor& self, c10::string_view approximate) {
  TORCH_CHECK(approximate == "none" || approximate == "tanh",
              "approximate argument must be either none or tanh.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(softshrink)(const Tensor& self, const Scalar& lambd) {
  TORCH_CHECK(lambd.toDouble() >= 0, "lambda must be greater or equal to 0, but found to be ",
              lambd.toDouble(), ".");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(softplus)(const Tensor& self, const Scalar&, const Scalar&) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

namespace {

// Elements of `chosen` where those of `self` are above the threshold. Either may be overwritten.
TensorIteratorConfig threshold_config(const Tensor& out, const Tensor& self, const Tensor& chosen) {
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true)
      .add_borrowed_output(out)
      .add_borrowed_const_input(self)
      .add_borrowed_const_input(chosen);
  return config;
}

}  // namespace

TORCH_META_FUNC(threshold)(const Tensor& self, const Scalar&, const Scalar&) {
  auto config = threshold_config(maybe_get_output(), self, self);
  build(config);
}

TORCH_META_FUNC(threshold_backward)(const Tensor& grad_output, const Tensor& self, const Scalar&) {
  // A newly allocated result overlaps nothing.
  if (C10_LIKELY(!maybe_get_output().defined())) {
    build_borrowing_binary_op(maybe_get_output(), self, grad_output);
    return;
  }
  auto config = threshold_config(maybe_get_output(), self, grad_output);
  build(config);
}

TORCH_META_FUNC(glu)(const Tensor& self, int64_t dim) {
  // A 0-dim tensor is a single element, which has no halves.
  TORCH_CHECK(self.dim() > 0, "glu does not support scalars because halving size must be even");
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(wrapped), half = size / 2;
  TORCH_CHECK(size % 2 == 0, "Halving dimension must be even, but dimension ", wrapped, " is size ", size);
  TensorIteratorConfig config;
  config.add_borrowed_output(maybe_get_output())
      .add_owned_const_input(self.narrow(wrapped, 0, half))
      .add_owned_const_input(self.narrow(wrapped, half, half))
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true);
  build(config);
}

}  // namespace at::meta
