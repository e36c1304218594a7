// DispatchStub: a function that is compiled once per CPU capability, and perhaps for other devices, and
// chosen when it is first called. The header of a kernel declares it, one .cpp defines it, and kernel files
// register implementations:
//   using structured_binary_fn = void (*)(TensorIteratorBase&);
//   DECLARE_DISPATCH(structured_binary_fn, clamp_stub)  // in ops/elementwise/stubs.h
//   DEFINE_DISPATCH(clamp_stub);                        // in ops/elementwise/clamp.cpp
//   REGISTER_DISPATCH(clamp_stub, &clamp_kernel)        // in cpu/elementwise/simd/clamp.cpp
//   clamp_stub(iter.device_type(), iter);
// The build says which capabilities exist (HAVE_DEFAULT_CPU_DEFINITION, HAVE_AVX2_CPU_DEFINITION,
// HAVE_AVX512_CPU_DEFINITION) and, in a file compiled per capability, which one this is
// (CPU_CAPABILITY=DEFAULT|AVX2|AVX512). A missing kernel is a link error. The stub keeps where its copies
// are, and no other library sees them: whoever calls it first, the choice is among all that it was built
// with.
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/macros/Macros.h>

#include <atomic>
#include <utility>

// Outside of a library's own build, stubs have one copy: the macros aren't defined.
#if !defined(HAVE_DEFAULT_CPU_DEFINITION) && !defined(HAVE_AVX2_CPU_DEFINITION) && \
    !defined(HAVE_AVX512_CPU_DEFINITION)
#define HAVE_DEFAULT_CPU_DEFINITION
#endif

namespace at::native {

enum class CPUCapability { DEFAULT = 0, AVX2 = 1, AVX512 = 2, NUM_OPTIONS };

// Best capability of this machine that was compiled in; ATEN_CPU_CAPABILITY=default|avx2|avx512 lowers it.
TORCH_API CPUCapability get_cpu_capability();
TORCH_API const char* cpu_capability_name(CPUCapability capability);

template <typename FnPtr, typename T>
struct DispatchStub;

// The part that does not depend on the function's type. Kernels are indexed by CPUCapability.
struct TORCH_API DispatchStubImpl {
  void* choose_cpu(void* const* kernels, const char* name);
  void* device_kernel(c10::DeviceType device_type, const char* name) const;
  // Null where there is none.
  void* find_device_kernel(c10::DeviceType device_type) const;

  std::atomic<void*> cpu{nullptr};
  void* cuda = nullptr;
  void* privateuse1 = nullptr;
};

template <typename R, typename T, typename... Args>
struct DispatchStub<R (*)(Args...), T> {
  using FnPtr = R (*)(Args...);

  DispatchStub() = default;
  DispatchStub(const DispatchStub&) = delete;
  DispatchStub& operator=(const DispatchStub&) = delete;

  template <typename... ArgTypes>
  R operator()(c10::DeviceType device_type, ArgTypes&&... args) {
    return (*get_call_ptr(device_type))(std::forward<ArgTypes>(args)...);
  }

  bool is_device_supported(c10::DeviceType device_type) const {
    return device_type == c10::DeviceType::CPU || impl.find_device_kernel(device_type) != nullptr;
  }
  void set_cuda_dispatch_ptr(FnPtr fn) { impl.cuda = reinterpret_cast<void*>(fn); }
  void set_privateuse1_dispatch_ptr(FnPtr fn) { impl.privateuse1 = reinterpret_cast<void*>(fn); }

#ifdef HAVE_DEFAULT_CPU_DEFINITION
  static C10_HIDDEN FnPtr DEFAULT;
#endif
#ifdef HAVE_AVX2_CPU_DEFINITION
  static C10_HIDDEN FnPtr AVX2;
#endif
#ifdef HAVE_AVX512_CPU_DEFINITION
  static C10_HIDDEN FnPtr AVX512;
#endif

 private:
  FnPtr get_call_ptr(c10::DeviceType device_type) {
    if (device_type != c10::DeviceType::CPU) {
      return reinterpret_cast<FnPtr>(impl.device_kernel(device_type, T::stub_name));
    }
    void* chosen = impl.cpu.load(std::memory_order_relaxed);
    return reinterpret_cast<FnPtr>(C10_LIKELY(chosen != nullptr) ? chosen : choose_cpu());
  }

  C10_NOINLINE void* choose_cpu() {
    void* kernels[capabilities] = {};
    for (int i = 0; i < capabilities; ++i) {
      if (copies[i] != nullptr) kernels[i] = reinterpret_cast<void*>(*copies[i]);
    }
    return impl.choose_cpu(kernels, T::stub_name);
  }

