// Error classes, and the cold path of the checks.
#include <c10/util/Exception.h>

#include <atomic>
#include <cstdio>
#include <utility>

namespace c10::inline C10_ABI {

Error::Error(std::string message) : message_(std::move(message)), what_(message_) {}
Error::Error(const Error&) = default;
Error& Error::operator=(const Error&) = default;
Error::~Error() = default;

const char* Error::what() const noexcept { return what_.c_str(); }

void Error::add_context(std::string_view name) {
  if (!context_.empty() && context_.back() == name) return;
  context_.emplace_back(name);
  refresh();
}

// "inner: message [in middle, outer]"
void Error::refresh() {
  what_ = context_.front() + ": " + message_;
  if (context_.size() == 1) return;
  what_ += " [in ";
  for (size_t i = 1; i < context_.size(); ++i) {
    if (i > 1) what_ += ", ";
    what_ += context_[i];
  }
  what_ += ']';
}

// Out of line, so that each class has one vtable and one type_info, in this library.
#define C10_DEFINE_ERROR(name)                  \
  name::name(const name&) = default;            \
  name& name::operator=(const name&) = default; \
  name::~name() = default;
C10_DEFINE_ERROR(IndexError)
C10_DEFINE_ERROR(ValueError)
C10_DEFINE_ERROR(TypeError)
C10_DEFINE_ERROR(NotImplementedError)
C10_DEFINE_ERROR(OutOfMemoryError)
C10_DEFINE_ERROR(BufferError)
C10_DEFINE_ERROR(LinAlgError)
C10_DEFINE_ERROR(SyntaxError)
C10_DEFINE_ERROR(AcceleratorError)
#undef C10_DEFINE_ERROR

namespace {

void warn_to_stderr(WarningKind kind, const char* message) {
  const char* name = kind == WarningKind::DeprecationWarning ? "DeprecationWarning" : "Warning";
  std::fprintf(stderr, "%s: %s\n", name, message);
}

constinit std::atomic<WarningHook> warning_hook{&warn_to_stderr};

}  // namespace

WarningHook set_warning_hook(WarningHook hook) noexcept {
  return warning_hook.exchange(hook != nullptr ? hook : &warn_to_stderr);
}

namespace detail {

std::string check_message(const char* condition, std::initializer_list<StrArg> args) {
  if (args.size() != 0) return join(args);
  return std::string("Expected ") + condition + " to be true, but got false.";
}

template void fail<Error>(const char*, std::initializer_list<StrArg>);
template void fail<IndexError>(const char*, std::initializer_list<StrArg>);
template void fail<ValueError>(const char*, std::initializer_list<StrArg>);
template void fail<TypeError>(const char*, std::initializer_list<StrArg>);
template void fail<NotImplementedError>(const char*, std::initializer_list<StrArg>);

void fail_internal(const char* file, uint32_t line, const char* condition,
                   std::initializer_list<StrArg> args) {
  std::string message = str("INTERNAL ASSERT FAILED at ", file, ":", line, ": ", condition);
  if (args.size() != 0) message += ": " + join(args);
  throw Error(message + " (this is a bug of the library; please report it)");
}

void warn(WarningKind kind, std::initializer_list<StrArg> args) {
  warning_hook.load()(kind, join(args).c_str());
}

}  // namespace detail
}  // namespace c10::inline C10_ABI
