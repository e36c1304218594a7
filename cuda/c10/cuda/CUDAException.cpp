// The message of a failed CUDA call.
#include <c10/cuda/CUDAException.h>

#include <c10/cuda/CUDADeviceAssertion.h>

#include <atomic>

namespace c10::inline C10_ABI::cuda {

namespace {

// After which every call fails.
bool is_device_failure(cudaError_t error) {
  return error == cudaErrorLaunchFailure || error == cudaErrorAssert || error == cudaErrorIllegalAddress ||
         error == cudaErrorIllegalInstruction;
}

const char* hint(cudaError_t error) {
  if (is_device_failure(error)) {
    return " An earlier kernel failed; CUDA_LAUNCH_BLOCKING=1 shows which. The process can't use the device "
           "any more.";
  }
  switch (error) {
    case cudaErrorNoDevice:
      return " This machine has no CUDA device.";
    case cudaErrorInsufficientDriver:
      return " There is no NVIDIA driver, or it is older than this library's CUDA runtime.";
    case cudaErrorNoKernelImageForDevice:
      return " Build with --cuda-architectures for this device.";
    default:
      return "";
  }
}

// The first error says what failed, those of later calls what they failed for.
std::string assertion_message(const std::string& failed) {
  static constinit std::atomic<bool> told{false};
  if (told.exchange(true)) {
    return "CUDA error: the process can't use the device any more, since an assertion failed in a kernel: " +
           failed;
  }
  return str("CUDA error: an assertion failed in a kernel: ", failed,
             ". The process can't use the device any more.");
}

}  // namespace

std::string describe(cudaError_t error) {
  return str(cudaGetErrorString(error), " (", cudaGetErrorName(error), ").", hint(error));
}

void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  const std::string failed = is_device_failure(error) ? failed_assertion() : std::string();
  if (!failed.empty()) throw AcceleratorError(assertion_message(failed));
  throw AcceleratorError(
      str("CUDA error: ", describe(error), " It comes from ", call, " at ", file, ":", line, "."));
}

}  // namespace c10::inline C10_ABI::cuda
