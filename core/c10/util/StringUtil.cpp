// Formatting of numbers and pointers for messages.
#include <c10/util/StringUtil.h>

#include <charconv>

namespace c10::inline C10_ABI {

namespace {

template <class T>
void append_number(std::string& out, T value) {
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  out.append(buffer, result.ptr);
}

}  // namespace

void append_to(std::string& out, bool value) { out += value ? "true" : "false"; }
void append_to(std::string& out, char value) { out += value; }
void append_to(std::string& out, int value) { append_number(out, value); }
void append_to(std::string& out, long value) { append_number(out, value); }
void append_to(std::string& out, long long value) { append_number(out, value); }
void append_to(std::string& out, unsigned value) { append_number(out, value); }
void append_to(std::string& out, unsigned long value) { append_number(out, value); }
void append_to(std::string& out, unsigned long long value) { append_number(out, value); }
void append_to(std::string& out, float value) { append_number(out, value); }
void append_to(std::string& out, double value) { append_number(out, value); }
void append_to(std::string& out, std::string_view value) { out += value; }
void append_to(std::string& out, const void* value) {
  char buffer[24];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), reinterpret_cast<uintptr_t>(value), 16);
  out += "0x";
  out.append(buffer, result.ptr);
}

namespace detail {

std::string join(std::initializer_list<StrArg> args) {
  std::string out;
  for (const StrArg& arg : args) arg.append(out);
  return out;
}

}  // namespace detail
}  // namespace c10::inline C10_ABI
