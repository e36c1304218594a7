// What formulas of schemas/batching.yaml call for losses.
#pragma once

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace at::native::batching {

/// The classes of targets, those to be ignored replaced by 0, and the weights, theirs 0.
struct Classes {
  int64_t dim;
  Tensor target;
  Tensor weight;
};

inline Classes classes_of(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          int64_t ignore_index) {
  const Tensor counts = at::ne(target, ignore_index);
  const Tensor known = at::mul(target, counts);
  Tensor weights = counts.to(self.scalar_type());
  if (weight && weight->defined()) {
    weights = at::mul(weights, at::index_select(*weight, 0, known.reshape({-1})).view(known.sizes()));
  }
  return {self.dim() == 1 ? 0 : 1, known, weights};
}

inline std::tuple<Tensor, Tensor> nll_loss(const Tensor& self, const Tensor& target,
                                           const std::optional<Tensor>& weight, int64_t reduction,
                                           const SymInt& ignore_index) {
  const Classes of = classes_of(self, target, weight, ignore_index.guard_int(__FILE__, __LINE__));
  const Tensor picked = at::squeeze(at::gather(self, of.dim, at::unsqueeze(of.target, of.dim)), of.dim);
  const Tensor losses = at::neg(at::mul(picked, of.weight));
  const Tensor total = at::sum(of.weight);
  if (reduction == Reduction::None) return {losses, self.dim() == 1 ? total : at::zeros_like(total)};
  const Tensor sum = at::sum(losses);
  return {reduction == Reduction::Mean ? at::div(sum, total) : sum, total};
}

inline Tensor nll_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                const std::optional<Tensor>& weight, int64_t reduction,
                                const SymInt& ignore_index, const Tensor& total) {
  const Classes of = classes_of(self, target, weight, ignore_index.guard_int(__FILE__, __LINE__));
  const Tensor scale = reduction == Reduction::Mean ? at::div(grad, total) : grad;
  const Tensor each = at::neg(at::mul(of.weight, scale));
  return at::scatter(at::zeros_like(self), of.dim, at::unsqueeze(of.target, of.dim),
                     at::unsqueeze(each, of.dim));
}

}  // namespace at::native::batching
