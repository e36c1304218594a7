// Shape functions of _softmax and _log_softmax: the input's shape, contiguous.

#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/_log_softmax_meta.h>
#include <ATen/ops/_softmax_meta.h>

namespace at::meta {

namespace {

TensorOptions softmax_options(const Tensor& input, int64_t dim, bool half_to_float) {
  maybe_wrap_dim(dim, input.dim());
  TORCH_CHECK(!half_to_float || input.scalar_type() == kHalf, "conversion is supported for Half type only");
  return half_to_float ? input.options().dtype(kFloat) : input.options();
}

}  // namespace

TORCH_META_FUNC(_softmax)(const Tensor& input, int64_t dim, bool half_to_float) {
  set_output_contiguous(0, input.sizes(), softmax_options(input, dim, half_to_float));
}

TORCH_META_FUNC(_log_softmax)(const Tensor& input, int64_t dim, bool half_to_float) {
  set_output_contiguous(0, input.sizes(), softmax_options(input, dim, half_to_float));
}

}  // namespace at::meta
