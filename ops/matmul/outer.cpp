// Products of vectors and matrices, composed of other products.
#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/matmul/dot_checks.h>

#include <ATen/ops/add.h>
#include <ATen/ops/addbmm.h>
#include <ATen/ops/addbmm_native.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/addmv.h>
#include <ATen/ops/addr.h>
#include <ATen/ops/addr_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/ger_native.h>
#include <ATen/ops/inner.h>
#include <ATen/ops/inner_native.h>
#include <ATen/ops/kron.h>
#include <ATen/ops/kron_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mv_native.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/outer_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/tensordot.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/vdot.h>
#include <ATen/ops/vdot_native.h>
#include <ATen/ops/view.h>

namespace at::native {

// -------------------- Vectors

Tensor vdot_meta(const Tensor& self, const Tensor& other) {
  dot_check(self, other);
  return at::empty({}, self.options());
}

Tensor& vdot_out(const Tensor& self, const Tensor& other, Tensor& out) {
  TORCH_CHECK(out.scalar_type() == self.scalar_type(), "result dtype ", out.scalar_type(),
              " does not match input dtype ", self.scalar_type());
  resize_output(out, {});
  return out.copy_(at::vdot(self, other));
}

Tensor outer(const Tensor& self, const Tensor& vec2) {
  TORCH_CHECK(self.dim() == 1 && vec2.dim() == 1, "outer: Expected 1-D arguments, but got ", self.dim(),
              "-D and ", vec2.dim(), "-D");
  return at::mul(self.reshape({self.size(0), 1}), vec2);
}

Tensor& outer_out(const Tensor& self, const Tensor& vec2, Tensor& out) {
  TORCH_CHECK(self.dim() == 1 && vec2.dim() == 1, "outer: Expected 1-D arguments, but got ", self.dim(),
              "-D and ", vec2.dim(), "-D");
  return at::mul_out(out, self.reshape({self.size(0), 1}), vec2);
}

Tensor ger(const Tensor& self, const Tensor& vec2) { return at::outer(self, vec2); }

Tensor& ger_out(const Tensor& self, const Tensor& vec2, Tensor& out) {
  return at::outer_out(out, self, vec2);
}

Tensor inner(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return at::mul(self, other);
  TORCH_CHECK(self.size(-1) == other.size(-1),
              "inner() the last dimension must match on both input tensors but ", "got shapes ", self.sizes(),
              " and ", other.sizes());
  return at::tensordot(self, other, {-1}, {-1});
}

Tensor& inner_out(const Tensor& self, const Tensor& other, Tensor& out) {
  if (self.dim() == 0 || other.dim() == 0) return at::mul_out(out, self, other);
  TORCH_CHECK(out.scalar_type() == self.scalar_type(), "inner(): expected out of dtype ", self.scalar_type(),
              ", got ", out.scalar_type());
  return write_result("inner()", out, at::inner(self, other));
}

// -------------------- Matrices and vectors

Tensor mv(const Tensor& self, const Tensor& vec) {
  TORCH_CHECK(self.dim() == 2 && vec.dim() == 1, "vector + matrix @ vector expected, got ", self.dim(), ", ",
              vec.dim());
  const Tensor nothing = at::empty({self.size(0)}, vec.options());
  return at::addmv(nothing, self, vec, /*beta=*/0, /*alpha=*/1);
}

Tensor& mv_out(const Tensor& self, const Tensor& vec, Tensor& out) {
  TORCH_CHECK(self.dim() == 2 && vec.dim() == 1, "vector + matrix @ vector expected, got ", self.dim(), ", ",
              vec.dim());
  const Tensor nothing = at::empty({self.size(0)}, vec.options());
  return at::addmv_out(out, nothing, self, vec, /*beta=*/0, /*alpha=*/1);
}

namespace {

void check_addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                const Scalar& alpha) {
  TORCH_CHECK(vec1.dim() == 1 && vec2.dim() == 1, "addr: Expected 1-D argument vec1 and vec2, but got ",
              vec1.dim(), "-D and ", vec2.dim(), "-D");
  const int64_t sizes[] = {vec1.size(0), vec2.size(0)};
  TORCH_CHECK(is_expandable_to(self.sizes(), sizes), "addr: self of sizes ", self.sizes(),
              " doesn't broadcast to ", IntArrayRef(sizes));
  const ScalarType dtype =
      promoteTypes(promoteTypes(self.scalar_type(), vec1.scalar_type()), vec2.scalar_type());
  for (const Scalar* factor : {&beta, &alpha}) {
    TORCH_CHECK(!factor->isBoolean() || dtype == kBool,
                "Boolean alpha and beta only supported for Boolean results.");
    TORCH_CHECK(!factor->isFloatingPoint() || isFloatingType(dtype) || isComplexType(dtype),
                "For integral input tensors, argument alpha and beta must not be floating point numbers.");
    TORCH_CHECK(!factor->isComplex() || isComplexType(dtype),
                "For non-complex input tensors, argument alpha and beta must not be complex numbers.");
  }
}

bool is_zero(const Scalar& number) { return number.toComplexDouble() == 0.0; }
bool is_one(const Scalar& number) { return number.toComplexDouble() == 1.0; }
Tensor scaled(const Tensor& t, const Scalar& factor) { return is_one(factor) ? t : at::mul(t, factor); }

// beta * self + alpha * outer(vec1, vec2). With beta 0 self isn't read: its NaNs are ignored.
Tensor sum_with_outer(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                      const Scalar& alpha) {
  const Tensor product = scaled(at::outer(vec1, vec2), alpha);
  return is_zero(beta) ? product : at::add(scaled(self, beta), product);
}

}  // namespace

