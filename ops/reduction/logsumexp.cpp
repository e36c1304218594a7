// logsumexp.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/logsumexp_native.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/real.h>
#include <ATen/ops/special_logsumexp_native.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>

#include <limits>

namespace at::native {

namespace {

Tensor floating(const Tensor& t) {
  const bool integral = isIntegralType(t.scalar_type(), /*includeBool=*/true);
  return integral ? t.to(c10::get_default_dtype_as_scalartype()) : t;
}

}  // namespace

// The maximum is subtracted, so that no exponential overflows, unless it is infinite.
Tensor logsumexp(const Tensor& self, IntArrayRef dims, bool keepdim) {
  const Tensor x = floating(self);
  if (x.numel() == 0) return at::log(at::sum(at::exp(x), dims, keepdim));
  const Tensor largest = at::amax(at::real(x), dims, /*keepdim=*/true);
  const Tensor infinite = at::eq(at::abs(largest), std::numeric_limits<double>::infinity());
  const Tensor shift = at::masked_fill(largest, infinite, 0);
  const Tensor result = at::log(at::sum(at::exp(at::sub(x, shift)), dims, /*keepdim=*/true));
  Tensor total = at::add(result, shift);
  if (keepdim) return total;
  return dims.empty() ? total.squeeze() : total.squeeze(dims);
}

Tensor& logsumexp_out(const Tensor& self, IntArrayRef dims, bool keepdim, Tensor& result) {
  const Tensor computed = at::logsumexp(self, dims, keepdim);
  TORCH_CHECK(canCast(computed.scalar_type(), result.scalar_type()), "logsumexp(): result type ",
              computed.scalar_type(), " can't be cast to the output type ", result.scalar_type());
  resize_output(result, computed.sizes());
  return result.copy_(computed);
}

Tensor special_logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return self.logsumexp(dim, keepdim);
}
Tensor& special_logsumexp_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& result) {
  return at::logsumexp_outf(self, dim, keepdim, result);
}

}  // namespace at::native
