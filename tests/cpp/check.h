// The C++ tests' check macro: counts failures, prints where; main returns check_result().
#pragma once

#include <cstdio>

inline int& check_failures() {
  static int failures = 0;
  return failures;
}

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      ++check_failures();                                                       \
      std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);       \
    }                                                                           \
  } while (0)

inline int check_result() {
  std::printf(check_failures() ? "%d failure(s)\n" : "ok\n", check_failures());
  return check_failures() ? 1 : 0;
}
