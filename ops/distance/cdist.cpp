// Distances between rows: cdist of two sets of them, pdist of one. For p = 2 they may be computed by a matrix
// product, which is faster and less accurate.
#include <ATen/ExpandUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/distance/stubs.h>
#include <c10/util/accumulate.h>
#include <c10/util/safe_numerics.h>

#include <ATen/ops/_cdist_backward_native.h>
#include <ATen/ops/_cdist_forward.h>
#include <ATen/ops/_cdist_forward_native.h>
#include <ATen/ops/_euclidean_dist.h>
#include <ATen/ops/_euclidean_dist_native.h>
#include <ATen/ops/_pdist_backward_native.h>
#include <ATen/ops/_pdist_forward.h>
#include <ATen/ops/_pdist_forward_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cdist_native.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pdist_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zeros_like.h>

namespace at::native {

DEFINE_DISPATCH(cdist_stub);
DEFINE_DISPATCH(cdist_backward_stub);
DEFINE_DISPATCH(pdist_stub);
DEFINE_DISPATCH(pdist_backward_stub);

namespace {

void check_rows(const Tensor& x1, const Tensor& x2) {
  TORCH_CHECK(x1.dim() >= 2, "cdist only supports at least 2D tensors, X1 got: ", x1.dim(), "D");
  TORCH_CHECK(x2.dim() >= 2, "cdist only supports at least 2D tensors, X2 got: ", x2.dim(), "D");
  TORCH_CHECK(x1.size(-1) == x2.size(-1), "X1 and X2 must have the same number of columns. X1: ", x1.size(-1),
              " X2: ", x2.size(-1));
}

void check_operands(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  check_rows(x1, x2);
  TORCH_CHECK(x1.is_floating_point(),
              "cdist only supports floating-point dtypes, X1 got: ", x1.scalar_type());
  TORCH_CHECK(x2.is_floating_point(),
              "cdist only supports floating-point dtypes, X2 got: ", x2.scalar_type());
  TORCH_CHECK(x1.scalar_type() == x2.scalar_type(), "cdist: X1 and X2 must have one dtype, got ",
              x1.scalar_type(), " and ", x2.scalar_type());
  TORCH_CHECK(x1.device() == x2.device(), "cdist: X1 and X2 must be on one device, got ", x1.device(),
              " and ", x2.device());
  TORCH_CHECK(p >= 0, "cdist only supports non-negative p values, got ", p);
  const int64_t mode = compute_mode.value_or(0);
  TORCH_CHECK(mode >= 0 && mode <= 2, "possible modes: 0, 1, 2, but was: ", mode);
}

// Whether by a matrix product: always (1), never (2), or for many rows (0).
bool multiplies(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  constexpr int64_t many = 25;
  const int64_t mode = compute_mode.value_or(0);
  return p == 2 && (mode == 1 || (mode == 0 && (x1.size(-2) > many || x2.size(-2) > many)));
}

// The dimensions before the rows, broadcast.
DimVector batch_shape(const Tensor& x1, const Tensor& x2) {
  return infer_size_dimvector(x1.sizes().slice(0, x1.dim() - 2), x2.sizes().slice(0, x2.dim() - 2));
}

DimVector with_matrix(DimVector batch, int64_t rows, int64_t columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

Tensor expanded(const Tensor& x, const DimVector& batch) {
  return x.expand(with_matrix(batch, x.size(-2), x.size(-1))).contiguous();
}

void check_kernel_dtype(const char* name, const Tensor& x) {
  TORCH_CHECK_NOT_IMPLEMENTED(x.scalar_type() == kFloat || x.scalar_type() == kDouble, "\"", name,
                              "\" not implemented for '", x.scalar_type(), "'");
}

}  // namespace

// -------------------- cdist

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  check_operands(x1, x2, p, compute_mode);
  if (x1.numel() == 0 || x2.numel() == 0 || !multiplies(x1, x2, p, compute_mode)) {
    return at::_cdist_forward(x1, x2, p, compute_mode);
  }
  const DimVector batch = batch_shape(x1, x2);
  return at::_euclidean_dist(x1.expand(with_matrix(batch, x1.size(-2), x1.size(-1))),
                             x2.expand(with_matrix(batch, x2.size(-2), x2.size(-1))));
}

// |a|^2 - 2 a b + |b|^2, all of it one product.
Tensor _euclidean_dist(const Tensor& x1, const Tensor& x2) {
  check_rows(x1, x2);
  const Tensor norm1 = x1.mul(x1).sum(-1, /*keepdim=*/true), norm2 = x2.mul(x2).sum(-1, /*keepdim=*/true);
  const Tensor left = at::cat({x1.mul(-2), norm1, at::ones_like(norm1)}, -1);
  const Tensor right = at::cat({x2, at::ones_like(norm2), norm2}, -1);
  Tensor squares = left.matmul(right.transpose(-2, -1));
  return squares.clamp_(0).sqrt_();
}

Tensor _cdist_forward(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  check_operands(x1, x2, p, compute_mode);
  const DimVector batch = batch_shape(x1, x2);
  const DimVector shape = with_matrix(batch, x1.size(-2), x2.size(-2));
  if (c10::multiply_integers(shape) != 0 && x1.size(-1) != 0 && multiplies(x1, x2, p, compute_mode)) {
    return at::_euclidean_dist(expanded(x1, batch), expanded(x2, batch));
  }
  Tensor result = at::empty(shape, x1.options());
  if (x1.is_meta() || result.numel() == 0) return result;
  if (x1.size(-1) == 0) return result.zero_();
  check_kernel_dtype("cdist", x1);
  cdist_stub(x1.device().type(), result, expanded(x1, batch), expanded(x2, batch), p);
  return result;
}

// The gradient has the broadcast shape.
Tensor _cdist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                       const Tensor& cdist) {
  check_operands(x1, x2, p, std::nullopt);
  const DimVector batch = batch_shape(x1, x2);
  const DimVector pairs = with_matrix(batch, x1.size(-2), x2.size(-2));
  TORCH_CHECK(grad.sizes() == IntArrayRef(pairs) && cdist.sizes() == IntArrayRef(pairs),
              "_cdist_backward: expected grad and cdist of shape ", pairs, ", got ", grad.sizes(), " and ",
              cdist.sizes());
  TORCH_CHECK(grad.scalar_type() == x1.scalar_type() && cdist.scalar_type() == x1.scalar_type(),
              "_cdist_backward: expected grad and cdist of dtype ", x1.scalar_type(), ", got ",
              grad.scalar_type(), " and ", cdist.scalar_type());
  const DimVector shape = with_matrix(batch, x1.size(-2), x1.size(-1));
  Tensor result = at::empty(shape, x1.options());
  if (x1.is_meta() || result.numel() == 0) return result;
  if (x2.size(-2) == 0) return result.zero_();
  check_kernel_dtype("cdist_backward", x1);
  cdist_backward_stub(x1.device().type(), result, grad.contiguous(), expanded(x1, batch), expanded(x2, batch),
                      p, cdist.contiguous());
  return result;
}

