// Condition numbers: the norm of a matrix times that of its inverse.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/linalg/matrices.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/div.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/linalg_cond.h>
#include <ATen/ops/linalg_cond_native.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/linalg_matrix_norm.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace at::native {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Tensor none_to_condition(const Tensor& self) {
  return at::zeros(batch_sizes(self), self.options().dtype(c10::toRealValueType(self.scalar_type())));
}

template <class Order>
Tensor by_inverse(const Tensor& self, const Order& order) {
  const auto [inverse, info] = at::linalg_inv_ex(self);
  const Tensor singular = info.gt(0).unsqueeze(-1).unsqueeze(-1);
  const Tensor norms = at::linalg_matrix_norm(inverse.masked_fill(singular, infinity), order);
  // Zero times infinity is infinity, as in NumPy.
  return at::linalg_matrix_norm(self, order).mul(norms).nan_to_num(infinity, infinity, -infinity);
}

}  // namespace

Tensor linalg_cond(const Tensor& self, const std::optional<Scalar>& p) {
  check_is_matrix(self, "linalg.cond", "A");
  const double order = p.has_value() ? p->toDouble() : 2;
  TORCH_CHECK(std::abs(order) == 1 || std::abs(order) == 2 || std::isinf(order),
              "linalg.cond got an invalid norm type: ", order);
  if (std::abs(order) == 2) {
    check_float_or_complex(self, "linalg.svd");
    if (self.numel() == 0) return none_to_condition(self);
    const Tensor values = at::linalg_svdvals(self);
    const Tensor greatest = values.select(-1, 0), least = values.select(-1, -1);
    return order > 0 ? greatest.div(least) : least.div(greatest);
  }
  check_square(self, std::isinf(order) ? "linalg.cond(ord=inf)" : "linalg.cond(ord=1)");
  check_float_or_complex(self, "linalg.cond");
  return self.numel() == 0 ? none_to_condition(self) : by_inverse(self, Scalar(order));
}

Tensor linalg_cond(const Tensor& self, std::string_view p) {
  TORCH_CHECK(p == "fro" || p == "nuc", "linalg.cond got an invalid norm type: ", p);
  check_square(self, p == "fro" ? "linalg.cond(ord=fro)" : "linalg.cond(ord=nuc)");
  check_float_or_complex(self, "linalg.cond");
  if (self.numel() == 0) return none_to_condition(self);
  if (p == "fro") return by_inverse(self, p);
  const Tensor values = at::linalg_svdvals(self);
  return values.sum(-1).mul(values.reciprocal().sum(-1));
}

Tensor& linalg_cond_out(const Tensor& self, const std::optional<Scalar>& p, Tensor& result) {
  return write_result("linalg.cond", result, at::linalg_cond(self, p));
}

Tensor& linalg_cond_out(const Tensor& self, std::string_view p, Tensor& result) {
  return write_result("linalg.cond", result, at::linalg_cond(self, p));
}

}  // namespace at::native
