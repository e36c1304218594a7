// Which stream a backward pass works on: each node runs on the stream of its forward operator, so that
// streams overlap in backward as they did in forward. Events order a gradient's producer and its consumer.
#pragma once

#include <c10/core/Stream.h>
#include <torch/autograd/node.h>

#include <optional>
#include <vector>

namespace torch::inline C10_ABI::autograd {

/// The streams of one run. On the host there are none, and nothing here costs more than a comparison.
class RunStreams {
 public:
  /// Makes the streams of a node's forward current, with their device, until it is destroyed.
  class Guard {
   public:
    // Delegates, so that an exception undoes what was entered.
    Guard(RunStreams& run, const Node& node) : Guard() {
      for (size_t i = 0; i < node.num_inputs(); ++i) {
        if (C10_UNLIKELY(node.input_metadata(i).has_stream())) enter(run, node.input_metadata(i).stream());
      }
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() {
      if (C10_UNLIKELY(held_ != nullptr)) leave();
    }

   private:
    Guard() = default;
    void enter(RunStreams& run, const c10::Stream& stream);
    void leave() noexcept;

    struct Held;
    Held* held_ = nullptr;  // what was current; on the host there is nothing to construct
  };

  /// The caller's current streams wait for all that ran on others; the results are for them.
  void join(const variable_list& results) const;

 private:
  std::vector<c10::Stream> used_;
};

/// The stream on which `expected`'s node will use `grad`, if that isn't the current one. Then it waits for
/// the work that makes the gradient, and keeps its memory.
TORCH_API std::optional<c10::Stream> handed_over(const Tensor& grad, const InputMetadata& expected);

}  // namespace torch::inline C10_ABI::autograd
