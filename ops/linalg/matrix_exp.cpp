// The matrix exponential: a Taylor polynomial whose degree depends on the norm, of the matrix divided by a
// power of 2, and as many squarings. The polynomials take 0 to 5 products, as in Bader, Blanes, Casas,
// "Computing the matrix exponential with an optimized Taylor polynomial approximation" (Mathematics 7, 2019),
// which has the coefficients and the norms up to which each is exact to the rounding.
#include <ATen/OpMathType.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/matrix_exp.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/linalg_matrix_exp.h>
#include <ATen/ops/linalg_matrix_exp_native.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/matrix_exp_backward_native.h>
#include <ATen/ops/matrix_exp_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

namespace at::native {

namespace {

constexpr int degrees = 6;  // 1, 2, 4, 8, 12, 18
using Norms = std::array<double, degrees>;
constexpr Norms largest_norms_32 = {1.192092800768788e-07, 5.978858893805233e-04, 5.116619363445086e-02,
                                    5.800524627688768e-01, 1.461661507209034e+00, 3.010066362817634e+00};
constexpr Norms largest_norms_64 = {2.220446049250313e-16, 2.580956802971767e-08, 3.397168839976962e-04,
                                    4.991228871115323e-02, 2.996158913811580e-01, 1.090863719290036e+00};
constexpr int max_squarings = 2048;  // beyond the exponents of all dtypes

// How a matrix is computed: the index of its polynomial's degree, and the number of squarings.
struct Plan {
  int degree;
  int squarings;
  auto operator<=>(const Plan&) const = default;
};

Plan plan_for(double norm, const Norms& largest) {
  for (int i = 0; i < degrees; ++i) {
    if (norm <= largest[i]) return {i, 0};
  }
  // Not finite: as the polynomial's NaNs.
  if (!std::isfinite(norm)) return {degrees - 1, 0};
  const int squarings = static_cast<int>(std::ceil(std::log2(norm / largest.back())));
  return {degrees - 1, std::clamp(squarings, 0, max_squarings)};
}

// The sum of `constant` times the identity and of the terms' multiples.
struct Term {
  double factor;
  const Tensor& matrix;
};

Tensor sum_of(double constant, std::initializer_list<Term> terms) {
  Tensor result;
  for (const Term& term : terms) {
    if (term.factor == 0) continue;
    if (!result.defined()) {
      result = at::mul(term.matrix, term.factor);
    } else {
      result.add_(term.matrix, term.factor);
    }
  }
  if (constant != 0) result.diagonal(0, -2, -1).add_(constant);
  return result;
}

Tensor degree_8(const Tensor& a) {
  const double root = std::sqrt(177.0), x3 = 2.0 / 3.0;
  const double x1 = x3 * (1 + root) / 88, x2 = x3 * (1 + root) / 352;
  const double x4 = (-271 + 29 * root) / (315 * x3), x5 = 11 * (-1 + root) / (1260 * x3);
  const double x6 = 11 * (-9 + root) / (5040 * x3), x7 = (89 - root) / (5040 * x3 * x3);
  const Tensor a2 = at::matmul(a, a);
  const Tensor a4 = at::matmul(a2, sum_of(0, {{x1, a}, {x2, a2}}));
  const Tensor right = sum_of(x4, {{x5, a}, {x6, a2}, {x7, a4}});
  const Tensor a8 = at::matmul(sum_of(0, {{x3, a2}, {1, a4}}), right);
  return sum_of(1, {{1, a}, {(857 - 58 * root) / 630, a2}, {1, a8}});
}

Tensor degree_12(const Tensor& a) {
  const Tensor a2 = at::matmul(a, a), a3 = at::matmul(a2, a);
  const auto row = [&](double c0, double c1, double c2, double c3) {
    return sum_of(c0, {{c1, a}, {c2, a2}, {c3, a3}});
  };
  const Tensor b1 = row(9.0198e-16, 0.46932117595418237389, -0.20099424927047284052, -0.04623946134063071740);
  const Tensor b2 =
      row(5.31597895759871264183, 1.19926790417132231573, 0.01179296240992997031, 0.01108844528519167989);
  const Tensor b3 =
      row(0.18188869982170434744, 0.05502798439925399070, 0.09351590770535414968, 0.00610700528898058230);
  const Tensor b4 =
      row(-2.0861320e-13, -0.13181061013830184015, -0.02027855540589259079, -0.00675951846863086359);
  const Tensor a6 = at::matmul(b4, b4).add_(b3);
  return at::matmul(at::add(b2, a6), a6).add_(b1);
}

Tensor degree_18(const Tensor& a) {
  const Tensor a2 = at::matmul(a, a), a3 = at::matmul(a2, a), a6 = at::matmul(a3, a3);
  const auto row = [&](double c0, double c1, double c2, double c3, double c6) {
    return sum_of(c0, {{c1, a}, {c2, a2}, {c3, a3}, {c6, a6}});
  };
  const Tensor b1 =
      row(0, -1.00365581030144618291e-01, -8.02924648241156932449e-03, -8.92138498045729985177e-04, 0);
  const Tensor b2 = row(0, 3.97849749499645077844e-01, 1.36783778460411720168e+00, 4.98289622525382669416e-01,
                        -6.37898194594723280150e-04);
  const Tensor b3 = row(-1.09676396052962061844e+01, 1.68015813878906206114e+00, 5.71779846478865511061e-02,
                        -6.98210122488052056106e-03, 3.34975017086070470649e-05);
  const Tensor b4 = row(-9.04316832390810593223e-02, -6.76404519071381882256e-02, 6.75961301770459654925e-02,
                        2.95552570429315521194e-02, -1.39180257516060693404e-05);
  const Tensor b5 =
      row(0, 0, -9.23364619367118555360e-02, -1.69364939002081722752e-02, -1.40086798182036094347e-05);
  const Tensor a9 = at::matmul(b1, b5).add_(b4);
  return at::matmul(at::add(b3, a9), a9).add_(b2);
}

Tensor polynomial(const Tensor& a, int degree) {
  switch (degree) {
    case 0:
      return sum_of(1, {{1, a}});
    case 1:
      return sum_of(1, {{1, a}, {0.5, at::matmul(a, a)}});
    case 2: {
      const Tensor a2 = at::matmul(a, a);
      return sum_of(1, {{1, a}, {1, at::matmul(a2, sum_of(0.5, {{1.0 / 6, a}, {1.0 / 24, a2}}))}});
    }
    case 3:
      return degree_8(a);
    case 4:
      return degree_12(a);
    default:
      return degree_18(a);
  }
}

// Of a batch that shares one plan.
Tensor exponentials(const Tensor& a, const Plan& plan) {
  if (plan.squarings == 0) return polynomial(a, plan.degree);
  Tensor result = polynomial(at::mul(a, std::ldexp(1.0, -plan.squarings)), plan.degree);
  for (int i = 0; i < plan.squarings; ++i) result = at::matmul(result, result);
  return result;
}

// The greatest sum of a column's absolute values, of each matrix.
std::vector<double> norms_of(const Tensor& matrices) {
  const Tensor norms = at::amax(at::sum(at::abs(matrices), -2), -1).to(kCPU, kDouble).contiguous();
  const auto* data = norms.const_data_ptr<double>();
  return {data, data + norms.numel()};
}

Tensor indices(const std::vector<int64_t>& values, Device device) {
  const Tensor result = at::empty({static_cast<int64_t>(values.size())}, kLong);
  std::copy(values.begin(), values.end(), result.mutable_data_ptr<int64_t>());
  return result.to(device);
}

Tensor exponentials_of_batch(const Tensor& matrices) {
  const Norms& largest =
      c10::toRealValueType(matrices.scalar_type()) == kDouble ? largest_norms_64 : largest_norms_32;
  std::map<Plan, std::vector<int64_t>> groups;
  const std::vector<double> norms = norms_of(matrices);
  for (size_t i = 0; i < norms.size(); ++i) {
    groups[plan_for(norms[i], largest)].push_back(static_cast<int64_t>(i));
  }
  if (groups.size() == 1) return exponentials(matrices, groups.begin()->first);
  Tensor result = at::empty_like(matrices);
  for (const auto& [plan, members] : groups) {
    const Tensor where = indices(members, matrices.device());
    c10::List<std::optional<Tensor>> places;
    places.push_back(where);
    result.index_put_(places, exponentials(matrices.index_select(0, where), plan));
  }
  return result;
}

}  // namespace

Tensor linalg_matrix_exp(const Tensor& self) {
  check_square(self, "linalg.matrix_exp");
  check_float_or_complex(self, "linalg.matrix_exp", /*low_precision=*/true);
  if (self.size(-1) == 1) return at::exp(self);
  if (self.numel() == 0 || self.is_meta()) return at::empty_like(self, MemoryFormat::Contiguous);
  const ScalarType dtype = at::toOpMathType(self.scalar_type());
  const Tensor matrices = self.to(dtype).contiguous().reshape({-1, self.size(-2), self.size(-1)});
  return exponentials_of_batch(matrices).view(self.sizes()).to(self.scalar_type());
}

Tensor matrix_exp(const Tensor& self) { return at::linalg_matrix_exp(self); }

Tensor matrix_exp_differential(const Tensor& self, const Tensor& grad, bool adjoint) {
  const Tensor a = adjoint ? conjugate_transpose(self) : self;
  // exp([[A, G], [0, A]]) = [[exp(A), D], [0, exp(A)]], where D is the derivative in the direction G.
  const int64_t n = self.size(-1);
  const Tensor top = at::cat({a, grad}, -1), bottom = at::cat({at::zeros_like(a), a}, -1);
  return at::linalg_matrix_exp(at::cat({top, bottom}, -2)).narrow(-2, 0, n).narrow(-1, n, n);
}

Tensor matrix_exp_backward(const Tensor& self, const Tensor& grad) {
  return matrix_exp_differential(self, grad, /*adjoint=*/true);
}

}  // namespace at::native
