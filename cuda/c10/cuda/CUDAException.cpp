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

std::string version(int number) { return str(number / 1000, '.', number % 1000 / 10); }

// CUDA has one error for no driver, whose version is 0, and for one that is too old.
std::string driver_hint() {
  int driver = 0, runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || cudaRuntimeGetVersion(&runtime) != cudaSuccess) {
    (void)cudaGetLastError();
    return " Install a newer NVIDIA driver.";
  }
  if (driver == 0) return " This machine has no NVIDIA driver, or this process can't use it.";
  return str(" The NVIDIA driver is for CUDA ", version(driver), ", and this library, built with CUDA ",
             version(runtime), ", needs one for CUDA ", runtime / 1000,
             ".0 or later: install a newer driver.");
}

std::string hint(cudaError_t error) {
  if (is_device_failure(error)) {
    return " An earlier kernel failed; CUDA_LAUNCH_BLOCKING=1 shows which. The process can't use the device "
           "any more.";
  }
  switch (error) {
    case cudaErrorNoDevice:
      return " This machine has no CUDA device.";
    case cudaErrorInsufficientDriver:
      return driver_hint();
    case cudaErrorInvalidConfiguration:
      return " A kernel's launch asks for more blocks, threads or shared memory than the device allows.";
    case cudaErrorInvalidResourceHandle:
      return " The stream or event was destroyed, or is of another device than the current one.";
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
