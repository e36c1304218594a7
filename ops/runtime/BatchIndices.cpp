// Tensors as indices, and reductions of whole tensors, for all examples at once.
#include <ATen/native/Batching.h>

#include <ATen/core/DimVector.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/ops/arange.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/view.h>

namespace at::native {

using c10::IValue;

Tensor with_inserted_dims(const Tensor& value, int64_t count) {
  DimVector sizes(value.sizes());
  sizes.insert(sizes.begin() + 1, static_cast<size_t>(count), 1);
  return value.view(sizes);
}

IValue extended_to(const BatchCall& call, const IValue& argument, int64_t rank) {
  const BatchedTensorImpl* own = call.at_level(argument);
  if (own == nullptr) return argument;
  if (!own->is_batched() || own->dim() >= rank) return own->value();
  return with_inserted_dims(Tensor(own->value()), rank - own->dim());
}

namespace {

// What a list of indices holds.
struct Found {
  size_t first = SIZE_MAX, last = 0, count = 0;
  int64_t rank = 0;   // of the largest
  int64_t taken = 0;  // dimensions that they index
  bool differ = false, masks = false;

  void note(size_t place, const BatchedTensorImpl* own, const TensorBase& t) {
    const bool mask = t.scalar_type() == c10::ScalarType::Bool || t.scalar_type() == c10::ScalarType::Byte;
    first = std::min(first, place), last = place, ++count;
    masks |= mask;
    taken += mask ? t.dim() : 1;
    rank = std::max<int64_t>(rank, mask ? 1 : t.dim());
    differ |= own != nullptr && own->is_batched();
  }
  // Only indices next to each other leave the batch dimension in front; those that differ must be the first.
  bool keeps_batch_in_front() const {
    return count > 0 && last - first + 1 == count && (!differ || (first == 0 && !masks));
  }
};

// The number of each example.
IValue numbers(const BatchCall& call, c10::Device device, int64_t rank) {
  DimVector sizes(static_cast<size_t>(rank) + 1, 1);
  sizes[0] = call.size();
  const auto options = TensorOptions().dtype(c10::ScalarType::Long).device(device);
  return at::arange(call.size(), options).view(sizes);
}

}  // namespace

BatchIndices batch_indices(const BatchCall& call, const IValue& argument, int64_t rank) {
  const c10::ArrayRef<IValue> given = argument.toListRef();
  Found found;
  std::optional<c10::Device> device;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i].isTensor() || !given[i].toTensorBase().defined()) continue;
    device = given[i].toTensorBase().device();
    found.note(i, call.at_level(given[i]), given[i].toTensorBase());
  }
  if (!found.keeps_batch_in_front()) return {};
  auto list = c10::make_intrusive<c10::detail::ListImpl>();
  // Where they don't differ, nothing stands for the batch dimension.
  list->list.push_back(found.differ ? numbers(call, *device, found.rank) : IValue());
  for (const IValue& element : given) {
    list->list.push_back(
        call.mapped(element, [&](const IValue& t) { return extended_to(call, t, found.rank); }));
  }
  return {IValue(std::move(list)), found.rank + rank - found.taken};
}

bool call_flattened(const BatchCall& call, const BatchRule& rule) {
  std::vector<IValue> given;
  for (const c10::Argument& argument : rule.via->schema().arguments()) {
    const c10::Type& type = argument.type().is_optional() ? argument.type().element() : argument.type();
    if (argument.name() == "dim") {
      given.push_back(type.is_list() ? IValue(std::vector<int64_t>{1}) : IValue(int64_t{1}));
      continue;
    }
    const std::optional<int> place = call.schema.argumentIndexWithName(argument.name());
    if (!place && !argument.default_value()) return false;
    const IValue& value = place ? call.arguments[static_cast<size_t>(*place)] : *argument.default_value();
    if (!value.isTensor()) {
      given.push_back(value);
      continue;
    }
    const Tensor all(call.at_level(value)->value());
    given.emplace_back(all.reshape({call.size(), all.numel() / std::max<int64_t>(call.size(), 1)}));
  }
  std::vector<IValue> results = call.call(*rule.via, std::move(given));
  results.resize(call.schema.returns().size());
  call.give(std::move(results), true);
  return true;
}

}  // namespace at::native
