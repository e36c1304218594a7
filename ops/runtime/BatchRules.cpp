// All examples at once: arguments changed by their roles, one call of the operator.
#include <ATen/native/Batching.h>

#include <ATen/core/DimVector.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <ATen/ops/div.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>

namespace at::native {

namespace {

using c10::IValue;

// Order of dtypes in promotion: bool, integers, floats, complex numbers.
int category(c10::ScalarType dtype) {
  return dtype == c10::ScalarType::Bool     ? 0
         : c10::isIntegralType(dtype, true) ? 1
         : c10::isFloatingType(dtype)       ? 2
                                            : 3;
}

class Physical {
 public:
  Physical(const BatchCall& call, const BatchRule& rule) : call_(call), rule_(rule), roles_(rule.roles) {
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const IValue& argument = call.arguments[i];
      flattens_ |= roles_[i] == 'f' && argument.isNone();
      if (roles_[i] == 's') dims_ = static_cast<int64_t>(argument.toListRef().size());
      if (roles_[i] == 'e' || roles_[i] == 'r') {
        sizes_given_ = static_cast<int64_t>(argument.toListRef().size());
      }
      keeps_ |= argument.isBool() && argument.toBool();
    }
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      if (is_tensor_role(roles_[i])) call.mapped(call.arguments[i], [&](const IValue& t) { return note(t); });
    }
    if (dims_ < 0) dims_ = rank_;
    constexpr std::string_view by_dimension("dDlpf");
    extends_scalar_ = rank_ == 0 && dims_ == 0 && std::any_of(roles_.begin(), roles_.end(), [&](char role) {
                        return by_dimension.find(role) != std::string_view::npos;
                      });
  }

  bool run() {
    if (rule_.kind == BatchKind::Leading && (!equal_ranks_ || (flattens_ && keeps_))) return false;
    if (rule_.kind == BatchKind::Folded && !prepare_fold()) return false;
    std::vector<IValue> given;
    for (size_t i = 0; i < call_.arguments.size(); ++i) {
      std::optional<IValue> changed = change(i);
      if (!changed) return false;
      given.push_back(std::move(*changed));
    }
    std::vector<IValue> results =
        call_.call(rule_.via != nullptr ? *rule_.via : call_.op.entry(), std::move(given));
    results.resize(call_.schema.returns().size());
    for (IValue& result : results) {
      result = call_.mapped(result, [&](const IValue& t) { return finished(t); });
    }
    call_.give(std::move(results), true);
    return true;
  }

 private:
  static bool is_tensor_role(char role) { return role == 't' || role == 'b'; }

  IValue note(const IValue& argument) {
    const TensorBase& t = argument.toTensorBase();
    if (!t.defined()) return argument;
    if (tensors_ > 0 && t.dim() != rank_) equal_ranks_ = false;
    if (tensors_++ == 0) rank_ = t.dim();
    highest_rank_ = std::max(highest_rank_, t.dim());
    if (t.dim() > 0) dimmed_ = dimmed_ ? c10::promoteTypes(*dimmed_, t.scalar_type()) : t.scalar_type();
    return argument;
  }

  // -------------------- tensors

  std::optional<IValue> change(size_t i) {
    const IValue& argument = call_.arguments[i];
    switch (roles_[i]) {
      case 't':
        return call_.mapped(argument,
                            [&](const IValue& t) { return tensor(t, rule_.kind == BatchKind::Folded); });
      case 'b':
        return call_.mapped(argument, [&](const IValue& t) { return folds_ ? folded(t) : tensor(t, false); });
      case 'q':
        return IValue(int64_t{Reduction::None});
      case 'Q':
        return IValue(argument.toInt() == Reduction::Mean ? int64_t{Reduction::Sum} : argument.toInt());
      case 'x':
        return shared(argument);
      case 'i': {
        BatchIndices indices = batch_indices(call_, argument, rank_);
        index_rank_ = indices.rank;
        return indices.list;
      }
      case 'v':
        return call_.mapped(argument, [&](const IValue& t) { return extended_to(call_, t, index_rank_); });
      case 'k':
        return only_first(argument);
      case 'm':
        return argument.isNone() || argument.toInt() == static_cast<int64_t>(c10::MemoryFormat::Preserve)
                   ? argument
                   : IValue(c10::MemoryFormat::Contiguous);
      case '.':
      case 'z':
        return argument;
      default:
        return dimensions(roles_[i], argument);
    }
  }

