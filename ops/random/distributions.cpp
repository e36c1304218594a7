// Random numbers of other distributions, made of uniform and normal ones by elementwise operators. 16-bit
// floats are computed as float, integers as double.
#include <ATen/Dispatch.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include <ATen/ops/cauchy_native.h>
#include <ATen/ops/ceil.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/exponential_native.h>
#include <ATen/ops/geometric_native.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log_normal_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/normal.h>
#include <ATen/ops/random.h>
#include <ATen/ops/random_native.h>
#include <ATen/ops/tan.h>
#include <ATen/ops/uniform.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace at::native {

namespace {

// Runs fill on self, or on a wider tensor that is then copied to self.
template <class Fill>
Tensor& fill_wide(Tensor& self, ScalarType wide, const Fill& fill) {
  at::assert_no_internal_overlap(self);
  if (self.scalar_type() == wide) {
    Tensor filled = self;
    fill(filled);
  } else {
    Tensor filled = at::empty_like(self, self.options().dtype(wide), MemoryFormat::Contiguous);
    fill(filled);
    self.copy_(filled);
  }
  return self;
}

void check_continuous(const Tensor& self, const char* name) {
  TORCH_CHECK(isFloatingType(self.scalar_type()), name,
              " makes numbers of a continuous distribution: expected a floating dtype, got ",
              self.scalar_type());
}

ScalarType drawn_type(const Tensor& self) { return self.scalar_type() == kDouble ? kDouble : kFloat; }

// Half the distance of 1 to the next number: what is rounded to 1 with it.
double half_epsilon(const Tensor& t) {
  return t.scalar_type() == kDouble ? std::numeric_limits<double>::epsilon() / 2
                                    : std::numeric_limits<float>::epsilon() / 2;
}

}  // namespace

Tensor& random_(Tensor& self, int64_t to, std::optional<Generator> gen) {
  return self.random_(0, to, std::move(gen));
}
Tensor& random_(Tensor& self, std::optional<Generator> gen) {
  return self.random_(0, std::nullopt, std::move(gen));
}
Tensor& random_meta_(Tensor& self, int64_t to, std::optional<Generator> gen) {
  return self.random_(0, to, std::move(gen));
}
Tensor& random_meta_(Tensor& self, std::optional<Generator> gen) {
  return self.random_(0, std::nullopt, std::move(gen));
}

// -log(1 - u) / lambd for u uniform in [0, 1), and never 0.
Tensor& exponential_(Tensor& self, double lambd, std::optional<Generator> gen) {
  check_continuous(self, "exponential_");
  TORCH_CHECK(lambd > 0.0, "exponential_ expects lambda > 0.0, but found lambda=", lambd);
  return fill_wide(self, drawn_type(self), [&](Tensor& t) {
    t.uniform_(0, 1, gen).neg_().log1p_().clamp_max_(-half_epsilon(t)).mul_(-1.0 / lambd);
  });
}

// tan of an angle uniform in [-pi / 2, pi / 2).
Tensor& cauchy_(Tensor& self, double median, double sigma, std::optional<Generator> gen) {
  check_continuous(self, "cauchy_");
  TORCH_CHECK(sigma > 0.0, "cauchy_ expects sigma > 0.0, but found sigma=", sigma);
  return fill_wide(self, drawn_type(self),
                   [&](Tensor& t) { t.uniform_(-0.5, 0.5, gen).mul_(M_PI).tan_().mul_(sigma).add_(median); });
}

Tensor& log_normal_(Tensor& self, double mean, double std, std::optional<Generator> gen) {
  check_continuous(self, "log_normal_");
  TORCH_CHECK(std > 0.0, "log_normal_ expects std > 0.0, but found std=", std);
  return fill_wide(self, drawn_type(self), [&](Tensor& t) { t.normal_(mean, std, gen).exp_(); });
}

// log(1 - u) / log(1 - p), rounded up.
Tensor& geometric_(Tensor& self, double p, std::optional<Generator> gen) {
  TORCH_CHECK(0.0 < p && p < 1.0, "geometric_ expects p to be in (0, 1), but got p=", p);
  const ScalarType dtype = self.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(dtype != kBool && !isComplexType(dtype), "geometric_ is not implemented for ",
                              dtype);
  // Integers are limited to what their dtype holds.
  const bool integral = isIntegralType(dtype, /*includeBool=*/false);
  const double most = integral
                          ? AT_DISPATCH_INTEGRAL_TYPES(
                                dtype, "geometric_",
                                [] {
                                  return std::min(static_cast<double>(std::numeric_limits<scalar_t>::max()),
                                                  0x1.fffffffffffffp62);
                                })
                          : static_cast<double>(__builtin_inff());
  return fill_wide(self, integral ? kDouble : drawn_type(self), [&](Tensor& t) {
    t.uniform_(0, 1, gen).neg_().log1p_().mul_(1.0 / std::log1p(-p)).ceil_().clamp_(1, most);
  });
}

}  // namespace at::native
