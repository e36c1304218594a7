// Detects the CPU's capability and selects kernels by it.
#include <ATen/native/DispatchStub.h>

#include <c10/util/Exception.h>

#include <cstdlib>
#include <cstring>

namespace at::native {

namespace {

CPUCapability detect() {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
  __builtin_cpu_init();
#ifdef HAVE_AVX512_CPU_DEFINITION
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma")) {
    return CPUCapability::AVX512;
  }
#endif
#ifdef HAVE_AVX2_CPU_DEFINITION
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
    return CPUCapability::AVX2;
  }
#endif
#endif
  return CPUCapability::DEFAULT;
}

CPUCapability requested_or(CPUCapability detected) {
  const char* name = std::getenv("ATEN_CPU_CAPABILITY");
  if (name == nullptr || *name == '\0') {
    return detected;
  }
  for (auto option : {CPUCapability::DEFAULT, CPUCapability::AVX2, CPUCapability::AVX512}) {
    if (std::strcmp(name, cpu_capability_name(option)) == 0) {
      // A capability above the machine's would end in an illegal instruction.
      return option < detected ? option : detected;
    }
  }
  TORCH_WARN("ATEN_CPU_CAPABILITY=", name, " is ignored: expected default, avx2 or avx512");
  return detected;
}

}  // namespace

const char* cpu_capability_name(CPUCapability capability) {
  switch (capability) {
    case CPUCapability::AVX512:
      return "avx512";
    case CPUCapability::AVX2:
      return "avx2";
    default:
      return "default";
  }
}

CPUCapability get_cpu_capability() {
  static const CPUCapability capability = requested_or(detect());
  return capability;
}

void* DispatchStubImpl::choose_cpu(void* const* kernels, const char* name) {
  for (int i = static_cast<int>(get_cpu_capability()); i >= 0; i--) {
    if (kernels[i] != nullptr) {
      cpu.store(kernels[i], std::memory_order_relaxed);
      return kernels[i];
    }
  }
  TORCH_CHECK_NOT_IMPLEMENTED(false, name, ": there is no kernel for a CPU of capability ",
                              cpu_capability_name(get_cpu_capability()),
                              "; the library was built for other CPU_CAPABILITIES");
}

void* DispatchStubImpl::find_device_kernel(c10::DeviceType device_type) const {
  switch (device_type) {
    case c10::DeviceType::CUDA:
      return cuda;
    case c10::DeviceType::PrivateUse1:
      return privateuse1;
    default:
      return nullptr;
  }
}

void* DispatchStubImpl::device_kernel(c10::DeviceType device_type, const char* name) const {
  void* kernel = find_device_kernel(device_type);
  TORCH_CHECK_NOT_IMPLEMENTED(kernel != nullptr, name, ": there is no kernel for device type ",
                              c10::DeviceTypeName(device_type));
  return kernel;
}

}  // namespace at::native
