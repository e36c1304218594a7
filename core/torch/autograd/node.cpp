// Nodes: their lifetime, and what all kinds of them share.
#include <torch/autograd/node.h>

#include <ATen/core/dispatch/OperatorEntry.h>
#include <torch/autograd/anomaly.h>

#include <ATen/ops/zeros.h>

namespace torch::inline C10_ABI::autograd {

// -------------------- hooks

PreHook::~PreHook() = default;
PostHook::~PostHook() = default;

namespace {
constinit NodeMutex hook_lists;
}
HookListsGuard::HookListsGuard() noexcept { hook_lists.lock(); }
HookListsGuard::~HookListsGuard() { hook_lists.unlock(); }

uint64_t next_hook_id() noexcept {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

variable_list GradientHook::operator()(variable_list&& grads) {
  Tensor& grad = grads[input_nr];
  Tensor result = call(grad);
  if (result.defined()) grad = std::move(result);
  return std::move(grads);
}

// -------------------- nodes

namespace {

constinit thread_local uint64_t next_number = 0;

// Nodes to be freed while another is being freed further up this thread's stack: a linked list through the
// nodes, each with one reference. Null while none is being freed.
constinit thread_local Node** waiting = nullptr;

}  // namespace

uint64_t Node::next_sequence_nr() { return next_number++; }

void release_node(c10::intrusive_ptr<Node> node) noexcept {
  if (!node) return;
  if (waiting != nullptr) {
    // Only the last reference can start a chain of destructors; any other is dropped here.
    if (node.use_count() == 1) {
      node->next_waiting_ = *waiting;
      *waiting = node.release();
    }
    return;
  }
  Node* rest = nullptr;
  waiting = &rest;
  node.reset();
  while (rest != nullptr) {
    const auto next = c10::intrusive_ptr<Node>::reclaim(rest);
    rest = next->next_waiting_;
  }
  waiting = nullptr;
}

Node::~Node() {
  if (C10_UNLIKELY(extras_ != nullptr)) release_node(std::move(extras_->forward_parent));
  for (Edge& edge : next_edges_) release_node(std::move(edge.function));
}

void Node::release_resources() {
  release_variables();
  if (extras_ != nullptr) {
    release_node(std::move(extras_->forward_parent));
    extras_.reset();
  }
  for (Edge& edge : next_edges_) release_node(std::move(edge.function));
  next_edges_.clear();
}

Tensor InputMetadata::zeros() const {
  return at::zeros(sizes, at::TensorOptions().dtype(dtype).device(device));
}

// -------------------- operators without a derivative

namespace {

std::string full_name(const char* name, const char* overload) {
  return *overload ? c10::str(name, ".", overload) : std::string(name);
}

}  // namespace

NotImplemented::NotImplemented(const char* name, const char* overload)
    : operator_name_(full_name(name, overload)) {}

variable_list NotImplemented::apply(variable_list&&) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "derivative for ", operator_name_,
      " is not implemented: it has no entry in the derivatives file, and is no composite of "
      "operators that have one");
  return {};
}

}  // namespace torch::inline C10_ABI::autograd
