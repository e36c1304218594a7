// One run of the engine over the graph that is reachable from its roots.
#pragma once

#include <torch/autograd/engine.h>
#include <torch/autograd/streams.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace torch::inline C10_ABI::autograd {

/// A map from nodes to small indices. Open addressing, as lookups are most of a run's cost besides the
/// operators.
class NodeIndex {
 public:
  NodeIndex() : slots_(kFirstSize) {}

  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t find(const Node* node) const;
  /// The node's index, `fresh` if it had none.
  uint32_t find_or_add(const Node* node, uint32_t fresh);

 private:
  struct Slot {
    const Node* node = nullptr;
    uint32_t index = 0;
  };
  static constexpr size_t kFirstSize = 64;
  size_t place_of(const Node* node) const {
    return (reinterpret_cast<uintptr_t>(node) * 0x9E3779B97F4A7C15u) >> shift_;
  }
  void grow();

  std::vector<Slot> slots_;
  size_t used_ = 0;
  int shift_ = 58;
};

class GraphTask {
 public:
  GraphTask(bool retain_graph, bool create_graph, bool accumulate)
      : retain_graph_(retain_graph), create_graph_(create_graph), accumulate_(accumulate) {}
  GraphTask(const GraphTask&) = delete;
  GraphTask& operator=(const GraphTask&) = delete;

  variable_list run(const edge_list& roots, variable_list&& gradients, const edge_list& captures);

  /// Whether the gradient along this edge is needed.
  bool needs(const Edge& edge) const;
  /// What needs() returns for a node that this run doesn't reach.
  void add_unless_visited(const Edge& edge, bool needed);
  void add_final_callback(std::unique_ptr<FinalCallback> callback) {
    final_callbacks_.push_back(std::move(callback));
  }

  /// The current run and node of this thread; null outside.
  static GraphTask* current() noexcept;
  static Node* current_node() noexcept;

 private:
  struct Capture {
    uint32_t input_nr, output_nr;
  };
  // A node of this run, and the gradients accumulated for it so far.
  struct Visit {
    explicit Visit(Node* node) : node(node) {}
    Node* node;
    uint32_t dependencies = 0;
    // Whether its gradients are needed, and whether it is to be run (not only captured).
    bool needed = true, runs = true;
    c10::SmallVector<Tensor, 1> inputs;
    std::unique_ptr<std::vector<Capture>> captures;
  };
  // Later operators first, but leaves before all.
  struct Ready {
    uint64_t sequence_nr;
    uint32_t index;
    bool operator<(const Ready& other) const { return sequence_nr < other.sequence_nr; }
  };

  uint32_t visit_of(Node* node);
  void discover(const edge_list& roots);
  void mark_needed(const edge_list& captures);
  void seed(const edge_list& roots, variable_list&& gradients);
  void add_gradient(Visit& visit, uint32_t input_nr, Tensor&& grad);
  void push_ready(uint32_t index);
  void run_node(uint32_t index);
  void capture(Visit& visit, const variable_list& inputs);
  variable_list apply(Node& node, variable_list&& inputs);
  void pass_on(Node& node, variable_list&& outputs);

  const bool retain_graph_, create_graph_, accumulate_;
  bool runs_all_ = true, single_root_ = false;
  NodeIndex index_;
  std::vector<Visit> visits_;
  std::vector<Ready> ready_;
  RunStreams streams_;
  variable_list captured_;
  std::vector<std::unique_ptr<FinalCallback>> final_callbacks_;
};

/// The gradient with the shape, dtype and device of the tensor it is the gradient of. Throws where that can't
/// be made. `from` is null for the gradient of a root.
Tensor validated(Tensor&& grad, const InputMetadata& expected, const Node* from, size_t output_nr);

}  // namespace torch::inline C10_ABI::autograd
