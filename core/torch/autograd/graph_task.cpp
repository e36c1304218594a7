// One run of the engine (see the header).
#include <torch/autograd/graph_task.h>

#include <ATen/profiler/Profiler.h>
#include <c10/core/GradMode.h>
#include <c10/core/StreamGuard.h>
#include <torch/autograd/anomaly.h>

#include <algorithm>

namespace torch::inline C10_ABI::autograd {

// -------------------- the map of nodes

uint32_t NodeIndex::find(const Node* node) const {
  for (size_t place = place_of(node);; place = (place + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[place];
    if (slot.node == node) return slot.index;
    if (slot.node == nullptr) return kNone;
  }
}

uint32_t NodeIndex::find_or_add(const Node* node, uint32_t fresh) {
  if (C10_UNLIKELY(2 * used_ >= slots_.size())) grow();
  for (size_t place = place_of(node);; place = (place + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[place];
    if (slot.node == node) return slot.index;
    if (slot.node != nullptr) continue;
    slot = {node, fresh};
    ++used_;
    return fresh;
  }
}

void NodeIndex::grow() {
  std::vector<Slot> old(4 * slots_.size());
  old.swap(slots_);
  shift_ -= 2;
  for (const Slot& slot : old) {
    if (slot.node == nullptr) continue;
    size_t place = place_of(slot.node);
    while (slots_[place].node != nullptr) place = (place + 1) & (slots_.size() - 1);
    slots_[place] = slot;
  }
}

// -------------------- the current run

namespace {

constinit thread_local GraphTask* running_task = nullptr;
constinit thread_local Node* running_node = nullptr;

template <class T>
class Restored {
 public:
  Restored(T*& place, T* value) : place_(place), before_(std::exchange(place, value)) {}
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() { place_ = before_; }

 private:
  T*& place_;
  T* before_;
};

}  // namespace

GraphTask* GraphTask::current() noexcept { return running_task; }
Node* GraphTask::current_node() noexcept { return running_node; }
Node* current_node() noexcept { return running_node; }

bool Node::task_should_compute_output(size_t index) const {
  const Edge& edge = next_edges_[index];
  return edge.is_valid() && (running_task == nullptr || running_task->needs(edge));
}

bool GraphTask::needs(const Edge& edge) const {
  if (C10_LIKELY(runs_all_)) return true;
  const uint32_t index = index_.find(edge.function.get());
  return index != NodeIndex::kNone && visits_[index].needed;
}

void GraphTask::add_unless_visited(const Edge& edge, bool needed) {
  if (runs_all_) return;
  const auto fresh = static_cast<uint32_t>(visits_.size());
  if (index_.find_or_add(edge.function.get(), fresh) != fresh) return;
  visits_.emplace_back(edge.function.get());
  visits_.back().needed = needed;
}

// -------------------- which nodes run

uint32_t GraphTask::visit_of(Node* node) {
  const auto fresh = static_cast<uint32_t>(visits_.size());
  const uint32_t index = index_.find_or_add(node, fresh);
  if (index == fresh) visits_.emplace_back(node);
  return index;
}

void GraphTask::discover(const edge_list& roots) {
  for (const Edge& root : roots) visit_of(root.function.get());
  // visits_ is also the queue: each node is appended to it once.
  for (size_t i = 0; i < visits_.size(); ++i) {
    for (const Edge& edge : visits_[i].node->next_edges()) {
      if (edge.is_valid()) ++visits_[visit_of(edge.function.get())].dependencies;
    }
  }
}

void GraphTask::mark_needed(const edge_list& captures) {
  runs_all_ = false;
  for (Visit& visit : visits_) visit.needed = visit.runs = false;
  captured_.resize(captures.size());
  for (size_t i = 0; i < captures.size(); ++i) {
    if (!captures[i].is_valid()) continue;
    const uint32_t index = index_.find(captures[i].function.get());
    if (index == NodeIndex::kNone) continue;
    Visit& visit = visits_[index];
    visit.needed = true;
    if (accumulate_) {
      visit.runs |= visit.node->sequence_nr() == Node::kLeaf;
    }
    if (!visit.captures) visit.captures = std::make_unique<std::vector<Capture>>();
    visit.captures->push_back({captures[i].input_nr, static_cast<uint32_t>(i)});
  }
  // A node runs if any node it leads to is needed: found in reverse topological order, from the leaves
  // upwards.
  std::vector<uint32_t> order, waiting(visits_.size());
  for (uint32_t i = 0; i < visits_.size(); ++i) {
    if ((waiting[i] = visits_[i].dependencies) == 0) order.push_back(i);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    for (const Edge& edge : visits_[order[i]].node->next_edges()) {
      if (!edge.is_valid()) continue;
      const uint32_t next = index_.find(edge.function.get());
      if (--waiting[next] == 0) order.push_back(next);
    }
  }
  for (size_t i = order.size(); i-- > 0;) {
    Visit& visit = visits_[order[i]];
    for (const Edge& edge : visit.node->next_edges()) {
      if (edge.is_valid() && visits_[index_.find(edge.function.get())].needed) {
        visit.needed = visit.runs = true;
      }
    }
  }
}

void GraphTask::push_ready(uint32_t index) {
  ready_.push_back({visits_[index].node->sequence_nr(), index});
  std::push_heap(ready_.begin(), ready_.end());
}

namespace {

void accumulate(Tensor& sum, Tensor&& grad) {
  if (!sum.defined()) {
    sum = std::move(grad);
  } else if (!c10::GradMode::is_enabled() && sum.use_count() == 1 && !sum.is_view() && sum.has_storage() &&
             grad.has_storage() && sum.storage().use_count() == 1 && sum.is_non_overlapping_and_dense()) {
    sum.add_(grad);
  } else {
    sum = sum.add(grad);
  }
}

}  // namespace

void GraphTask::add_gradient(Visit& visit, uint32_t input_nr, Tensor&& grad) {
  if (visit.inputs.size() <= input_nr) {
    visit.inputs.resize(std::max<size_t>(visit.node->num_inputs(), input_nr + 1));
  }
  if (!grad.defined()) return;
  c10::OptionalStreamGuard on_consumer;
  if (C10_UNLIKELY(c10::impl::has_current_device(grad.device()) && input_nr < visit.node->num_inputs())) {
    if (const auto stream = handed_over(grad, visit.node->input_metadata(input_nr))) {
      on_consumer.reset_stream(*stream);
    }
  }
  accumulate(visit.inputs[input_nr], std::move(grad));
}

void GraphTask::seed(const edge_list& roots, variable_list&& gradients) {
  for (size_t i = 0; i < roots.size(); ++i) {
    Visit& visit = visits_[index_.find(roots[i].function.get())];
    // A root's shape may have changed since it was recorded: under no_grad, or with other data.
    const InputMetadata& expected = visit.node->input_metadata(roots[i].input_nr);
    add_gradient(visit, roots[i].input_nr, validated(std::move(gradients[i]), expected, nullptr, i));
  }
  // Roots were visited first.
  for (uint32_t i = 0; i < visits_.size() && i < roots.size(); ++i) {
    if (visits_[i].dependencies == 0) push_ready(i);
  }
}

// -------------------- running nodes

variable_list GraphTask::run(const edge_list& roots, variable_list&& gradients, const edge_list& captures) {
  const Restored<GraphTask> task(running_task, this);
  const Restored<Node> node(running_node, nullptr);
  const c10::AutoGradMode grad_mode(create_graph_);
  discover(roots);
  single_root_ = roots.size() == 1;
  if (!captures.empty()) mark_needed(captures);
  seed(roots, std::move(gradients));
  while (!ready_.empty()) {
    std::pop_heap(ready_.begin(), ready_.end());
    const uint32_t index = ready_.back().index;
    ready_.pop_back();
    run_node(index);
  }
  streams_.join(captured_);
  for (size_t i = 0; i < final_callbacks_.size(); ++i) {
    const auto callback = std::move(final_callbacks_[i]);
    (*callback)();
  }
  return std::move(captured_);
}

namespace {

// Hooks of the tensors that are the node's inputs; hooks of retain_grad() see the others' results.
variable_list call_tensor_hooks(const std::vector<TensorHook>& registered, variable_list&& inputs) {
  const std::vector<TensorHook> hooks = copied(registered);
  for (const bool retaining : {false, true}) {
    for (const TensorHook& hook : hooks) {
      if (hook.retains_grad == retaining && hook.input_nr < inputs.size()) {
        inputs = (*hook.hook)(std::move(inputs));
      }
    }
  }
  return std::move(inputs);
}

}  // namespace

void GraphTask::run_node(uint32_t index) {
  Node& node = *visits_[index].node;
  const RunStreams::Guard on_streams(streams_, node);
  variable_list inputs(std::make_move_iterator(visits_[index].inputs.begin()),
                       std::make_move_iterator(visits_[index].inputs.end()));
  visits_[index].inputs.clear();
  inputs.resize(std::max(inputs.size(), node.num_inputs()));
  // The hooks of a single root are called even if it leads to nothing that is needed, as in PyTorch.
  if (!visits_[index].needed && !(index == 0 && single_root_)) return pass_on(node, {});
  const at::profiler::RangeGuard recorded(at::profiler::EventKind::Node,
                                          "autograd::engine::evaluate_function: ", node.name());
  if (const auto* hooks = node.tensor_hooks(); C10_UNLIKELY(hooks != nullptr && !hooks->empty())) {
    inputs = call_tensor_hooks(*hooks, std::move(inputs));
  }
  if (C10_UNLIKELY(visits_[index].captures != nullptr)) capture(visits_[index], inputs);
  if (!visits_[index].runs) return pass_on(node, {});
  pass_on(node, apply(node, std::move(inputs)));
}

void GraphTask::capture(Visit& visit, const variable_list& inputs) {
  for (const Capture& capture : *visit.captures) captured_[capture.output_nr] = inputs[capture.input_nr];
}

namespace {

void check_nan(const Node& node, const variable_list& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& t = outputs[i];
    if (!t.defined() || t.is_meta() || !(t.is_floating_point() || t.is_complex())) continue;
    const c10::AutoGradMode off(false);
    TORCH_CHECK(!t.ne(t).any().item<bool>(), "Function '", node.name(), "' returned nan values in its ", i,
                "th output.");
  }
}

variable_list call(Node& node, variable_list&& inputs) {
  NodeExtras* extras = node.extras();
  if (C10_LIKELY(extras == nullptr)) return node.apply(std::move(inputs));
  const auto pre_hooks = copied(extras->pre_hooks);
  for (const auto& registered : pre_hooks) inputs = (*registered.hook)(std::move(inputs));
  if (extras->post_hooks.empty()) return node.apply(std::move(inputs));
  const variable_list given = inputs;
  variable_list outputs = node.apply(std::move(inputs));
  const auto post_hooks = copied(node.extras()->post_hooks);
  for (const auto& registered : post_hooks) outputs = (*registered.hook)(std::move(outputs), given);
  return outputs;
}

}  // namespace

variable_list GraphTask::apply(Node& node, variable_list&& inputs) {
  const Restored<Node> running(running_node, &node);
  const at::profiler::RangeGuard recorded(at::profiler::EventKind::Node, "", node.name());
  variable_list outputs;
  if (C10_LIKELY(!AnomalyMode::is_enabled())) {
    outputs = call(node, std::move(inputs));
  } else {
    try {
      outputs = call(node, std::move(inputs));
      if (AnomalyMode::checks_nan()) check_nan(node, outputs);
    } catch (...) {
      warn(describe_forward(node));
      throw;
    }
  }
  if (!retain_graph_) node.release_variables();
  TORCH_CHECK(outputs.size() <= node.num_outputs() || node.num_outputs() == 0, "Function ", node.name(),
              " returned an incorrect number of gradients (expected ", node.num_outputs(), ", got ",
              outputs.size(), ")");
  return outputs;
}

void GraphTask::pass_on(Node& node, variable_list&& outputs) {
  const edge_list& edges = node.next_edges();
  for (size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    if (!edge.is_valid()) continue;
    const uint32_t index = index_.find(edge.function.get());
    Visit& next = visits_[index];
    if (i < outputs.size() && next.needed) {
      Tensor grad = std::move(outputs[i]);
      if (grad.defined()) {
        grad = validated(std::move(grad), next.node->input_metadata(edge.input_nr), &node, i);
      }
      add_gradient(next, edge.input_nr, std::move(grad));
    }
    if (--next.dependencies == 0) push_ready(index);
  }
}

}  // namespace torch::inline C10_ABI::autograd
