// c10::str(...): joins values into a string without streams. A type is supported if its namespace has `void
// append_to(std::string&, const T&)`.
#pragma once

#include <c10/macros/Macros.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace c10::inline C10_ABI {

C10_API void append_to(std::string& out, bool value);
C10_API void append_to(std::string& out, char value);
C10_API void append_to(std::string& out, int value);
C10_API void append_to(std::string& out, long value);
C10_API void append_to(std::string& out, long long value);
C10_API void append_to(std::string& out, unsigned value);
C10_API void append_to(std::string& out, unsigned long value);
C10_API void append_to(std::string& out, unsigned long long value);
C10_API void append_to(std::string& out, float value);
C10_API void append_to(std::string& out, double value);
C10_API void append_to(std::string& out, const void* value);
C10_API void append_to(std::string& out, std::string_view value);
inline void append_to(std::string& out, const char* value) {
  append_to(out, std::string_view(value ? value : "(null)"));
}
inline void append_to(std::string& out, const std::string& value) { append_to(out, std::string_view(value)); }
inline void append_to(std::string& out, signed char value) { append_to(out, static_cast<int>(value)); }
inline void append_to(std::string& out, unsigned char value) { append_to(out, static_cast<int>(value)); }
inline void append_to(std::string& out, short value) { append_to(out, static_cast<int>(value)); }
inline void append_to(std::string& out, unsigned short value) { append_to(out, static_cast<int>(value)); }
inline void append_to(std::string& out, std::nullopt_t) { out += "None"; }

template <class T>
  requires(std::is_enum_v<T> && std::is_convertible_v<T, int>)
void append_to(std::string& out, T value) {
  append_to(out, static_cast<int>(value));
}

template <class T>
void append_to(std::string& out, const std::optional<T>& value);
template <class T, class Allocator>
void append_to(std::string& out, const std::vector<T, Allocator>& values);

namespace detail {

template <class Range>
void append_range(std::string& out, const Range& range) {
  const char* separator = "";
  out += '[';
  for (const auto& value : range) {
    out += separator;
    append_to(out, value);
    separator = ", ";
  }
  out += ']';
}

// An argument of a message: a pointer to the value and the function that prints it. Making one costs two
// stores, so that the many checks of a function contain no formatting code.
class StrArg {
 public:
  /*implicit*/ StrArg(const char* text) : object_(text), append_(&append_text) {}
  template <class T>
    requires(!std::is_convertible_v<const T&, const char*>)
  /*implicit*/ StrArg(const T& value) : object_(&value), append_(&append_value<T>) {}

  void append(std::string& out) const { append_(out, object_); }

 private:
  static void append_text(std::string& out, const void* text) {
    append_to(out, static_cast<const char*>(text));
  }
  template <class T>
  static void append_value(std::string& out, const void* value) {
    append_to(out, *static_cast<const T*>(value));
  }

  const void* object_;
  void (*append_)(std::string&, const void*);
};

C10_API std::string join(std::initializer_list<StrArg> args);

}  // namespace detail

template <class T>
void append_to(std::string& out, const std::optional<T>& value) {
  if (value.has_value()) {
    append_to(out, *value);
  } else {
    out += "None";
  }
}

template <class T, class Allocator>
void append_to(std::string& out, const std::vector<T, Allocator>& values) {
  detail::append_range(out, values);
}

/// All arguments one after another as text.
template <class... Args>
C10_COLD std::string str(const Args&... args) {
  return detail::join({detail::StrArg(args)...});
}

}  // namespace c10::inline C10_ABI
