// Forward-mode AD: tensors carry a tangent while a level is open.
#pragma once

#include <torch/autograd/edge.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace torch::inline C10_ABI::autograd {

/// The tangent of a tensor; AutogradMeta holds it.
struct ForwardGrad {
  Tensor tangent;
  uint64_t level = 0;
};

/// Levels don't nest: one at a time per process, as in PyTorch.
class TORCH_API ForwardLevel {
 public:
  /// Enters a level; returns its number. Throws when one is open already.
  static uint64_t enter();
  /// Leaves it: all tangents are gone. Throws when another is open.
  static void exit(uint64_t level);
  /// Whether a level is open.
  static bool any() { return open_.load(std::memory_order_relaxed) != 0; }
  static uint64_t current() { return open_.load(std::memory_order_relaxed); }

 private:
  static std::atomic<uint64_t> open_;
};

/// The tensor's tangent; undefined if it has none, or forward mode is off.
TORCH_API Tensor tangent(const at::TensorBase& t);
/// The same with zeros instead of an undefined one; undefined only for an undefined tensor.
TORCH_API Tensor tangent_or_zeros(const Tensor& t);
/// The primal without the tangent: a view that shares everything else.
TORCH_API Tensor primal(const Tensor& t);
/// Sets a result's tangent. Undefined ones are ignored. `in_place`: the operator wrote to `result`, whose
/// tangent, if any, is written to as well, so that views and bases agree. Throws for wrong shapes and types.
TORCH_API void set_tangent(const Tensor& result, const Tensor& tangent, bool in_place);
TORCH_API void set_tangent(const std::vector<Tensor>& results, const std::vector<Tensor>& tangents,
                           bool in_place);
/// An alias of `value` with the tangent. Throws unless shapes, dtypes and devices agree.
TORCH_API Tensor make_dual(const Tensor& value, const Tensor& tangent, uint64_t level);
/// The primal and the tangent (undefined if there is none).
TORCH_API std::pair<Tensor, Tensor> unpack_dual(const Tensor& dual, uint64_t level);

}  // namespace torch::inline C10_ABI::autograd
