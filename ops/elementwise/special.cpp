// The multivariate gamma function, and other names of special functions.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/ScalarType.h>

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/i0.h>
#include <ATen/ops/igamma.h>
#include <ATen/ops/igammac.h>
#include <ATen/ops/lgamma.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mvlgamma.h>
#include <ATen/ops/mvlgamma_native.h>
#include <ATen/ops/special_gammainc_native.h>
#include <ATen/ops/special_gammaincc_native.h>
#include <ATen/ops/special_i0_native.h>
#include <ATen/ops/special_multigammaln_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>

namespace at::native {

// -------------------- the multivariate gamma function

// The sum of lgamma(self - i / 2) over i < p, and a constant. 16-bit floats are summed as float.
Tensor mvlgamma(const Tensor& self, int64_t p) {
  TORCH_CHECK(p >= 1, "mvlgamma: p has to be greater than or equal to 1, got ", p);
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "mvlgamma is not implemented for complex tensors");
  const ScalarType dtype =
      isFloatingType(self.scalar_type()) ? self.scalar_type() : c10::get_default_dtype_as_scalartype();
  const ScalarType wide = isReducedFloatingType(dtype) ? kFloat : dtype;
  const Tensor steps = at::arange(p, self.options().dtype(wide)).mul(-0.5);
  const Tensor sum = self.to(wide).unsqueeze(-1).add(steps).lgamma().sum(-1);
  const double count = static_cast<double>(p);
  constexpr double quarter_log_pi = 0.28618247146235004;
  return sum.add(count * (count - 1.0) * quarter_log_pi).to(dtype);
}

Tensor& mvlgamma_out(const Tensor& self, int64_t p, Tensor& result) {
  const Tensor values = at::mvlgamma(self, p);
  TORCH_CHECK(canCast(values.scalar_type(), result.scalar_type()), "result type ", values.scalar_type(),
              " can't be cast to the desired output type ", result.scalar_type());
  at::native::resize_output(result, values.sizes());
  return result.copy_(values);
}

Tensor& mvlgamma_(Tensor& self, int64_t p) { return at::mvlgamma_outf(self, p, self); }

// -------------------- other names

Tensor special_multigammaln(const Tensor& self, int64_t p) { return self.mvlgamma(p); }
Tensor& special_multigammaln_out(const Tensor& self, int64_t p, Tensor& result) {
  return at::mvlgamma_outf(self, p, result);
}

Tensor special_i0(const Tensor& self) { return self.i0(); }
Tensor& special_i0_out(const Tensor& self, Tensor& result) { return at::i0_outf(self, result); }

Tensor special_gammainc(const Tensor& self, const Tensor& other) { return self.igamma(other); }
Tensor& special_gammainc_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return at::igamma_outf(self, other, result);
}
Tensor special_gammaincc(const Tensor& self, const Tensor& other) { return self.igammac(other); }
Tensor& special_gammaincc_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return at::igammac_outf(self, other, result);
}

}  // namespace at::native
