// Anomaly mode: what nodes remember of the forward call.
#include <torch/autograd/anomaly.h>

#include <torch/autograd/record.h>

#include <cstdio>

namespace torch::inline C10_ABI::autograd {

constinit std::atomic<bool> AnomalyMode::enabled_{false};
constinit std::atomic<bool> AnomalyMode::check_nan_{true};

namespace {

constinit std::atomic<std::string (*)()> trace_of_caller{nullptr};
constinit std::atomic<void (*)(const std::string&)> warning_handler{nullptr};

}  // namespace

void set_trace_of_caller(std::string (*trace)()) noexcept { trace_of_caller.store(trace); }
void set_warning_handler(void (*warn)(const std::string&)) noexcept { warning_handler.store(warn); }

void warn(const std::string& message) {
  if (const auto handler = warning_handler.load()) return handler(message);
  std::fprintf(stderr, "warning: %s\n", message.c_str());
}

void remember_forward_call(Node& node) {
  NodeExtras& extras = node.mutable_extras();
  if (const auto trace = trace_of_caller.load()) extras.forward_trace = trace();
  // In a backward pass that is recorded itself: the node being differentiated.
  if (Node* running = current_node()) {
    extras.forward_parent = c10::intrusive_ptr<Node>::reclaim_copy(running);
  }
}

std::string describe_forward(const Node& node) {
  std::string text;
  for (const Node* at = &node; at != nullptr && at->extras() != nullptr;
       at = at->extras()->forward_parent.get()) {
    const char* op = at->operator_name();
    const std::string who = op != nullptr ? c10::str(at->name(), " (of ", op, ")") : std::string(at->name());
    const std::string& trace = at->extras()->forward_trace;
    if (at == &node) {
      text = c10::str("Error detected in ", who, ". ");
    } else {
      text += c10::str("\nPrevious calculation was induced by ", who, ". ");
    }
    text += trace.empty()
                ? "No forward pass information is available: enable anomaly detection during forward pass."
                : c10::str("Traceback of forward call that caused the error:\n", trace);
  }
  return text;
}

}  // namespace torch::inline C10_ABI::autograd
