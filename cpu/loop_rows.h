// Rows of elementwise loops: strided, converted and broadcast operands go through buffers, a block at a time.
#pragma once

#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/LoopDriver.h>
#include <ATen/native/cpu/Strided.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace loop_rows {

using loops::Loop;
using loops::Operand;

inline void gather_elements(void* to, const char* from, int64_t stride, int64_t n, int64_t size) {
  with_opaque_type(size, [&]<class T>(T) { gather<T>(to, from, stride, n); });
}

inline void scatter_elements(char* to, int64_t stride, const void* from, int64_t n, int64_t size) {
  with_opaque_type(size, [&]<class T>(T) { scatter<T>(to, stride, from, n); });
}

// Conversion is a separate pass over each operand: larger blocks wait longer for memory than they hide of it.
inline constexpr int64_t block_bytes = 2048;
// In a short row a broadcast value fills that row's own buffer, which is then read several times.
inline constexpr int64_t short_block_bytes = 1024, short_row = 8;
// How much may be written beyond a block of short rows.
inline constexpr int64_t row_slack = 64;

// A block of each operand in its compute type, and one in its stored type; uninitialised.
struct Buffers {
  Buffers() {}
  alignas(64) char computed[loops::max_operands][block_bytes + row_slack];
  alignas(64) char stored[block_bytes + row_slack];
};

inline int64_t largest_element(const Loop& loop) {
  int size = 1;
  for (int k = 0; k < loop.num_operands; k++) {
    size = std::max({size, loop.operands[k].stored_size, loop.operands[k].computed_size});
  }
  return size;
}

inline int64_t elements_per_block(const Loop& loop, const int64_t* strides, int64_t n) {
  const int64_t size = largest_element(loop);
  const bool repeated = std::find(strides + 1, strides + loop.num_operands, 0) != strides + loop.num_operands;
  return (repeated && n * size <= short_row * block_bytes ? short_block_bytes : block_bytes) / size;
}

// Brings a block of an input into its buffer.
inline void fill_input(const Operand& operand, Buffers& buffers, char* computed, const char* from,
                       int64_t stride, int64_t n) {
  if (operand.convert == nullptr) {
    gather_elements(computed, from, stride, n, operand.stored_size);
  } else if (stride == 0) {
    operand.convert(computed, from, 1);
    gather_elements(computed, computed, 0, n, operand.computed_size);
  } else if (stride == operand.stored_size) {
    operand.convert(computed, from, n);
  } else {
    gather_elements(buffers.stored, from, stride, n, operand.stored_size);
    operand.convert(computed, buffers.stored, n);
  }
}

// Takes a block of the output from its buffer.
inline void drain_output(const Operand& operand, Buffers& buffers, const char* computed, char* to,
                         int64_t stride, int64_t n) {
  if (operand.convert == nullptr) {
    scatter_elements(to, stride, computed, n, operand.stored_size);
  } else if (stride == operand.stored_size) {
    operand.convert(to, computed, n);
  } else {
    operand.convert(buffers.stored, computed, n);
    scatter_elements(to, stride, buffers.stored, n, operand.stored_size);
  }
}

inline bool is_direct(const Operand& operand, int64_t stride) {
  return operand.convert == nullptr && stride == operand.stored_size;
}

C10_NOINLINE inline void run_blocks(const Loop& loop, char* const* data, const int64_t* strides, int64_t n) {
  Buffers buffers;
  const int64_t step = elements_per_block(loop, strides, n);
  for (int64_t first = 0; first < n; first += step) {
    const int64_t count = std::min(step, n - first);
    char* block[loops::max_operands];
    for (int k = 0; k < loop.num_operands; k++) {
      const Operand& operand = loop.operands[k];
      char* const at = data[k] + first * strides[k];
      block[k] = is_direct(operand, strides[k]) ? at : buffers.computed[k];
      // A broadcast value fills its buffer once; later blocks are not longer.
      if (k > 0 && block[k] != at && (strides[k] != 0 || first == 0)) {
        fill_input(operand, buffers, block[k], at, strides[k], count);
      }
    }
    loop.run(loop.f, block, count);
    if (!is_direct(loop.operands[0], strides[0])) {
      drain_output(loop.operands[0], buffers, block[0], data[0] + first * strides[0], strides[0], count);
    }
  }
}

C10_ALWAYS_INLINE void advance(char** data, const int64_t* steps, int count) {
  for (int k = 0; k < count; k++) {
    data[k] += steps[k];
  }
}

inline bool is_repeated(const Operand& operand, int64_t stride) {
  return operand.convert == nullptr && stride == 0;
}

// The only broadcast operand, where the function has a loop with a scalar; 0: none.
int scalar_operand(const Loop& loop, const int64_t* strides) {
  int operand = 0;
  for (int k = 1; loop.run_with_scalar != nullptr && k < loop.num_operands; k++) {
    if (strides[k] == 0) {
      if (operand != 0) return 0;
      operand = k;
    }
  }
  return operand;
}

