// A node of the recorded graph: it turns the gradients of an operator's results into those of its arguments.
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/SmallBlockCache.h>
#include <c10/util/DimVector.h>
#include <torch/autograd/edge.h>
#include <torch/autograd/hooks.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace torch::inline C10_ABI::autograd {

/// The metadata of one input's gradient: shape, dtype and device of the tensor that the operator returned,
/// and the stream on which it was made.
struct TORCH_API InputMetadata {
  InputMetadata() = default;
  explicit InputMetadata(const at::TensorBase& t)
      : sizes(t.sizes()), dtype(t.scalar_type()), device(t.device()), defined(true) {
    if (C10_UNLIKELY(has_stream())) stream_id = current_stream_id(device);
  }

  Tensor zeros() const;
  bool has_stream() const { return defined && c10::impl::has_current_device(device); }
  c10::Stream stream() const { return c10::Stream(c10::Stream::UNSAFE, device, stream_id); }

  c10::DimVector sizes;
  c10::ScalarType dtype = c10::ScalarType::Undefined;
  c10::Device device{c10::kCPU};
  bool defined = false;
  c10::StreamId stream_id = 0;

 private:
  static c10::StreamId current_stream_id(c10::Device device);
};

/// Held for a few instructions (unpacking, releasing) or while a leaf's gradient is accumulated.
class NodeMutex {
 public:
  void lock() noexcept {
    while (locked_.exchange(true, std::memory_order_acquire)) locked_.wait(true, std::memory_order_relaxed);
  }
  void unlock() noexcept {
    locked_.store(false, std::memory_order_release);
    locked_.notify_one();
  }

 private:
  std::atomic<bool> locked_{false};
};

class NodeGuard {
 public:
  explicit NodeGuard(NodeMutex& mutex) noexcept : mutex_(mutex) { mutex_.lock(); }
  NodeGuard(const NodeGuard&) = delete;
  NodeGuard& operator=(const NodeGuard&) = delete;
  ~NodeGuard() { mutex_.unlock(); }

 private:
  NodeMutex& mutex_;
};

class TORCH_API Node : public c10::intrusive_ptr_target {
 public:
  Node() : sequence_nr_(next_sequence_nr()) {}
  explicit Node(uint64_t sequence_nr) : sequence_nr_(sequence_nr) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  /// Graphs of any depth are freed without recursion.
  ~Node() override;
  C10_SMALL_BLOCK_ALLOCATED

  /// The gradients for next_edges(), given those of the operator's results (undefined ones are zeros). Throws
  /// c10::Error when saved values were freed or modified in place.
  virtual variable_list apply(variable_list&& grads) = 0;
  /// "AddBackward0"
  virtual const char* name() const = 0;
  /// "aten::add.Tensor": the operator, if one made the node.
  virtual const char* operator_name() const { return nullptr; }
  /// Frees the saved values; apply() throws from then on.
  virtual void release_variables() {}
  /// Hooks of the tensors that are this node's inputs; null without any.
  virtual std::vector<TensorHook>* tensor_hooks() { return extras_ ? &extras_->tensor_hooks : nullptr; }
  /// The Python object of a node that Python defined; a new reference.
  virtual PyObject* python_object() { return nullptr; }

  // ---- inputs: the operator's results
  uint32_t add_input_metadata(const at::TensorBase& t) {
    input_metadata_.emplace_back(t);
    return static_cast<uint32_t>(input_metadata_.size() - 1);
  }
  /// An input for a result without a gradient.
  uint32_t add_undefined_input() {
    input_metadata_.emplace_back();
    return static_cast<uint32_t>(input_metadata_.size() - 1);
  }
  size_t num_inputs() const { return input_metadata_.size(); }
  const InputMetadata& input_metadata(size_t index) const { return input_metadata_[index]; }
  InputMetadata& mutable_input_metadata(size_t index) { return input_metadata_[index]; }
  void clear_input_metadata() { input_metadata_.clear(); }

  // ---- outputs: the operator's arguments
  const Edge& next_edge(size_t index) const { return next_edges_[index]; }
  const edge_list& next_edges() const { return next_edges_; }
  size_t num_outputs() const { return next_edges_.size(); }
  void add_next_edge(Edge edge) { next_edges_.push_back(std::move(edge)); }
  void set_next_edge(size_t index, Edge edge) { next_edges_[index] = std::move(edge); }
  void set_next_edges(edge_list&& edges) { next_edges_ = std::move(edges); }
  /// Whether the gradient of an argument is needed in the engine's present run.
  bool task_should_compute_output(size_t index) const;
  /// The same for any of a range of outputs, as a list of tensors has.
  bool task_should_compute_output(size_t first, size_t end) const {
    for (size_t i = first; i < end; ++i) {
      if (task_should_compute_output(i)) return true;
    }
    return false;
  }

  /// Increases with every operator; the engine runs the highest first.
  uint64_t sequence_nr() const { return sequence_nr_; }
  NodeMutex& mutex() { return mutex_; }

  // ---- hooks and other data of few nodes
  NodeExtras* extras() const { return extras_.get(); }
  NodeExtras& mutable_extras() {
    if (!extras_) extras_ = std::make_unique<NodeExtras>();
    return *extras_;
  }

  static uint64_t next_sequence_nr();
  /// Above all operators': leaves run immediately.
  static constexpr uint64_t kLeaf = UINT64_MAX;

 protected:
  void release_resources() override;

 private:
  const uint64_t sequence_nr_;
  std::unique_ptr<NodeExtras> extras_;
  edge_list next_edges_;
  c10::SmallVector<InputMetadata, 1> input_metadata_;
  friend TORCH_API void release_node(c10::intrusive_ptr<Node> node) noexcept;
  Node* next_waiting_ = nullptr;  // in release_node's list
  NodeMutex mutex_;
};

/// Drops a reference; a chain of nodes is freed iteratively, not recursively. Doesn't allocate.
TORCH_API void release_node(c10::intrusive_ptr<Node> node) noexcept;

/// A node for results without a derivative: apply() throws and names the operator.
class TORCH_API NotImplemented final : public Node {
 public:
  NotImplemented(const char* name, const char* overload);
  variable_list apply(variable_list&& grads) override;
  const char* name() const override { return "NotImplemented"; }
  const char* operator_name() const override { return operator_name_.c_str(); }

 private:
  std::string operator_name_;
};

/// The node whose apply() is running in this thread; null outside.
TORCH_API Node* current_node() noexcept;

}  // namespace torch::inline C10_ABI::autograd
