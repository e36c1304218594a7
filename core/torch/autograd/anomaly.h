// Anomaly mode: errors of the backward pass show the forward call they come from.
#pragma once

#include <torch/autograd/node.h>

#include <atomic>
#include <string>

namespace torch::inline C10_ABI::autograd {

class TORCH_API AnomalyMode {
 public:
  static bool is_enabled() { return enabled_.load(std::memory_order_relaxed); }
  static bool checks_nan() { return check_nan_.load(std::memory_order_relaxed); }
  static void set_enabled(bool enabled, bool check_nan) {
    enabled_.store(enabled, std::memory_order_relaxed);
    check_nan_.store(check_nan, std::memory_order_relaxed);
  }

 private:
  static std::atomic<bool> enabled_;
  static std::atomic<bool> check_nan_;
};

/// Describes the current call for errors of later backward passes: the Python binding sets it to the Python
/// stack trace. May be null.
TORCH_API void set_trace_of_caller(std::string (*trace)()) noexcept;
/// The warning handler: the Python binding makes Python warnings; null for stderr.
TORCH_API void set_warning_handler(void (*warn)(const std::string& message)) noexcept;

/// Warns the user.
TORCH_API void warn(const std::string& message);

/// The forward call that made the node; empty outside of anomaly mode.
TORCH_API std::string describe_forward(const Node& node);

}  // namespace torch::inline C10_ABI::autograd
