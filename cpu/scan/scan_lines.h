// Scans along a line, or along neighbouring lines together.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/native/Lines.h>
#include <ATen/native/cpu/vectors.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {

constexpr int64_t scan_work_per_task = 16384;  // elements
constexpr int64_t scan_block = 256;            // neighbouring lines

// Calls body(first element, number of neighbouring lines that begin there).
template <class Body>
void for_each_scan_block(const Lines& lines, const Body& body) {
  const int64_t blocks = (lines.inner + scan_block - 1) / scan_block;
  const int64_t grain =
      std::max<int64_t>(1, scan_work_per_task / (lines.n * std::min(lines.inner, scan_block)));
  at::parallel_for(0, lines.outer * blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t outer = blocks == 1 ? i : i / blocks;  // a division takes as long as a short line
      const int64_t first = (i - outer * blocks) * scan_block;
      body(outer * lines.n * lines.inner + first, std::min(scan_block, lines.inner - first));
    }
  });
}

template <class Acc, class T, class Combine>
void scan_lines(const Lines& lines, const T* in, T* out, Acc start, const Combine& combine) {
  for_each_scan_block(lines, [&](int64_t first, int64_t width) {
    if (width == 1) {
      Acc carry = start;
      const int64_t n = lines.n, stride = lines.inner;
      const T* from = in + first;
      T* to = out + first;
#pragma GCC unroll 4
      for (int64_t i = 0; i < n; ++i, from += stride, to += stride) {
        carry = combine(carry, load_one<Acc>(from));
        store_one(to, carry);
      }
      return;
    }
    Acc carry[scan_block];
    std::fill_n(carry, width, start);
    for (int64_t i = 0, at = first; i < lines.n; ++i, at += lines.inner) {
#pragma GCC ivdep
      for (int64_t c = 0; c < width; ++c) {
        carry[c] = combine(carry[c], static_cast<Acc>(in[at + c]));
        out[at + c] = static_cast<T>(carry[c]);
      }
    }
  });
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
