// Weights of a direction v and a length g, for each index of one dimension.
#include <ATen/OpMathType.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/normalization/renorm.h>
#include <torch/autograd/forward.h>

#include <ATen/ops/_weight_norm_differentiable_backward_native.h>
#include <ATen/ops/_weight_norm_interface.h>
#include <ATen/ops/_weight_norm_interface_backward_native.h>
#include <ATen/ops/_weight_norm_interface_native.h>
#include <ATen/ops/_weight_norm_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/div.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/norm_except_dim.h>
#include <ATen/ops/norm_except_dim_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

#include <tuple>

namespace at::native {

namespace {

// Lengths are computed in float at least.
ScalarType norm_type(const Tensor& v) { return at::toOpMathType(v.scalar_type()); }

void check_weight_norm(const Tensor& v, const Tensor& g, int64_t dim) {
  TORCH_CHECK(v.scalar_type() == g.scalar_type(),
              "_weight_norm: expected v and g to have one dtype, but got ", v.scalar_type(), " and ",
              g.scalar_type());
  TORCH_CHECK_NOT_IMPLEMENTED(v.is_floating_point(), "_weight_norm_interface not implemented for '",
                              v.scalar_type(), "'");
  TORCH_CHECK(dim >= 0 && (dim == 0 || dim == v.dim() - 1) && v.dim() > 0,
              "_weight_norm_interface: dim must be the first or last dimension of v, but got ", dim, " for ",
              v.dim(), " dimensions");
  TORCH_CHECK(g.numel() == v.size(dim), "_weight_norm_interface: expected g to have ", v.size(dim),
              " elements, but got ", g.numel());
}

// One value for each index of dim, in v's dimensions.
Tensor along(const Tensor& values, const Tensor& v, int64_t dim) {
  DimVector sizes(static_cast<size_t>(v.dim()), 1);
  sizes[dim] = v.size(dim);
  return values.reshape(sizes);
}

Tensor sum_besides(const Tensor& t, int64_t dim) {
  return t.dim() == 1 ? t : t.sum(dims_besides(dim, t.dim()), /*keepdim=*/true);
}

// Gradients of v and g; the norms are v's, and all have v's number of dimensions.
std::tuple<Tensor, Tensor> gradients(const Tensor& grad, const Tensor& v, const Tensor& g,
                                     const Tensor& norms, int64_t dim) {
  const Tensor share = sum_besides(grad.mul(v), dim);
  const Tensor along_v = v.mul(share.div(norms.mul(norms)));
  return {g.div(norms).mul(grad.sub(along_v)), share.div(norms)};
}

}  // namespace

Tensor norm_except_dim(const Tensor& v, int64_t pow, int64_t dim) {
  if (dim == -1) return at::norm(v, pow);
  const int64_t d = maybe_wrap_dim(dim, v.dim(), /*wrap_scalar=*/false);
  if (v.dim() == 1) return at::norm(v.unsqueeze(1), pow, 1);
  return at::norm(v, pow, dims_besides(d, v.dim()), /*keepdim=*/true);
}

Tensor _weight_norm(const Tensor& v, const Tensor& g, int64_t dim) {
  // The fused operator has no forward formula.
  const bool has_tangent = torch::autograd::tangent(v).defined() || torch::autograd::tangent(g).defined();
  const bool fused = !has_tangent && v.is_floating_point() && v.scalar_type() != kHalf &&
                     v.scalar_type() == g.scalar_type() && v.dim() > 0 && (dim == 0 || dim == v.dim() - 1);
  if (fused) return std::get<0>(at::_weight_norm_interface(v.contiguous(), g.contiguous(), dim));
  return v.mul(g.div(at::norm_except_dim(v, 2, dim)));
}

std::tuple<Tensor, Tensor> weight_norm(const Tensor& v, const Tensor& g, int64_t dim) {
  check_weight_norm(v, g, dim);
  const Tensor wide = v.to(norm_type(v));
  const Tensor norms = wide.dim() == 1 ? at::norm(wide.unsqueeze(1), 2, 1)
                                       : at::norm(wide, 2, dims_besides(dim, wide.dim()), /*keepdim=*/true);
  const Tensor factor = along(g, v, dim).to(wide.scalar_type()).div(norms);
  return {wide.contiguous().mul(factor).to(v.scalar_type()), norms.view(g.sizes())};
}

std::tuple<Tensor, Tensor> weight_norm_backward(const Tensor& grad_w, const Tensor& saved_v,
                                                const Tensor& saved_g, const Tensor& saved_norms,
                                                int64_t dim) {
  check_weight_norm(saved_v, saved_g, dim);
  TORCH_CHECK(grad_w.sizes() == saved_v.sizes() && saved_norms.numel() == saved_g.numel(),
              "_weight_norm_interface_backward: expected grad_w of shape ", saved_v.sizes(), " and ",
              saved_g.numel(), " norms, but got ", grad_w.sizes(), " and ", saved_norms.numel());
  const ScalarType dtype = norm_type(saved_v);
  const auto wide = [&](const Tensor& t) { return t.to(dtype).contiguous(); };
  const auto [v, g] = gradients(wide(grad_w), wide(saved_v), wide(along(saved_g, saved_v, dim)),
                                wide(along(saved_norms, saved_v, dim)), dim);
  return {v.to(saved_v.scalar_type()), g.to(saved_g.scalar_type()).reshape(saved_g.sizes())};
}

std::tuple<Tensor, Tensor> _weight_norm_differentiable_backward(const Tensor& grad_w, const Tensor& saved_v,
                                                                const Tensor& saved_g,
                                                                const Tensor& saved_norms, int64_t dim) {
  check_weight_norm(saved_v, saved_g, dim);
  TORCH_CHECK(grad_w.sizes() == saved_v.sizes() && saved_norms.numel() == saved_g.numel(),
              "_weight_norm_differentiable_backward: expected grad_w of shape ", saved_v.sizes(), " and ",
              saved_g.numel(), " norms, but got ", grad_w.sizes(), " and ", saved_norms.numel());
  const Tensor norms = along(saved_norms.to(saved_g.scalar_type()), saved_v, dim);
  const auto [v, g] = gradients(grad_w, saved_v, along(saved_g, saved_v, dim), norms, dim);
  return {v, g.reshape(saved_g.sizes())};
}

}  // namespace at::native
