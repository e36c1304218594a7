// Moves arguments to the host and results to the device, around the CPU's kernel of any operator.
#include <ATen/native/CPUFallback.h>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <vector>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

// One tensor argument, on the device and on the host.
struct Moved {
  Tensor device;
  Tensor host;
};

class Fallback {
 public:
  Fallback(const c10::OperatorHandle& op, c10::Stack* stack) : op_(op), schema_(op.schema()), stack_(stack) {
    const size_t count = schema_.arguments().size();
    arguments_.assign(stack->end() - static_cast<ptrdiff_t>(count), stack->end());
  }

  void run() {
    refuse_own_operators();
    refuse_views();
    find_device();
    const size_t first = stack_->size() - arguments_.size();
    for (size_t i = 0; i < arguments_.size(); ++i) (*stack_)[first + i] = to_host(arguments_[i]);
    op_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack_);
    write_back();
    const size_t first_result = stack_->size() - schema_.returns().size();
    for (size_t i = 0; i < schema_.returns().size(); ++i) {
      IValue& result = (*stack_)[first_result + i];
      result = to_device(result, schema_.returns()[i]);
    }
  }

 private:
  using IValue = c10::IValue;

  // The operators that moving tensors calls itself: falling back there would never end.
  void refuse_own_operators() const {
    for (const c10::OperatorEntry* needed :
         {&_ops::empty_memory_format::entry, &_ops::empty_strided::entry, &_ops::resize_::entry}) {
      TORCH_CHECK_NOT_IMPLEMENTED(
          &op_.entry() != needed, schema_.operator_name(),
          ": the fallback to the CPU stands on this operator, so the device needs a kernel of "
          "its own for it");
    }
  }

  void refuse_views() const {
    for (const c10::Argument& result : schema_.returns()) {
      TORCH_CHECK_NOT_IMPLEMENTED(
          result.alias_info() == nullptr || result.alias_info()->is_write, schema_.name(),
          "(): returns a view, which the fallback to the CPU can't make; the device needs a "
          "kernel of its own for it");
    }
  }

  void note_device(c10::Device device) {
    if (!device_ && !device.is_cpu()) device_ = device;
  }
  void find_device() {
    for (const IValue& argument : arguments_) {
      if (argument.isTensor() && argument.toTensorBase().defined()) {
        note_device(argument.toTensorBase().device());
      }
      if (argument.isDevice()) note_device(argument.toDevice());
      if (!argument.isList()) continue;
      for (const IValue& element : argument.toListRef()) {
        if (element.isTensor() && element.toTensorBase().defined()) {
          note_device(element.toTensorBase().device());
        }
      }
    }
  }

  IValue to_host(const IValue& argument) {
    if (argument.isTensor()) {
      const Tensor tensor = argument.toTensor();
      if (!tensor.defined() || tensor.is_cpu()) return argument;
      moved_.push_back({tensor, tensor.to(kCPU)});
      return moved_.back().host;
    }
    if (argument.isDevice()) return IValue(c10::Device(kCPU));
    if (!argument.isList()) return argument;
    auto list = c10::make_intrusive<c10::detail::ListImpl>();
    for (const IValue& element : argument.toListRef()) list->list.push_back(to_host(element));
    return IValue(std::move(list));
  }

  void write_back() {
    size_t next = 0;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const bool written = schema_.arguments()[i].is_write();
      const size_t end = next + tensors_in(arguments_[i]);
      for (; next < end; ++next) {
        if (!written) continue;
        const Moved& tensor = moved_[next];
        if (tensor.device.sizes() != tensor.host.sizes()) tensor.device.resize_(tensor.host.sizes());
        tensor.device.copy_(tensor.host);
      }
    }
  }
  size_t tensors_in(const IValue& argument) const {
    if (argument.isTensor()) {
      return argument.toTensorBase().defined() && !argument.toTensorBase().device().is_cpu();
    }
    size_t count = 0;
    if (argument.isList()) {
      for (const IValue& element : argument.toListRef()) count += tensors_in(element);
    }
    return count;
  }

  // The given tensor for a result that was written to; other results are moved.
  IValue to_device(const IValue& result, const c10::Argument& declared) const {
    if (result.isTensor()) {
      const Tensor tensor = result.toTensor();
      for (const Moved& argument : moved_) {
        if (declared.is_write() && argument.host.is_same(tensor)) return argument.device;
      }
      return device_ && tensor.defined() && tensor.is_cpu() ? IValue(tensor.to(*device_)) : result;
    }
    if (!result.isList()) return result;
    auto list = c10::make_intrusive<c10::detail::ListImpl>();
    for (const IValue& element : result.toListRef()) list->list.push_back(to_device(element, declared));
    return IValue(std::move(list));
  }

  const c10::OperatorHandle& op_;
  const c10::FunctionSchema& schema_;
  c10::Stack* stack_;
  std::vector<IValue> arguments_;
  std::vector<Moved> moved_;  // in the order of the arguments
  std::optional<c10::Device> device_;
};

}  // namespace

void cpu_fallback(const c10::OperatorHandle& op, c10::Stack* stack) { Fallback(op, stack).run(); }

}  // namespace at::native
