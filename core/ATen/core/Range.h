// A half-open range of indices.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>
#include <string>

namespace at::inline C10_ABI {

struct Range {
  Range(int64_t begin, int64_t end) : begin(begin), end(end) {}
  int64_t size() const { return end - begin; }
  Range operator/(int64_t divisor) const { return Range(begin / divisor, end / divisor); }

  int64_t begin;
  int64_t end;
};

inline void append_to(std::string& out, const Range& range) {
  out += "Range[" + std::to_string(range.begin) + ", " + std::to_string(range.end) + "]";
}

}  // namespace at::inline C10_ABI
