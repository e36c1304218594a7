// Where kernels leave the assertion that failed.
#include <c10/cuda/CUDADeviceAssertion.h>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <mutex>

namespace c10::inline C10_ABI::cuda {

namespace {

constinit std::atomic<AssertionFailure*> failures{nullptr};

// One for each device, which they all can write to. Never freed: used until the process ends.
AssertionFailure* allocate_failures() {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  if (AssertionFailure* made = failures.load(std::memory_order_acquire); made != nullptr) return made;
  void* memory = nullptr;
  C10_CUDA_CHECK(cudaHostAlloc(&memory, max_devices * sizeof(AssertionFailure), cudaHostAllocPortable));
  auto* made = static_cast<AssertionFailure*>(memory);
  for (int i = 0; i < max_devices; ++i) made[i] = AssertionFailure{};
  failures.store(made, std::memory_order_release);
  return made;
}

std::string message_of(const AssertionFailure& failure) {
  std::string text = str(failure.op, "(): ", failure.text);
  for (const int64_t value : failure.values) {
    if (const size_t at = text.find("{}"); at != std::string::npos) {
      text.replace(at, 2, std::to_string(value));
    }
  }
  return text;
}

}  // namespace

KernelAssertion kernel_assertion(const char* op, const char* text) {
  AssertionFailure* all = failures.load(std::memory_order_acquire);
  if (C10_UNLIKELY(all == nullptr)) all = allocate_failures();
  return {all + current_device(), op, text};
}

KernelAssertion index_assertion(const char* op) {
  return kernel_assertion(op, "index {} is out of bounds for dimension with size {}");
}

std::string failed_assertion() {
  const AssertionFailure* all = failures.load(std::memory_order_acquire);
  for (int i = 0; all != nullptr && i < max_devices; ++i) {
    if (*const_cast<const volatile unsigned*>(&all[i].complete) != 0) return message_of(all[i]);
  }
  return {};
}

}  // namespace c10::inline C10_ABI::cuda