  // Of tensors that aren't batched, `shared` ones stay as they are.
  IValue tensor(const IValue& argument, bool shared) const {
    const TensorBase& t = argument.toTensorBase();
    if (!t.defined()) return argument;
    const BatchedTensorImpl* own = call_.at_level(argument);
    const Tensor value(own != nullptr ? own->value() : t);
    const bool is_batched = own != nullptr && own->is_batched();
    if (rule_.kind == BatchKind::Pointwise) return is_batched ? aligned(value) : value;
    if (is_batched) return extended(value);
    return shared ? value : extended(everywhere(value));
  }

  // The value with dimensions of size 1 behind the batch's, so that one example's dimensions are those of
  // the largest tensor. A tensor without any has no say in the result's dtype beside others; it must not get
  // one with the batch's dimension.
  Tensor aligned(const Tensor& value) const {
    const int64_t rank = value.dim() - 1;
    Tensor result = rank < highest_rank_ ? with_inserted_dims(value, highest_rank_ - rank) : value;
    const c10::ScalarType own = value.scalar_type();
    const bool yields = rank == 0 && dimmed_ && own != c10::ScalarType::Bool && own != *dimmed_ &&
                        category(*dimmed_) >= category(own);
    return yields ? result.to(*dimmed_) : result;
  }

  // What must be the same for all examples.
  std::optional<IValue> shared(const IValue& argument) const {
    bool possible = true;
    IValue value = call_.mapped(argument, [&](const IValue& t) {
      const BatchedTensorImpl* own = call_.at_level(t);
      possible &= own == nullptr || !own->is_batched();
      return own != nullptr ? IValue(own->value()) : t;
    });
    return possible ? std::optional<IValue>(std::move(value)) : std::nullopt;
  }

  // Which gradients are asked for: those of what is the same for all examples would be sums over these.
  static std::optional<IValue> only_first(const IValue& mask) {
    const std::vector<bool> wanted = mask.to<std::vector<bool>>();
    const bool fits = std::find(wanted.begin() + 1, wanted.end(), true) == wanted.end();
    return fits ? std::optional<IValue>(mask) : std::nullopt;
  }

  // An example without dimensions as a vector, for operators that take a dimension.
  Tensor extended(const Tensor& value) const {
    if (flattens_) return value.reshape({value.size(0), value.numel() / std::max<int64_t>(value.size(0), 1)});
    if (sizes_given_ > value.dim() - 1) return with_inserted_dims(value, sizes_given_ - value.dim() + 1);
    return extends_scalar_ && value.dim() == 1 ? with_inserted_dims(value, 1) : value;
  }

  Tensor everywhere(const Tensor& value) const {
    DimVector sizes(value.sizes());
    sizes.insert(sizes.begin(), call_.size());
    return value.expand(sizes);
  }

  // -------------------- the batch as part of the first dimension

  // Whether all that isn't folded is the same for all examples. One example may lack the first dimension:
  // the batch then takes its place.
  bool prepare_fold() {
    bool possible = true;
    std::optional<int64_t> rank;
    for (size_t i = 0; i < call_.arguments.size(); ++i) {
      call_.mapped(call_.arguments[i], [&](const IValue& t) {
        const BatchedTensorImpl* own = call_.at_level(t);
        if (!t.toTensorBase().defined()) return t;
        if (roles_[i] != 'b') {
          possible &= own == nullptr || !own->is_batched();
        } else {
          rank = rank.value_or(t.toTensorBase().dim());
        }
        return t;
      });
    }
    folds_ = rule_.rank == 0 || rank == rule_.rank;
    return possible && rank && (folds_ || *rank == rule_.rank - 1);
  }

  IValue folded(const IValue& argument) const {
    if (!argument.toTensorBase().defined()) return argument;
    const BatchedTensorImpl* own = call_.at_level(argument);
    const bool is_batched = own != nullptr && own->is_batched();
    const Tensor given(own != nullptr ? own->value() : argument.toTensorBase());
    const Tensor value = is_batched ? given : everywhere(given);
    DimVector sizes(value.sizes());
    sizes[1] *= sizes[0];
    sizes.erase(sizes.begin());
    return value.reshape(sizes);
  }

  IValue finished(const IValue& result) const {
    if (!result.toTensorBase().defined()) return result;
    if (folds_) return unfolded(result.toTensor());
    return reduced(unextended(everywhere_if_missing(result.toTensor())));
  }

