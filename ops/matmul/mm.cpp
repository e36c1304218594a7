// What mm, bmm, addmm, baddbmm and addmv do on every device: each is one product, whatever the strides.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/matmul/product.h>

#include <ATen/ops/addmm_native.h>
#include <ATen/ops/addmv_native.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/mm_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zero.h>

namespace at::native {

DEFINE_DISPATCH(product_stub);

void multiply(const Tensor& result, const Tensor& left, const Tensor& right, const Scalar& beta,
              const Scalar& alpha) {
  if (result.numel() == 0) return;
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, left);
  at::assert_no_overlap(result, right);
  if (left.numel() > 0) return product_stub(result.device().type(), result, left, right, beta, alpha);
  // Empty sums.
  if (beta.toComplexDouble() == 0.0) {
    const_cast<Tensor&>(result).zero_();
  } else {
    const_cast<Tensor&>(result).mul_(beta);
  }
}

void multiply_and_add(const Tensor& result, const Tensor& self, const Tensor& left, const Tensor& right,
                      const Scalar& beta, const Scalar& alpha) {
  if (beta.toComplexDouble() != 0.0 && !result.is_same(self)) {
    const_cast<Tensor&>(result).copy_(self.expand(result.sizes()));
  }
  multiply(result, left, right, beta, alpha);
}

void activate(const Tensor& result, bool use_gelu, std::string_view approximate) {
  auto& written = const_cast<Tensor&>(result);
  if (use_gelu) {
    at::gelu_(written, approximate);
  } else {
    at::relu_(written);
  }
}

void multiply_vector_and_add(const Tensor& result, const Tensor& self, const Tensor& mat, const Tensor& vec,
                             const Scalar& beta, const Scalar& alpha) {
  const Tensor column = self.dim() == 1 ? self.unsqueeze(1) : self;
  const Tensor out = result.unsqueeze(1);
  multiply_and_add(out, result.is_same(self) ? out : column, mat, vec.unsqueeze(1), beta, alpha);
}

}  // namespace at::native
