// Derivatives of cumprod: output[i] by input[k], which is a simple quotient where no element is zero.
#include <ATen/WrapDimUtils.h>
#include <ATen/batching/BatchedTensorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/scan/formulas.h>

#include <ATen/ops/add.h>
#include <ATen/ops/any.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/cumprod.h>
#include <ATen/ops/cumprod_backward_native.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/item.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros_like.h>

#include <vector>

namespace at::native {

namespace {

// Where the values can't be looked at (of a batch, on Meta) some may be zero: what is captured there must be
// right for every input.
bool may_have_zeros(const Tensor& t) { return !has_one_value(t) || t.eq(0).any().item().toBool(); }

// The derivatives of all products by element k: zero for those before it.
Tensor slopes(const Tensor& input, int64_t dim, int64_t k) {
  const int64_t n = input.size(dim);
  std::vector<Tensor> parts;
  if (k > 0) parts.push_back(at::zeros_like(input.narrow(dim, 0, k)));
  const Tensor one = at::ones_like(input.narrow(dim, k, 1));
  const Tensor behind = k + 1 < n ? at::cat({one, input.narrow(dim, k + 1, n - k - 1)}, dim) : one;
  const Tensor before = k > 0 ? input.narrow(dim, 0, k).cumprod(dim).narrow(dim, k - 1, 1) : one;
  parts.push_back(behind.cumprod(dim).mul(before));
  return at::cat(parts, dim);
}

}  // namespace

Tensor cumprod_backward(const Tensor& grad, const Tensor& input, int64_t dim, const Tensor& output) {
  if (input.numel() <= 1) return grad;
  dim = maybe_wrap_dim(dim, input.dim());
  if (input.dim() == 0 || input.size(dim) == 1) return grad;
  if (!may_have_zeros(input)) {
    return output.conj_physical().mul(grad).flip({dim}).cumsum(dim).flip({dim}).div(input.conj_physical());
  }
  std::vector<Tensor> parts;
  for (int64_t k = 0; k < input.size(dim); ++k) {
    parts.push_back(slopes(input, dim, k).conj_physical().mul(grad).sum(dim, /*keepdim=*/true));
  }
  return at::cat(parts, dim);
}

}  // namespace at::native

namespace torch::inline C10_ABI::autograd::generated::details {

Tensor cumprod_jvp(const Tensor& self_t, const Tensor& self_p, const Tensor& result, int64_t dim) {
  if (self_p.dim() == 0 || self_p.numel() == 0) return self_t;
  if (!at::native::may_have_zeros(self_p)) return self_t.div(self_p).cumsum(dim).mul(result);
  const int64_t along = at::maybe_wrap_dim(dim, self_p.dim());
  Tensor tangent = at::zeros_like(result);
  for (int64_t k = 0; k < self_p.size(along); ++k) {
    tangent = tangent.add(at::native::slopes(self_p, along, k).mul(self_t.narrow(along, k, 1)));
  }
  return tangent;
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
