// The error classes and the TORCH_CHECK family. A check costs a compare and a jump; its message is built out
// of line.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/StringUtil.h>

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace c10::inline C10_ABI {

/// Base of all errors. what() is the message with the operators that the error passed through.
class C10_API Error : public std::exception {
 public:
  explicit Error(std::string message);
  Error(const Error&);
  Error& operator=(const Error&);
  ~Error() override;

  const char* what() const noexcept override;
  const char* what_without_backtrace() const noexcept { return what(); }
  /// The message alone.
  const std::string& msg() const noexcept { return message_; }
  /// Names of the operators that the error passed through, innermost first.
  const std::vector<std::string>& context() const noexcept { return context_; }
  /// Adds the name of an operator that the error passes through; a repetition of the last one is dropped.
  void add_context(std::string_view name);

 private:
  void refresh();

  std::string message_;
  std::vector<std::string> context_;
  std::string what_;
};

#define C10_DECLARE_ERROR(name)       \
  class C10_API name : public Error { \
   public:                            \
    using Error::Error;               \
    name(const name&);                \
    name& operator=(const name&);     \
    ~name() override;                 \
  };

C10_DECLARE_ERROR(IndexError)           // Python: IndexError
C10_DECLARE_ERROR(ValueError)           // ValueError
C10_DECLARE_ERROR(TypeError)            // TypeError
C10_DECLARE_ERROR(NotImplementedError)  // NotImplementedError
C10_DECLARE_ERROR(OutOfMemoryError)     // MemoryError
C10_DECLARE_ERROR(BufferError)          // BufferError: an exchange of memory with another library
C10_DECLARE_ERROR(LinAlgError)          // LinAlgError
C10_DECLARE_ERROR(SyntaxError)          // SyntaxError
C10_DECLARE_ERROR(AcceleratorError)     // RuntimeError of a device
#undef C10_DECLARE_ERROR

namespace detail {

// The message, or the condition where the check has no message.
C10_API C10_COLD std::string check_message(const char* condition, std::initializer_list<StrArg> args);

template <class E>
[[noreturn]] C10_COLD C10_NOINLINE void fail(const char* condition, std::initializer_list<StrArg> args) {
  throw E(check_message(condition, args));
}

extern template C10_API void fail<Error>(const char*, std::initializer_list<StrArg>);
extern template C10_API void fail<IndexError>(const char*, std::initializer_list<StrArg>);
extern template C10_API void fail<ValueError>(const char*, std::initializer_list<StrArg>);
extern template C10_API void fail<TypeError>(const char*, std::initializer_list<StrArg>);
extern template C10_API void fail<NotImplementedError>(const char*, std::initializer_list<StrArg>);

[[noreturn]] C10_API C10_COLD void fail_internal(const char* file, uint32_t line, const char* condition,
                                                 std::initializer_list<StrArg> args);

}  // namespace detail

/// Kinds of warning, each a Python warning class.
enum class WarningKind : uint8_t { UserWarning, DeprecationWarning };

using WarningHook = void (*)(WarningKind kind, const char* message);
/// Sets the handler of warnings (default: standard error); returns the previous one.
C10_API WarningHook set_warning_hook(WarningHook hook) noexcept;

namespace detail {
C10_API C10_COLD void warn(WarningKind kind, std::initializer_list<StrArg> args);
}

}  // namespace c10::inline C10_ABI

#if defined(__FILE_NAME__)
#define C10_FILE_NAME __FILE_NAME__
#else
#define C10_FILE_NAME __FILE__
#endif

// In device code a failed check traps: there are no exceptions.
#if defined(C10_DEVICE_CODE)
#define C10_CHECK_IMPL(error_t, cond, ...) CUDA_KERNEL_ASSERT(cond)
#define C10_INTERNAL_CHECK_IMPL(cond, ...) CUDA_KERNEL_ASSERT(cond)
#else
#define C10_CHECK_IMPL(error_t, cond, ...)                \
  do {                                                    \
    if (C10_UNLIKELY(!(cond))) {                          \
      ::c10::detail::fail<error_t>(#cond, {__VA_ARGS__}); \
    }                                                     \
  } while (0)
#define C10_INTERNAL_CHECK_IMPL(cond, ...)                                                                \
  do {                                                                                                    \
    if (C10_UNLIKELY(!(cond))) {                                                                          \
      ::c10::detail::fail_internal(C10_FILE_NAME, static_cast<uint32_t>(__LINE__), #cond, {__VA_ARGS__}); \
    }                                                                                                     \
  } while (0)
#endif

#define TORCH_CHECK(cond, ...) C10_CHECK_IMPL(::c10::Error, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_WITH(error_t, cond, ...) C10_CHECK_IMPL(error_t, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_INDEX(cond, ...) C10_CHECK_IMPL(::c10::IndexError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) C10_CHECK_IMPL(::c10::ValueError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) C10_CHECK_IMPL(::c10::TypeError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) \
  C10_CHECK_IMPL(::c10::NotImplementedError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_LINALG(cond, ...) C10_CHECK_IMPL(::c10::LinAlgError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_BUFFER(cond, ...) C10_CHECK_IMPL(::c10::BufferError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_ARG(cond, argN, ...) \
  TORCH_CHECK_VALUE(cond, "invalid argument " #argN ": " __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_SYM_CHECK(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
#define AT_ERROR(...) ::c10::detail::fail<::c10::Error>("unreachable", {__VA_ARGS__})
#define TORCH_INTERNAL_ASSERT(cond, ...) C10_INTERNAL_CHECK_IMPL(cond __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERT(cond, ...) TORCH_INTERNAL_ASSERT(cond __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERTM(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
#define C10_THROW_ERROR(err_type, msg) throw ::c10::err_type(msg)
#define C10_THROW_ERROR_FORMATTED(err_type, ...) throw ::c10::err_type(::c10::str(__VA_ARGS__))

// Compiled, so that it can't go stale, but without cost when asserts are off.
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(cond, ...)           \
  do {                                                        \
    if (false) {                                              \
      TORCH_INTERNAL_ASSERT(cond __VA_OPT__(, ) __VA_ARGS__); \
    }                                                         \
  } while (0)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(cond, ...) TORCH_INTERNAL_ASSERT(cond __VA_OPT__(, ) __VA_ARGS__)
#endif

#define TORCH_WARN(...) ::c10::detail::warn(::c10::WarningKind::UserWarning, {__VA_ARGS__})
#define TORCH_WARN_DEPRECATION(...) ::c10::detail::warn(::c10::WarningKind::DeprecationWarning, {__VA_ARGS__})
#define TORCH_WARN_ONCE(...)         \
  do {                               \
    static const bool warned = [&] { \
      TORCH_WARN(__VA_ARGS__);       \
      return true;                   \
    }();                             \
    (void)warned;                    \
  } while (0)
