// Covariances and correlations of variables, the rows of a matrix; its columns are observations.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/clamp.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/corrcoef_native.h>
#include <ATen/ops/cov.h>
#include <ATen/ops/cov_native.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/div.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/item.h>
#include <ATen/ops/le.h>
#include <ATen/ops/min.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/t.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/zeros_like.h>

#include <optional>

namespace at::native {

namespace {

// One weight for each observation, none below 0.
void check_weights(const char* name, const Tensor& weights, int64_t observations, bool right_dtype,
                   const char* dtypes) {
  TORCH_CHECK(weights.dim() <= 1, "cov(): expected ", name, " to have one or fewer dimensions but got ", name,
              " with ", weights.dim(), " dimensions");
  TORCH_CHECK(right_dtype, "cov(): expected ", name, " to have ", dtypes, " dtype but got ", name, " with ",
              weights.scalar_type(), " dtype");
  TORCH_CHECK(weights.numel() == observations, "cov(): expected ", name,
              " to have the same numel as there are observations in the input but got ", weights.numel(),
              " != ", observations);
  TORCH_CHECK(observations == 0 || weights.is_meta() || weights.min().ge(0).item<bool>(), "cov(): ", name,
              " cannot be negative");
}

// The weights of observations; undefined where there are none.
Tensor joint_weights(const Tensor& repeats, const Tensor& importances, int64_t observations) {
  if (repeats.defined()) {
    const bool whole = isIntegralType(repeats.scalar_type(), /*includeBool=*/false);
    check_weights("fweights", repeats, observations, whole, "integral");
  }
  if (importances.defined()) {
    check_weights("aweights", importances, observations, isFloatingType(importances.scalar_type()),
                  "floating point");
  }
  if (!importances.defined()) return repeats;
  return repeats.defined() ? repeats.mul(importances) : importances;
}

// The number to divide by, at least 0.
Tensor degrees_of_freedom(const Tensor& weights, const Tensor& importances, int64_t correction) {
  const Tensor total = weights.sum();
  TORCH_CHECK(total.is_meta() || total.ne(0).item<bool>(), "cov(): weights sum to zero, can't be normalized");
  const bool weighted = importances.defined() && correction != 0;
  const Tensor lost = weighted ? weights.mul(importances).sum().div(total).mul(correction) : Tensor();
  Tensor result = weighted ? total.sub(lost) : total.sub(correction);
  if (result.is_meta() || !result.le(0).item<bool>()) return result;
  TORCH_WARN(
      "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of "
      "observations.");
  return at::zeros_like(result);
}

int64_t degrees_of_freedom(int64_t observations, int64_t correction) {
  if (observations > correction) return observations - correction;
  TORCH_WARN(
      "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of "
      "observations.");
  return 0;
}

Tensor conjugate_of(const Tensor& t) { return t.is_complex() ? t._conj() : t; }

}  // namespace

Tensor cov(const Tensor& self, int64_t correction, const std::optional<Tensor>& fweights,
           const std::optional<Tensor>& aweights) {
  TORCH_CHECK(self.dim() <= 2, "cov(): expected input to have two or fewer dimensions but got an input with ",
              self.dim(), " dimensions");
  TORCH_CHECK(self.scalar_type() != kBool, "cov(): bool dtype is not supported for input");
  const Tensor in = self.dim() < 2 ? self.view({1, self.numel()}) : self;
  const int64_t observations = in.size(1);
  const Tensor importances = aweights.value_or(Tensor());
  const Tensor weights = joint_weights(fweights.value_or(Tensor()), importances, observations);
  if (!weights.defined()) {
    const Tensor centred = in.sub(in.sum(1).div(observations).unsqueeze(1));
    const Tensor products = at::mm(centred, conjugate_of(centred.t()));
    return products.div(degrees_of_freedom(observations, correction)).squeeze();
  }
  const Tensor freedom = degrees_of_freedom(weights, importances, correction);
  const Tensor centred = in.sub(in.mul(weights).sum(1).div(weights.sum()).unsqueeze(1));
  return at::mm(centred, conjugate_of(centred.mul(weights).t())).div(freedom).squeeze();
}

Tensor corrcoef(const Tensor& self) {
  TORCH_CHECK(self.dim() <= 2,
              "corrcoef(): expected input to have two or fewer dimensions but got an input with ", self.dim(),
              " dimensions");
  Tensor c = at::cov(self);
  if (c.dim() == 0) return c.div(c);
  const Tensor variances = c.diagonal();
  const Tensor deviations = at::sqrt(c.is_complex() ? at::real(variances) : variances);
  c = c.div(deviations.unsqueeze(1)).div(deviations.unsqueeze(0));
  // Rounding may lead beyond 1.
  if (!c.is_complex()) return c.clamp(-1, 1);
  return at::view_as_complex(at::stack({at::real(c).clamp(-1, 1), at::imag(c).clamp(-1, 1)}, -1));
}

}  // namespace at::native