// -------------------- pdist

namespace {

void check_pdist(const Tensor& self, double p) {
  TORCH_CHECK(self.dim() == 2, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  TORCH_CHECK(self.is_floating_point(), "pdist only supports floating-point dtypes, got ",
              self.scalar_type());
  TORCH_CHECK(p >= 0, "pdist only supports non-negative p values, got ", p);
}

int64_t pairs_of(int64_t rows) {
  if (rows < 2) return 0;
  const int64_t half = rows / 2, odd = (rows - 1) | 1;  // one of rows and rows - 1 is even
  int64_t pairs = 0;
  TORCH_CHECK(!c10::mul_overflows(half, odd, &pairs), "pdist: the pairs of ", rows,
              " rows are more than a tensor can have elements");
  return pairs;
}

}  // namespace

Tensor pdist(const Tensor& self, double p) {
  check_pdist(self, p);
  return at::_pdist_forward(self.contiguous(), p);
}

Tensor _pdist_forward(const Tensor& self, double p) {
  check_pdist(self, p);
  TORCH_CHECK(self.is_contiguous(), "_pdist_forward requires contiguous input");
  Tensor result = at::empty({pairs_of(self.size(0))}, self.options());
  if (self.is_meta() || result.numel() == 0) return result;
  if (self.size(1) == 0) return result.zero_();
  check_kernel_dtype("pdist", self);
  pdist_stub(self.device().type(), result, self, p);
  return result;
}

Tensor _pdist_backward(const Tensor& grad, const Tensor& self, double p, const Tensor& pdist) {
  check_pdist(self, p);
  TORCH_CHECK(self.is_contiguous(), "_pdist_backward requires self to be contiguous");
  TORCH_CHECK(pdist.is_contiguous(), "_pdist_backward requires pdist to be contiguous");
  const int64_t pairs = pairs_of(self.size(0));
  TORCH_CHECK(grad.dim() == 1 && grad.size(0) == pairs && pdist.dim() == 1 && pdist.size(0) == pairs,
              "_pdist_backward: expected grad and pdist of shape [", pairs, "], got ", grad.sizes(), " and ",
              pdist.sizes());
  TORCH_CHECK(grad.scalar_type() == self.scalar_type() && pdist.scalar_type() == self.scalar_type(),
              "_pdist_backward: expected grad and pdist of dtype ", self.scalar_type(), ", got ",
              grad.scalar_type(), " and ", pdist.scalar_type());
  Tensor result = at::empty_like(self);
  if (self.is_meta() || result.numel() == 0) return result;
  if (pairs == 0) return result.zero_();
  check_kernel_dtype("pdist_backward", self);
  pdist_backward_stub(self.device().type(), result, grad.contiguous(), self, p, pdist);
  return result;
}

}  // namespace at::native
