// Matrix products that call other products: matmul, linear, and dot's out= form.

#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/matmul/dot_checks.h>

#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/add.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/linear_native.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/matmul_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/t.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

namespace at::native {

namespace {

// Whether left's leading dimensions can be folded into its rows, so that one mm does the work: right is one
// matrix (or vector), and folding copies nothing.
bool folds(const Tensor& left, const Tensor& right) {
  if (left.dim() < 3 || right.dim() > 2) {
    return false;
  }
  if (left.numel() == 0) {
    return true;
  }
  for (int64_t d = 0; d + 2 < left.dim(); ++d) {
    if (left.size(d) != 1 && left.stride(d) != left.size(d + 1) * left.stride(d + 1)) {
      return false;
    }
  }
  return true;
}

// [..., m, k] x [k, n] or [k] as [... * m, k] x that.
Tensor folded_product(const Tensor& left, const Tensor& right) {
  DimVector sizes(left.sizes().begin(), left.sizes().end() - 1);
  const int64_t k = left.size(left.dim() - 1);
  int64_t rows = 1;
  for (int64_t size : sizes) {
    rows *= size;
  }
  const Tensor matrix = at::reshape(left, {rows, k});
  if (right.dim() == 1) {
    return at::_unsafe_view(at::mm(matrix, at::unsqueeze(right, 1)), sizes);
  }
  sizes.push_back(right.size(1));
  return at::_unsafe_view(at::mm(matrix, right), sizes);
}

// A batch of products, the batch dimensions broadcast against each other.
Tensor batched_product(const Tensor& left, const Tensor& right) {
  const Tensor a = left.dim() == 1 ? at::unsqueeze(left, 0) : left;
  const Tensor b = right.dim() == 1 ? at::unsqueeze(right, 1) : right;
  const int64_t m = a.size(-2), k = a.size(-1), n = b.size(-1);
  DimVector sizes = infer_size_dimvector(a.sizes().slice(0, a.dim() - 2), b.sizes().slice(0, b.dim() - 2));
  int64_t batch = 1;
  for (int64_t size : sizes) {
    batch *= size;
  }
  const auto flatten = [&](const Tensor& t) {
    DimVector expanded = sizes;
    expanded.push_back(t.size(-2));
    expanded.push_back(t.size(-1));
    return at::reshape(t.expand(expanded), {batch, t.size(-2), t.size(-1)});
  };
  TORCH_CHECK(k == b.size(-2), "Expected size for first two dimensions of batch2 tensor to be: [", batch,
              ", ", k, "] but got: [", batch, ", ", b.size(-2), "].");
  const Tensor product = at::bmm(flatten(a), flatten(b));
  if (left.dim() > 1) {
    sizes.push_back(m);
  }
  if (right.dim() > 1) {
    sizes.push_back(n);
  }
  return at::_unsafe_view(product, sizes);
}

}  // namespace

Tensor matmul(const Tensor& self, const Tensor& other) {
  const int64_t left = self.dim(), right = other.dim();
  TORCH_CHECK(left != 0 && right != 0, "both arguments to matmul need to be at least 1D, but they are ", left,
              "D and ", right, "D");
  if (left == 1 && right == 1) {
    return at::dot(self, other);
  }
  if (left == 2 && right == 2) {
    return at::mm(self, other);
  }
  if (left == 2 && right == 1) {
    return at::mv(self, other);
  }
  if (left == 1 && right == 2) {
    return at::squeeze(at::mm(at::unsqueeze(self, 0), other), 0);
  }
  if (folds(self, other)) {
    return folded_product(self, other);
  }
  // x A with a vector x and a batch of A is A^T x: the transposed batch may fold. With a matrix the result
  // would be transposed, where callers expect it contiguous.
  if (left == 1 && right >= 3) {
    const Tensor transposed = at::transpose(other, -2, -1);
    if (folds(transposed, self)) {
      return folded_product(transposed, self);
    }
  }
  return batched_product(self, other);
}

Tensor& matmul_out(const Tensor& self, const Tensor& other, Tensor& out) {
  if (self.dim() == 2 && other.dim() == 2) {
    return at::mm_out(out, self, other);
  }
  const Tensor product = at::matmul(self, other);
  TORCH_CHECK(out.scalar_type() == product.scalar_type(), "Expected out tensor to have dtype ",
              product.scalar_type(), ", but got ", out.scalar_type(), " instead");
  resize_output(out, product.sizes());
  return out.copy_(product);
}

Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  const bool has_bias = bias.has_value() && bias->defined();
  if (has_bias && input.dim() == 2 && weight.dim() == 2) {
    return at::addmm(*bias, input, at::t(weight));
  }
  // One product of all rows, even if they have to be copied for it: a product of each matrix takes longer.
  if (input.dim() > 2 && weight.dim() == 2 && input.numel() != 0) {
    DimVector sizes(input.sizes());
    const Tensor rows = at::reshape(input, {-1, sizes.back()});
    sizes.back() = weight.size(0);
    return has_bias ? at::addmm(*bias, rows, at::t(weight)).view(sizes)
                    : at::_unsafe_view(at::mm(rows, at::t(weight)), sizes);
  }
  const Tensor product = at::matmul(input, at::t(weight));
  return has_bias ? at::add(product, *bias) : product;
}

Tensor& linear_out(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                   Tensor& out) {
  const bool has_bias = bias.has_value() && bias->defined();
  if (has_bias && input.dim() == 2 && weight.dim() == 2) {
    return at::addmm_out(out, *bias, input, at::t(weight));
  }
  at::matmul_out(out, input, at::t(weight));
  return has_bias ? out.add_(*bias) : out;
}

Tensor dot_meta(const Tensor& self, const Tensor& tensor) {
  dot_check(self, tensor);
  return at::empty({}, self.options());
}

Tensor& dot_out(const Tensor& self, const Tensor& tensor, Tensor& out) {
  TORCH_CHECK(out.scalar_type() == self.scalar_type(), "result dtype ", out.scalar_type(),
              " does not match input dtype ", self.scalar_type());
  resize_output(out, {});
  return out.copy_(at::dot(self, tensor));
}

}  // namespace at::native
