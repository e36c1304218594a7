// Formulas of distances.
#include <ATen/native/distance/formulas.h>

#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>

namespace torch::inline C10_ABI::autograd::generated::details {

// Where rows are equal the distance isn't differentiable: the gradient is 0.
std::tuple<Tensor, Tensor> _euclidean_dist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2,
                                                    const Tensor& distances) {
  if (!grad.defined()) return {};
  const Tensor ratio = grad.div(distances).masked_fill(distances.eq(0), 0);
  const Tensor of_x1 = x1.mul(ratio.sum(-1, /*keepdim=*/true)).sub(ratio.matmul(x2));
  const Tensor of_x2 = x2.mul(ratio.sum(-2).unsqueeze(-1)).sub(ratio.transpose(-2, -1).matmul(x1));
  return {of_x1, of_x2};
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
