// A few macros to check with, so that the C++ tests need no framework: a test program is functions and a main
// that runs them.
#pragma once

#include <c10/util/Exception.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

namespace check {

inline int failures = 0;

inline void report(const char* file, int line, const std::string& text) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, text.c_str());
  ++failures;
}

template <class Test>
void run(const char* name, Test test) {
  const int before = failures;
  try {
    test();
  } catch (const std::exception& error) {
    report(name, 0, std::string("unexpected exception: ") + error.what());
  }
  std::printf("%s %s\n", failures == before ? "ok  " : "FAIL", name);
}

// A function, so that temporaries that its arguments refer to live until it is done.
template <class Actual, class Expected>
void equal(const char* file, int line, const char* text, const Actual& actual, const Expected& expected) {
  if (!(actual == expected)) report(file, line, c10::str(text, " is ", actual, ", expected ", expected));
}

inline int result() {
  if (failures != 0) std::printf("%d failure(s)\n", failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace check

/// The exit status of a test program.
inline int check_result() { return check::result(); }

#define CHECK(condition)                                                               \
  do {                                                                                 \
    if (!(condition)) check::report(C10_FILE_NAME, __LINE__, "not true: " #condition); \
  } while (0)

#define CHECK_EQ(actual, expected) check::equal(C10_FILE_NAME, __LINE__, #actual, actual, expected)

// The statement throws `Exception` whose what() holds `part`.
#define CHECK_THROWS(statement, Exception, part)                                                       \
  do {                                                                                                 \
    bool thrown_ = false;                                                                              \
    try {                                                                                              \
      statement;                                                                                       \
    } catch (const Exception& error_) {                                                                \
      thrown_ = true;                                                                                  \
      if (std::strstr(error_.what(), part) == nullptr) {                                               \
        check::report(C10_FILE_NAME, __LINE__,                                                         \
                      c10::str("message is '", error_.what(), "', expected '", part, "'"));            \
      }                                                                                                \
    }                                                                                                  \
    if (!thrown_) check::report(C10_FILE_NAME, __LINE__, "doesn't throw " #Exception ": " #statement); \
  } while (0)

#define RUN(test) check::run(#test, test)