// Rows of operands that are contiguous or broadcast along the row: a scalar, or a buffer that it fills, to be
// read several times.
C10_NOINLINE inline void run_repeating(const Loop& loop, char* const* base, const int64_t* strides,
                                       const int64_t* steps, int64_t n, int64_t rows) {
  char* row[loops::max_operands];
  std::copy_n(base, loop.num_operands, row);
  if (const int operand = scalar_operand(loop, strides)) {
    for (int64_t j = 0; j < rows; j++) {
      loop.run_with_scalar(loop.f, row, n, operand);
      advance(row, steps, loop.num_operands);
    }
    return;
  }
  Buffers buffers;
  const int64_t step = elements_per_block(loop, strides, n);
  int64_t block_steps[loops::max_operands];
  for (int k = 0; k < loop.num_operands; k++) {
    block_steps[k] = strides[k] * step;
  }
  for (int64_t j = 0; j < rows; j++) {
    char* block[loops::max_operands];
    for (int k = 0; k < loop.num_operands; k++) {
      block[k] = strides[k] == 0 ? buffers.computed[k] : row[k];
      if (strides[k] == 0 && (j == 0 || steps[k] != 0)) {
        gather_elements(block[k], row[k], 0, std::min(step, n), loop.operands[k].stored_size);
      }
    }
    for (int64_t first = 0; first < n; first += step) {
      loop.run(loop.f, block, std::min(step, n - first));
      advance(block, block_steps, loop.num_operands);
    }
    advance(row, steps, loop.num_operands);
  }
}

inline void run_rows(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* steps,
                     int64_t n, int64_t rows) {
  bool direct = true, repeating = is_direct(loop.operands[0], strides[0]);
  for (int k = 0; k < loop.num_operands; k++) {
    const bool here = is_direct(loop.operands[k], strides[k]);
    direct &= here;
    repeating &= here || is_repeated(loop.operands[k], strides[k]);
  }
  if (repeating && !direct) {
    run_repeating(loop, base, strides, steps, n, rows);
    return;
  }
  char* data[loops::max_operands];
  std::copy_n(base, loop.num_operands, data);
  for (int64_t j = 0; j < rows; j++) {
    if (direct) {
      loop.run(loop.f, data, n);
    } else {
      run_blocks(loop, data, strides, n);
    }
    advance(data, steps, loop.num_operands);
  }
}

inline void run_row(const Loop& loop, char* const* data, const int64_t* strides, int64_t n) {
  constexpr int64_t no_steps[loops::max_operands] = {};
  run_rows(loop, data, strides, no_steps, n, 1);
}

// ---- short rows

inline constexpr int64_t longest_short_row = 64;

// The rows of a block are contiguous in the output; an input's rows are contiguous as well, all the same, or
// broadcast along the row.
inline bool rows_are_short(const Loop& loop, const int64_t* strides, const int64_t* outer, int64_t n,
                           int64_t rows) {
  bool any_other = false;
  for (int k = 0; k < loop.num_operands; k++) {
    const int64_t size = loop.operands[k].stored_size;
    const bool flat = strides[k] == size && outer[k] == n * size;
    const bool other = k > 0 && (strides[k] == 0 || (strides[k] == size && outer[k] == 0));
    if (!flat && !other) return false;
    any_other |= !flat;
  }
  const int64_t longest = scalar_operand(loop, strides) != 0 ? longest_short_row / 2 : longest_short_row;
  return any_other && n <= longest && rows >= 4;
}

// Rows that are broadcast: whole registers are written, the excess of one is overwritten by the next row.
template <class T>
void spread(char* to, const char* from, int64_t outer, int64_t n, int64_t rows) {
  constexpr int64_t width = row_slack / sizeof(T);
  for (int64_t r = 0; r < rows; r++) {
    T value[width];
    std::fill_n(value, width, *reinterpret_cast<const T*>(from + r * outer));
    for (int64_t c = 0; c < n; c += width) {
      std::memcpy(to + (r * n + c) * sizeof(T), value, sizeof(value));
    }
  }
}

// Copies a block of short rows of an input, one after the other, into its buffer.
inline void fill_rows(const Operand& operand, Buffers& buffers, char* computed, const char* from,
                      int64_t stride, int64_t outer, int64_t n, int64_t rows) {
  char* const to = operand.convert == nullptr ? computed : buffers.stored;
  const int64_t row_bytes = n * operand.stored_size;
  if (stride == 0) {
    with_opaque_type(operand.stored_size, [&]<class T>(T) { spread<T>(to, from, outer, n, rows); });
  } else {
    for (int64_t r = 0; r < rows; r++) {
      std::memcpy(to + r * row_bytes, from + r * outer, row_bytes);
    }
  }
  if (operand.convert != nullptr) {
    operand.convert(computed, to, n * rows);
  }
}

// Short rows, as many at a time as fill a block.
inline void run_short_rows(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer,
                           int64_t n, int64_t rows) {
  Buffers buffers;
  const int64_t step = block_bytes / largest_element(loop) / n;
  for (int64_t first = 0; first < rows; first += step) {
    const int64_t count = std::min(step, rows - first);
    char* block[loops::max_operands];
    for (int k = 0; k < loop.num_operands; k++) {
      const Operand& operand = loop.operands[k];
      char* const at = base[k] + first * outer[k];
      const bool flat = strides[k] != 0 && outer[k] != 0;
      block[k] = flat && operand.convert == nullptr ? at : buffers.computed[k];
      if (k > 0 && block[k] != at && (outer[k] != 0 || first == 0)) {
        fill_rows(operand, buffers, block[k], at, strides[k], outer[k], n, count);
      }
    }
    loop.run(loop.f, block, count * n);
    if (block[0] == buffers.computed[0]) {
      loop.operands[0].convert(base[0] + first * outer[0], block[0], count * n);
    }
  }
}

}  // namespace loop_rows
}  // namespace CPU_CAPABILITY
}  // namespace at::native
