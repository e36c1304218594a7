// Shared by the formulas of normalisations. With the statistics of what is normalised together (a row), x' =
// (x - mean) * rstd, and all derivatives of x' by x consist of one symmetric linear map of the row: v -> v -
// mean(v) - x' * mean(v * x').
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/add.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/sub.h>

namespace torch::inline C10_ABI::autograd::generated::details {

class NormalizedRows {
 public:
  // `dims` are the dimensions of a row.
  NormalizedRows(const at::Tensor& input, const at::Tensor& mean, const at::Tensor& rstd,
                 at::IntArrayRef dims)
      : normalized(input.sub(mean).mul(rstd)), dims_(dims.begin(), dims.end()) {}

  at::Tensor mean(const at::Tensor& t) const { return t.mean(dims_, /*keepdim=*/true); }
  /// `t` projected: without its components along 1 and x'.
  at::Tensor project(const at::Tensor& t) const {
    return t.sub(mean(t)).sub(normalized.mul(mean(t.mul(normalized))));
  }

  const at::Tensor normalized;

 private:
  at::DimVector dims_;
};

/// a + b, where an undefined tensor is zero.
inline at::Tensor plus(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined()) return b;
  return b.defined() ? a.add(b) : a;
}

inline at::Tensor times(const at::Tensor& a, const at::Tensor& b) { return b.defined() ? a.mul(b) : a; }

/// The gradient of sum(grad_of_input * rstd * project(scaled)) + sum(of_normalized * x') by x.
inline at::Tensor second_input_gradient(const NormalizedRows& rows, const at::Tensor& rstd,
                                        const at::Tensor& scaled, const at::Tensor& grad_of_input,
                                        const at::Tensor& of_normalized) {
  if (!grad_of_input.defined()) return rows.project(of_normalized).mul(rstd);
  const at::Tensor stretch = rows.mean(scaled.mul(rows.normalized));
  const at::Tensor moved = rows.mean(grad_of_input.mul(rows.normalized));
  const at::Tensor bent = grad_of_input.mul(stretch).add(scaled.mul(moved)).mul(rstd).neg();
  const at::Tensor by_rstd = rows.mean(grad_of_input.mul(rows.project(scaled))).mul(rstd);
  return rows.project(plus(of_normalized, bent)).sub(rows.normalized.mul(by_rstd)).mul(rstd);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
