// The loop over the examples, for operators without a rule.
#include <ATen/native/Batching.h>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/ops/select.h>
#include <ATen/ops/stack.h>

namespace at::native {

namespace {

using c10::IValue;

// Where the generator of a random operator stands, to go back to.
class Draws {
 public:
  explicit Draws(const BatchCall& call) {
    std::optional<c10::Device> device;
    for (const IValue& argument : call.arguments) {
      if (argument.isGenerator()) generator_ = argument.toGenerator();
      call.mapped(argument, [&](const IValue& t) {
        if (t.toTensorBase().defined()) device = t.toTensorBase().device();
        return t;
      });
    }
    if (!generator_.defined()) generator_ = default_generator(device.value_or(c10::Device(kCPU)));
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    state_ = generator_.unsafeGetGeneratorImpl()->get_state();
  }
  void repeat() {
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    generator_.unsafeGetGeneratorImpl()->set_state(*state_);
  }

 private:
  Generator generator_;
  c10::intrusive_ptr<c10::TensorImpl> state_;
};

IValue stacked(const BatchCall& call, const std::vector<std::vector<IValue>>& results, size_t place) {
  const IValue& first = results[0][place];
  if (first.isList()) {
    auto list = c10::make_intrusive<c10::detail::ListImpl>();
    for (size_t i = 0; i < first.toListRef().size(); ++i) {
      std::vector<std::vector<IValue>> elements;
      for (const auto& result : results) {
        TORCH_CHECK(result[place].toListRef().size() == first.toListRef().size(),
                    "vmap: ", call.schema.name(), " gives lists of different lengths for the examples");
        elements.push_back({result[place].toListRef()[i]});
      }
      list->list.push_back(stacked(call, elements, 0));
    }
    return IValue(std::move(list));
  }
  if (!first.isTensor()) {
    for (const auto& result : results) {
      if (!(result[place] == first)) refuse_data_dependence(call);
    }
    return first;
  }
  std::vector<Tensor> tensors;
  for (const auto& result : results) tensors.push_back(result[place].toTensor());
  return tensors[0].defined() ? IValue(at::stack(tensors)) : first;
}

// What an operator does to the geometry of one example doesn't reach the tensor of all.
void check_same_shape(const BatchCall& call, const IValue& result) {
  for (size_t i = 0; i < call.arguments.size() && result.isTensor(); ++i) {
    if (!call.schema.arguments()[i].is_write() || !call.arguments[i].isTensor()) continue;
    TORCH_CHECK_NOT_IMPLEMENTED(call.arguments[i].toTensorBase().sizes() == result.toTensorBase().sizes(),
                                "vmap: ", call.schema.name(),
                                " changes the shape of a tensor in place; use the out-of-place operator");
    return;
  }
}

}  // namespace

void call_each(const BatchCall& call, bool same) {
  TORCH_CHECK(call.size() > 0, "vmap: ", call.schema.name(), " has no rule for a batch without examples");
  const BelowLevel below(*call.level);
  std::vector<std::vector<IValue>> results;
  std::optional<Draws> draws;
  if (same) draws.emplace(call);
  for (int64_t i = 0; i < call.size(); ++i) {
    if (draws && i > 0) draws->repeat();
    std::vector<IValue> given;
    for (const IValue& argument : call.arguments) {
      given.push_back(call.mapped(argument, [&](const IValue& t) {
        const BatchedTensorImpl* own = call.at_level(t);
        if (own == nullptr) return t;
        if (!own->is_batched()) return IValue(own->value());
        return IValue(at::select(Tensor(own->value()), 0, i));
      }));
    }
    results.push_back(call.call(call.op.entry(), std::move(given)));
  }
  std::vector<IValue> all;
  for (size_t i = 0; i < results[0].size(); ++i) {
    const bool written = call.schema.returns()[i].is_write();
    if (written) check_same_shape(call, results[0][i]);
    all.push_back(written ? results[0][i] : stacked(call, results, i));
  }
  call.give(std::move(all), true);
}

}  // namespace at::native
