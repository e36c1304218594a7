// Assertions in kernels. One that fails ends all work of the process on its device, and CUDA's error says
// neither which nor why: the kernel leaves that for the host.
#pragma once

#include <c10/macros/Macros.h>

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace c10::inline C10_ABI::cuda {

/// The first assertion that failed on a device, in page-locked memory, which the host reads when the device
/// has failed.
struct AssertionFailure {
  unsigned taken;  // by the thread that writes
  unsigned complete;
  const char* op;
  const char* text;
  int64_t values[2];
};

/// An argument of kernels. The texts are literals of the host; "{}" in `text` stands for a value.
struct KernelAssertion {
  AssertionFailure* failure;
  const char* op;
  const char* text;

#if defined(__CUDACC__)
  __device__ void operator()(bool condition, int64_t first = 0, int64_t second = 0) const {
    if (C10_UNLIKELY(!condition)) fail(first, second);
  }

 private:
  __device__ void fail(int64_t first, int64_t second) const {
    if (atomicExch(&failure->taken, 1u) == 0) {
      failure->op = op;
      failure->text = text;
      failure->values[0] = first;
      failure->values[1] = second;
      __threadfence_system();
      *const_cast<volatile unsigned*>(&failure->complete) = 1;
      __threadfence_system();
    }
    // A trap stops the other threads, too: not before the failure is written.
    while (*const_cast<volatile unsigned*>(&failure->complete) == 0) {
    }
    __trap();
  }
#endif
};

/// For a kernel on the current device.
C10_API KernelAssertion kernel_assertion(const char* op, const char* text);
/// That an index is one of a dimension: the values are the index and the size.
C10_API KernelAssertion index_assertion(const char* op);

/// What failed on any device, with its operator; empty if nothing did.
std::string failed_assertion();

}  // namespace c10::inline C10_ABI::cuda
