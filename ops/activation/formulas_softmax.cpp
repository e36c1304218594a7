// Formulas of softmax and log_softmax.
#include <ATen/native/activation/formulas.h>

#include <ATen/ops/_log_softmax_backward_data.h>
#include <ATen/ops/_softmax_backward_data.h>
#include <ATen/ops/add.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>

namespace torch::inline C10_ABI::autograd::generated::details {

namespace {

Tensor sum_of_product(const Tensor& a, const Tensor& b, int64_t dim) {
  return a.mul(b).sum(dim, /*keepdim=*/true);
}

}  // namespace

Tensor softmax_jvp(const Tensor& self_t, const Tensor& result, int64_t dim) {
  const Tensor t = self_t.to(result.scalar_type());
  return result.mul(t.sub(sum_of_product(result, t, dim)));
}

Tensor log_softmax_jvp(const Tensor& self_t, const Tensor& result, int64_t dim) {
  const Tensor t = self_t.to(result.scalar_type());
  return t.sub(sum_of_product(result.exp(), t, dim));
}

// For output * (grad_output - sum(grad_output * output)).

Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output,
                               int64_t dim) {
  const Tensor centred = grad_output.sub(sum_of_product(grad_output, output, dim));
  return grad.mul(centred).sub(grad_output.mul(sum_of_product(grad, output, dim)));
}

Tensor softmax_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t, const Tensor& output_p,
                            const Tensor& output_t, int64_t dim, ScalarType input_dtype) {
  const Tensor centred = grad_output_p.sub(sum_of_product(grad_output_p, output_p, dim));
  const Tensor moved = output_p.mul(sum_of_product(grad_output_p, output_t, dim));
  return at::_softmax_backward_data(grad_output_t, output_p, dim, input_dtype)
      .add(output_t.mul(centred).sub(moved).to(input_dtype));
}

// For grad_output - exp(output) * sum(grad_output).

Tensor log_softmax_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t,
                                const Tensor& output_p, const Tensor& output_t, int64_t dim,
                                ScalarType input_dtype) {
  const Tensor moved = output_p.exp().mul(output_t).mul(grad_output_p.sum(dim, /*keepdim=*/true));
  return at::_log_softmax_backward_data(grad_output_t, output_p, dim, input_dtype).sub(moved.to(input_dtype));
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
