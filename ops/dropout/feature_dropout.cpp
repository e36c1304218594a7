// Dropout of whole channels (feature_dropout), and alpha_dropout, which keeps mean and variance.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/alpha_dropout_native.h>
#include <ATen/ops/bernoulli.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/feature_alpha_dropout_native.h>
#include <ATen/ops/feature_dropout_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace at::native {

namespace {

bool does_nothing(const Tensor& input, double p, bool train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  return p == 0 || !train || input.numel() == 0;
}

// One value per channel of each sample, 1 where it is kept.
Tensor feature_noise(const Tensor& input, double p) {
  TORCH_CHECK(input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input");
  DimVector sizes(input.dim(), 1);
  sizes[0] = input.size(0);
  sizes[1] = input.size(1);
  return at::bernoulli(at::empty(sizes, input.options()), 1 - p);
}

Tensor element_noise(const Tensor& input, double p) { return at::bernoulli(at::empty_like(input), 1 - p); }

// Dropped elements become SELU's negative limit, and the result is scaled and shifted to mean 0 and variance
// 1.
struct AlphaNoise {
  Tensor factor, shift;

  AlphaNoise(const Tensor& kept, double p) {
    constexpr double limit = 1.7580993408473766;
    const double scale = 1 / std::sqrt((limit * limit * p + 1) * (1 - p));
    factor = at::mul(kept, scale);
    shift = at::add(at::mul(at::sub(kept, 1), limit * scale), limit * scale * p);
  }
};

void check_floating(const char* name, const Tensor& t) {
  TORCH_CHECK(t.is_floating_point() || t.is_complex(), name,
              ": result type Float can't be cast to the desired output type ", t.scalar_type());
}

Tensor dropped(const Tensor& input, const Tensor& kept, double p) {
  return at::mul(input, p == 1 ? kept : at::div(kept, 1 - p));
}

Tensor alpha_dropped(const Tensor& input, const Tensor& kept, double p) {
  if (p == 1) return at::mul(input, at::zeros({}, input.options()));
  const AlphaNoise noise(kept, p);
  return at::add(at::mul(input, noise.factor), noise.shift);
}

Tensor& alpha_drop(Tensor& self, const Tensor& kept, double p) {
  if (p == 1) return self.mul_(at::zeros({}, self.options()));
  const AlphaNoise noise(kept, p);
  return self.mul_(noise.factor).add_(noise.shift);
}

}  // namespace

Tensor feature_dropout(const Tensor& input, double p, bool train) {
  if (does_nothing(input, p, train)) return input;
  check_floating("feature_dropout", input);
  return dropped(input, feature_noise(input, p), p);
}

Tensor& feature_dropout_(Tensor& self, double p, bool train) {
  if (does_nothing(self, p, train)) return self;
  check_floating("feature_dropout_", self);
  const Tensor kept = feature_noise(self, p);
  return self.mul_(p == 1 ? kept : at::div(kept, 1 - p));
}

Tensor alpha_dropout(const Tensor& input, double p, bool train) {
  if (does_nothing(input, p, train)) return input;
  check_floating("alpha_dropout", input);
  return alpha_dropped(input, element_noise(input, p), p);
}

Tensor& alpha_dropout_(Tensor& self, double p, bool train) {
  if (does_nothing(self, p, train)) return self;
  check_floating("alpha_dropout_", self);
  return alpha_drop(self, element_noise(self, p), p);
}

Tensor feature_alpha_dropout(const Tensor& input, double p, bool train) {
  if (does_nothing(input, p, train)) return input;
  check_floating("feature_alpha_dropout", input);
  return alpha_dropped(input, feature_noise(input, p), p);
}

Tensor& feature_alpha_dropout_(Tensor& self, double p, bool train) {
  if (does_nothing(self, p, train)) return self;
  check_floating("feature_alpha_dropout_", self);
  return alpha_drop(self, feature_noise(self, p), p);
}

}  // namespace at::native
