// Compiler macros, and the inline ABI namespaces in which every public name of this library lives.
#pragma once

#if defined(C10_API) && !defined(C10_ABI)
#error \
    "headers of PyTorch and of this library meet in one translation unit; exchange tensors through DLPack instead"
#endif
#ifdef C10_MACROS_MACROS_SEEN
#error \
    "headers of two generated libraries meet in one translation unit; exchange tensors through DLPack instead"
#endif
#define C10_MACROS_MACROS_SEEN

#include <c10/macros/Export.h>

// The child namespaces are declared here inside the inline ones, so that a later `namespace at::native {`
// extends at::<abi>::native and no kernel file need spell the ABI.
namespace c10::inline C10_ABI {
namespace detail {}
namespace impl {}
namespace guts {}
namespace cuda {}
}  // namespace c10::inline C10_ABI

namespace at::inline C10_ABI {
using namespace c10;
namespace detail {}
namespace impl {}
namespace internal {}
namespace indexing {}
namespace meta {}
namespace native {
namespace ufunc {}
namespace templates {}
}  // namespace native
namespace _ops {}
namespace cuda {
using namespace c10::cuda;
}
}  // namespace at::inline C10_ABI

namespace torch::inline C10_ABI {
namespace detail {}
namespace impl {}
namespace autograd {}
}  // namespace torch::inline C10_ABI

namespace caffe2::inline C10_ABI {}

#define C10_CONCATENATE_IMPL(s1, s2) s1##s2
#define C10_CONCATENATE(s1, s2) C10_CONCATENATE_IMPL(s1, s2)
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_MACRO_EXPAND(args) args

#ifdef __COUNTER__
#define C10_UID __COUNTER__
#define C10_ANONYMOUS_VARIABLE(str) \
  C10_CONCATENATE(C10_CONCATENATE(C10_CONCATENATE(str, __COUNTER__), _), __LINE__)
#else
#define C10_UID __LINE__
#define C10_ANONYMOUS_VARIABLE(str) C10_CONCATENATE(str, __LINE__)
#endif

#define C10_NODISCARD [[nodiscard]]
#define C10_UNUSED [[maybe_unused]]
#define C10_MAYBE_UNUSED [[maybe_unused]]
#define C10_FALLTHROUGH [[fallthrough]]

#if defined(__GNUC__) || defined(__clang__)
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#define C10_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 0))
#define C10_NOINLINE __attribute__((noinline))
#define C10_ALWAYS_INLINE __attribute__((__always_inline__)) inline
#define C10_ALWAYS_INLINE_ATTRIBUTE __attribute__((__always_inline__))
#define C10_ATTR_VISIBILITY_HIDDEN __attribute__((__visibility__("hidden")))
#define C10_COLD __attribute__((cold))
#define C10_RESTRICT __restrict__
#define C10_ERASE C10_ALWAYS_INLINE C10_ATTR_VISIBILITY_HIDDEN
#else
#define C10_LIKELY(expr) (expr)
#define C10_UNLIKELY(expr) (expr)
#define C10_NOINLINE
#define C10_ALWAYS_INLINE inline
#define C10_ALWAYS_INLINE_ATTRIBUTE
#define C10_ATTR_VISIBILITY_HIDDEN
#define C10_COLD
#define C10_RESTRICT
#define C10_ERASE inline
#endif
#define C10_LIKELY_OR_CONST(e) C10_LIKELY(e)
#define C10_UNLIKELY_OR_CONST(e) C10_UNLIKELY(e)

#define C10_DEFINE_DEPRECATED_USING(name, type) using name [[deprecated]] = type;
#define C10_DEPRECATED [[deprecated]]
#define C10_DEPRECATED_MESSAGE(message) [[deprecated(message)]]

#if defined(__clang__) || defined(__GNUC__)
#define C10_DIAGNOSTIC_PRAGMA_(x) _Pragma(#x)
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)                      \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpragmas\"") \
      C10_DIAGNOSTIC_PRAGMA_(GCC diagnostic ignored warning)
#define C10_DIAGNOSTIC_POP() _Pragma("GCC diagnostic pop")
#else
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)
#define C10_DIAGNOSTIC_POP()
#endif
#define C10_CLANG_DIAGNOSTIC_PUSH()
#define C10_CLANG_DIAGNOSTIC_POP()
#define C10_CLANG_DIAGNOSTIC_IGNORE(flag)

// Code shared by host and device compilers.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
constexpr int C10_CUDA_MAX_THREADS_PER_BLOCK = 1024;
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(max_threads) __launch_bounds__(max_threads)
#define C10_LAUNCH_BOUNDS_2(max_threads, min_blocks) __launch_bounds__(max_threads, min_blocks)
#define C10_WARP_SIZE 32
#else
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#endif

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define C10_DEVICE_CODE 1
#endif

// A failed check in a device kernel stops the kernel; the host sees it at the next synchronization.
#if defined(__CUDA_ARCH__)
#define CUDA_KERNEL_ASSERT(cond) \
  do {                           \
    if (C10_UNLIKELY(!(cond))) { \
      __trap();                  \
    }                            \
  } while (0)
#else
#define CUDA_KERNEL_ASSERT(cond) \
  do {                           \
    if (C10_UNLIKELY(!(cond))) { \
      __builtin_trap();          \
    }                            \
  } while (0)
#endif

#if defined(__SANITIZE_ADDRESS__)
#define C10_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define C10_ADDRESS_SANITIZER 1
#endif
#endif