  Tensor unfolded(const Tensor& t) const {
    if (t.dim() == 0) return t;
    DimVector sizes(t.sizes());
    sizes[0] /= std::max<int64_t>(call_.size(), 1);
    sizes.insert(sizes.begin(), call_.size());
    return t.view(sizes);
  }

  Tensor unextended(const Tensor& t) const {
    if (!extends_scalar_ || t.dim() < 2 || t.size(1) != 1) return t;
    DimVector sizes(t.sizes());
    sizes.erase(sizes.begin() + 1);
    return t.view(sizes);
  }

  // A result that wasn't asked for has no elements, and no batch dimension.
  Tensor everywhere_if_missing(const Tensor& t) const {
    return t.numel() == 0 && (t.dim() == 0 || t.size(0) != call_.size()) ? everywhere(t) : t;
  }

  // A loss whose elements were computed, or the gradient of a sum that is to be that of a mean.
  Tensor reduced(const Tensor& t) const {
    for (size_t i = 0; i < call_.arguments.size(); ++i) {
      if (roles_[i] != 'q' && roles_[i] != 'Q') continue;
      const int64_t reduction = call_.arguments[i].toInt();
      if (reduction == Reduction::None) return t;
      const int64_t count = t.numel() / std::max<int64_t>(call_.size(), 1);
      const Tensor summed = roles_[i] == 'Q' ? t : t.reshape({call_.size(), count}).sum(1);
      return reduction == Reduction::Mean ? summed.div(Scalar(count)) : summed;
    }
    return t;
  }

  // -------------------- dimensions and sizes

  std::optional<IValue> dimensions(char role, const IValue& argument) {
    switch (role) {
      case 'd':
        if (argument.isNone()) return std::nullopt;
        return shifted(argument.toInt(), dims_);
      case 'u':
        return shifted(argument.toInt(), dims_ + 1);
      case 'f':
        if (flattens_) return IValue(int64_t{1});
        return shifted(argument.toInt(), dims_);
      case 'D':
        return listed(argument, true);
      case 'l':
        return listed(argument, false);
      case 'p': {
        std::optional<IValue> order = listed(argument, false);
        return order ? std::optional<IValue>(prefixed(*order, 0)) : std::nullopt;
      }
      case 's':
      case 'e':
        return prefixed(argument, call_.size());
      case 'r':
        return prefixed(argument, 1);
      default:
        return prefixed(argument, first_stride());
    }
  }

  std::optional<IValue> shifted(int64_t dim, int64_t rank) const {
    rank = std::max<int64_t>(rank, 1);
    if (dim < -rank || dim >= rank) return std::nullopt;  // the operator says what is wrong
    return IValue(dim < 0 ? dim + rank + 1 : dim + 1);
  }

  std::optional<IValue> listed(const IValue& argument, bool all_by_default) const {
    std::vector<int64_t> dims;
    if (argument.isNone() || argument.toListRef().empty()) {
      if (!all_by_default) return std::nullopt;
      for (int64_t d = 1; d <= std::max<int64_t>(dims_, 1); ++d) dims.push_back(d);
      return IValue(dims);
    }
    for (int64_t dim : argument.toIntVector()) {
      const std::optional<IValue> changed = shifted(dim, dims_);
      if (!changed) return std::nullopt;
      dims.push_back(changed->toInt());
    }
    return IValue(dims);
  }

  static IValue prefixed(const IValue& argument, int64_t first) {
    std::vector<int64_t> values = argument.toIntVector();
    values.insert(values.begin(), first);
    return IValue(values);
  }

  int64_t first_stride() const {
    for (const IValue& argument : call_.arguments) {
      if (argument.isTensor()) return call_.at_level(argument)->value().stride(0);
    }
    return 0;
  }

  const BatchCall& call_;
  const BatchRule& rule_;
  const std::string_view roles_;
  int64_t index_rank_ = 0, tensors_ = 0, rank_ = 0, highest_rank_ = 0, sizes_given_ = -1, dims_ = -1;
  bool equal_ranks_ = true, extends_scalar_ = false, folds_ = false, flattens_ = false, keeps_ = false;
  std::optional<c10::ScalarType> dimmed_;
};

}  // namespace

bool call_batched(const BatchCall& call, const BatchRule& rule) {
  const BelowLevel below(*call.level);
  if (rule.kind == BatchKind::Flattened) return call_flattened(call, rule);
  return Physical(call, rule).run();
}

}  // namespace at::native
