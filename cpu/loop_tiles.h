// Tiles of elementwise loops: inputs that are transposed relative to the output. Element by element such an
// input would load a cache line for each, and lose it before the next row.
#pragma once

#include <ATen/native/cpu/loop_rows.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace loop_rows {

inline constexpr int64_t line_bytes = 64, tile_columns = 128;

// A 4 x 4 transposition of 4-element parts.
template <class T>
C10_ALWAYS_INLINE void transpose_4x4(T* to, const char* from, int64_t stride) {
  using V [[gnu::vector_size(4 * sizeof(T))]] = T;
  V a, b, c, d;
  std::memcpy(&a, from, sizeof(V));
  std::memcpy(&b, from + stride, sizeof(V));
  std::memcpy(&c, from + 2 * stride, sizeof(V));
  std::memcpy(&d, from + 3 * stride, sizeof(V));
  const V ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const V cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const V rows[] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                    __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5),
                    __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7)};
  for (int r = 0; r < 4; r++) {
    std::memcpy(to + r * tile_columns, &rows[r], sizeof(V));
  }
}

template <class T>
void transpose_tile(char* to, const char* from, int64_t stride, int64_t rows, int64_t columns) {
  T* const tile = reinterpret_cast<T*>(to);
  const int64_t whole_rows = sizeof(T) <= 8 ? rows / 4 * 4 : 0, whole_columns = columns / 4 * 4;
  if constexpr (sizeof(T) <= 8) {
    for (int64_t c = 0; c < whole_columns; c += 4) {
      for (int64_t r = 0; r < whole_rows; r += 4) {
        transpose_4x4(tile + r * tile_columns + c, from + c * stride + r * sizeof(T), stride);
      }
    }
  }
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; c++) {
      tile[r * tile_columns + c] = *reinterpret_cast<const T*>(from + c * stride + r * sizeof(T));
    }
  }
}

inline bool lies_across(const Operand& operand, int64_t stride, int64_t outer) {
  return outer == operand.stored_size && stride != 0 && stride != operand.stored_size;
}

// The rows of one tile: those of transposed inputs come from buffers.
inline void run_tile(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer,
                     int64_t columns, int64_t rows) {
  alignas(64) char tiles[loops::max_operands][line_bytes * tile_columns];
  char* data[loops::max_operands];
  int64_t steps[loops::max_operands], row_steps[loops::max_operands];
  for (int k = 0; k < loop.num_operands; k++) {
    data[k] = base[k];
    steps[k] = strides[k];
    row_steps[k] = outer[k];
    const int64_t size = loop.operands[k].stored_size;
    if (k > 0 && lies_across(loop.operands[k], strides[k], outer[k])) {
      with_opaque_type(size,
                       [&]<class T>(T) { transpose_tile<T>(tiles[k], base[k], strides[k], rows, columns); });
      data[k] = tiles[k];
      steps[k] = size;
      row_steps[k] = tile_columns * size;
    }
  }
  run_rows(loop, data, steps, row_steps, columns, rows);
}

inline void run_tiles(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer,
                      int64_t size0, int64_t size1, int64_t tile_rows) {
  for (int64_t row = 0; row < size1; row += tile_rows) {
    for (int64_t column = 0; column < size0; column += tile_columns) {
      char* data[loops::max_operands];
      for (int k = 0; k < loop.num_operands; k++) {
        data[k] = base[k] + row * outer[k] + column * strides[k];
      }
      run_tile(loop, data, strides, outer, std::min(tile_columns, size0 - column),
               std::min(tile_rows, size1 - row));
    }
  }
}

// Rows per tile: elements in a cache line; 0 where no input is transposed.
inline int64_t rows_per_tile(const Loop& loop, const int64_t* strides, const int64_t* outer) {
  int64_t rows = 0;
  for (int k = 1; k < loop.num_operands; k++) {
    if (lies_across(loop.operands[k], strides[k], outer[k])) {
      const int64_t in_line = line_bytes / loop.operands[k].stored_size;
      rows = rows == 0 ? in_line : std::min(rows, in_line);
    }
  }
  return rows;
}

}  // namespace loop_rows
}  // namespace CPU_CAPABILITY
}  // namespace at::native