// A 16-bit float is computed in float, and rounded once; the factors of bool are converted to bool.
Tensor math_addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                 const Scalar& alpha) {
  check_addr(self, vec1, vec2, beta, alpha);
  const ScalarType dtype =
      promoteTypes(self.scalar_type(), promoteTypes(vec1.scalar_type(), vec2.scalar_type()));
  if (dtype == kBool) return sum_with_outer(self, vec1, vec2, !is_zero(beta), !is_zero(alpha));
  if (!isReducedFloatingType(dtype)) return sum_with_outer(self, vec1, vec2, beta, alpha).to(dtype);
  return sum_with_outer(self.to(kFloat), vec1.to(kFloat), vec2.to(kFloat), beta, alpha).to(dtype);
}

Tensor& math_addr_out(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                      const Scalar& alpha, Tensor& out) {
  return write_result("addr", out, at::addr(self, vec1, vec2, beta, alpha));
}

Tensor& addr_(Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha) {
  const Tensor sum = at::addr(self, vec1, vec2, beta, alpha);
  TORCH_CHECK(sum.sizes() == self.sizes(), "addr_: self of sizes ", self.sizes(), " can't hold a result of ",
              sum.sizes());
  TORCH_CHECK(canCast(sum.scalar_type(), self.scalar_type()), "addr_: result type ", sum.scalar_type(),
              " can't be cast to the desired output type ", self.scalar_type());
  return self.copy_(sum);
}

// -------------------- addbmm: the batch is folded into the summed dimension of one product

Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
              const Scalar& alpha) {
  TORCH_CHECK(batch1.dim() == 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(batch2.dim() == 3, "batch2 must be a 3D tensor");
  TORCH_CHECK(batch1.size(0) == batch2.size(0), "batch1 and batch2 must have same number of batches, got ",
              batch1.size(0), " and ", batch2.size(0));
  TORCH_CHECK(batch1.size(2) == batch2.size(1), "Incompatible matrix sizes for bmm (", batch1.size(1), "x",
              batch1.size(2), " and ", batch2.size(1), "x", batch2.size(2), ")");
  const int64_t depth = batch1.size(0) * batch1.size(2);
  const Tensor left = batch1.transpose(0, 1).reshape({batch1.size(1), depth});
  // As in other batched sums, the factors of integers are truncated.
  const auto factor = [&](const Scalar& number) {
    return isIntegralType(self.scalar_type(), /*includeBool=*/true) ? Scalar(number.toLong()) : number;
  };
  return at::addmm(self, left, batch2.reshape({depth, batch2.size(2)}), factor(beta), factor(alpha));
}

Tensor& addbmm_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                const Scalar& alpha) {
  const Tensor sum = at::addbmm(self, batch1, batch2, beta, alpha);
  TORCH_CHECK(sum.sizes() == self.sizes(), "addbmm_: self of sizes ", self.sizes(),
              " can't hold a result of ", sum.sizes());
  return self.copy_(sum);
}

Tensor& addbmm_out(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                   const Scalar& alpha, Tensor& out) {
  const Tensor sum = at::addbmm(self, batch1, batch2, beta, alpha);
  TORCH_CHECK(out.scalar_type() == sum.scalar_type(), "addbmm: expected out of dtype ", sum.scalar_type(),
              ", got ", out.scalar_type());
  resize_output(out, sum.sizes());
  return out.copy_(sum);
}

// -------------------- kron

Tensor kron(const Tensor& self, const Tensor& other) {
  const int64_t dims = std::max(self.dim(), other.dim());
  DimVector left, right, sizes;
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t i = d - (dims - self.dim()), j = d - (dims - other.dim());
    const int64_t rows = i < 0 ? 1 : self.size(i), columns = j < 0 ? 1 : other.size(j);
    left.push_back(rows);
    left.push_back(1);
    right.push_back(1);
    right.push_back(columns);
    sizes.push_back(rows * columns);
  }
  return at::mul(self.reshape(left), other.reshape(right)).reshape(sizes);
}

Tensor& kron_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return write_result("kron", out, at::kron(self, other));
}

}  // namespace at::native