  static constexpr int capabilities = static_cast<int>(CPUCapability::NUM_OPTIONS);

  DispatchStubImpl impl;
  // By CPUCapability.
  FnPtr* const copies[capabilities] = {
#ifdef HAVE_DEFAULT_CPU_DEFINITION
      &DEFAULT,
#else
      nullptr,
#endif
#ifdef HAVE_AVX2_CPU_DEFINITION
      &AVX2,
#else
      nullptr,
#endif
#ifdef HAVE_AVX512_CPU_DEFINITION
      &AVX512,
#else
      nullptr,
#endif
  };
};

template <typename Stub>
struct RegisterCUDADispatch {
  RegisterCUDADispatch(Stub& stub, typename Stub::FnPtr fn) { stub.set_cuda_dispatch_ptr(fn); }
};
template <typename Stub>
struct RegisterPrivateUse1Dispatch {
  RegisterPrivateUse1Dispatch(Stub& stub, typename Stub::FnPtr fn) { stub.set_privateuse1_dispatch_ptr(fn); }
};

#define DECLARE_DISPATCH(fn, name) DECLARE_DISPATCH_WITH(TORCH_API, fn, name)
// For a stub that only its own library calls.
#define DECLARE_HIDDEN_DISPATCH(fn, name) DECLARE_DISPATCH_WITH(C10_HIDDEN, fn, name)
#define DECLARE_DISPATCH_WITH(visibility, fn, name)                                                    \
  struct name##_DECLARE_DISPATCH_type : ::at::native::DispatchStub<fn, name##_DECLARE_DISPATCH_type> { \
    static constexpr const char* stub_name = #name;                                                    \
    name##_DECLARE_DISPATCH_type() = default;                                                          \
    name##_DECLARE_DISPATCH_type(const name##_DECLARE_DISPATCH_type&) = delete;                        \
    name##_DECLARE_DISPATCH_type& operator=(const name##_DECLARE_DISPATCH_type&) = delete;             \
  };                                                                                                   \
  extern visibility struct name##_DECLARE_DISPATCH_type name;

#define DEFINE_DISPATCH(name) struct name##_DECLARE_DISPATCH_type name

#define REGISTER_ARCH_DISPATCH(name, arch, fn)                               \
  template <>                                                                \
  name##_DECLARE_DISPATCH_type::FnPtr C10_HIDDEN ::at::native::DispatchStub< \
      name##_DECLARE_DISPATCH_type::FnPtr, struct name##_DECLARE_DISPATCH_type>::arch = fn;

#ifdef HAVE_DEFAULT_CPU_DEFINITION
#define REGISTER_DEFAULT_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, DEFAULT, fn)
#else
#define REGISTER_DEFAULT_DISPATCH(name, fn)
#endif
#ifdef HAVE_AVX2_CPU_DEFINITION
#define REGISTER_AVX2_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, AVX2, fn)
#else
#define REGISTER_AVX2_DISPATCH(name, fn)
#endif
#ifdef HAVE_AVX512_CPU_DEFINITION
#define REGISTER_AVX512_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, AVX512, fn)
#else
#define REGISTER_AVX512_DISPATCH(name, fn)
#endif

// One implementation for every capability, compiled once.
#define REGISTER_ALL_CPU_DISPATCH(name, fn) \
  REGISTER_DEFAULT_DISPATCH(name, fn)       \
  REGISTER_AVX2_DISPATCH(name, fn)          \
  REGISTER_AVX512_DISPATCH(name, fn)
#define REGISTER_NO_CPU_DISPATCH(name) REGISTER_ALL_CPU_DISPATCH(name, nullptr)

#define REGISTER_CUDA_DISPATCH(name, fn)                                                                     \
  static ::at::native::RegisterCUDADispatch<struct name##_DECLARE_DISPATCH_type> name##__register_cuda(name, \
                                                                                                       fn);
#define REGISTER_PRIVATEUSE1_DISPATCH(name, fn)                                         \
  static ::at::native::RegisterPrivateUse1Dispatch<struct name##_DECLARE_DISPATCH_type> \
      name##__register_pu1(name, fn);

#if defined(CPU_CAPABILITY)
#define REGISTER_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, CPU_CAPABILITY, fn)
#elif defined(__CUDACC__)
#define REGISTER_DISPATCH(name, fn) REGISTER_CUDA_DISPATCH(name, fn)
#else
#define REGISTER_DISPATCH(name, fn) REGISTER_ALL_CPU_DISPATCH(name, fn)
#endif

}  // namespace at::native
