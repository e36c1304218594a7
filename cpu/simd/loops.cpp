// Iterations for loops over contiguous operands: those that are strided, converted or one value for all go
// through buffers, a block at a time.
#include <ATen/native/cpu/LoopDriver.h>
#include <ATen/native/cpu/Strided.h>
#include <c10/util/complex.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using loops::Loop;
using loops::Operand;

void gather_elements(void* to, const char* from, int64_t stride, int64_t n, int64_t element_size) {
  switch (element_size) {
    case 1:
      return gather<uint8_t>(to, from, stride, n);
    case 2:
      return gather<uint16_t>(to, from, stride, n);
    case 4:
      return gather<uint32_t>(to, from, stride, n);
    case 8:
      return gather<uint64_t>(to, from, stride, n);
    default:
      return gather<c10::complex<double>>(to, from, stride, n);
  }
}

void scatter_elements(char* to, int64_t stride, const void* from, int64_t n, int64_t element_size) {
  switch (element_size) {
    case 1:
      return scatter<uint8_t>(to, stride, from, n);
    case 2:
      return scatter<uint16_t>(to, stride, from, n);
    case 4:
      return scatter<uint32_t>(to, stride, from, n);
    case 8:
      return scatter<uint64_t>(to, stride, from, n);
    default:
      return scatter<c10::complex<double>>(to, stride, from, n);
  }
}

// Converting is a pass over each operand: larger blocks wait for memory longer than they hide of it.
constexpr int64_t block_bytes = 2048;
// A short row with one value for all fills that buffer for itself: it is read several times then.
constexpr int64_t short_block_bytes = 1024, short_row = 8;
// What may be written beyond a block of short rows.
constexpr int64_t row_slack = 64;

// A block of each operand, as it is computed with, and one as it is stored; uninitialised.
struct Buffers {
  Buffers() {}
  alignas(64) char computed[loops::max_operands][block_bytes + row_slack];
  alignas(64) char stored[block_bytes + row_slack];
};

int64_t largest_element(const Loop& loop) {
  int size = 1;
  for (int k = 0; k < loop.num_operands; k++) {
    size = std::max({size, loop.operands[k].stored_size, loop.operands[k].computed_size});
  }
  return size;
}

int64_t elements_per_block(const Loop& loop, const int64_t* strides, int64_t n) {
  const int64_t size = largest_element(loop);
  const bool repeated = std::find(strides + 1, strides + loop.num_operands, 0) != strides + loop.num_operands;
  return (repeated && n * size <= short_row * block_bytes ? short_block_bytes : block_bytes) / size;
}

// Brings a block of an input into its buffer.
void fill_input(const Operand& operand, Buffers& buffers, char* computed, const char* from, int64_t stride,
                int64_t n) {
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
void drain_output(const Operand& operand, Buffers& buffers, const char* computed, char* to, int64_t stride,
                  int64_t n) {
  if (operand.convert == nullptr) {
    scatter_elements(to, stride, computed, n, operand.stored_size);
  } else if (stride == operand.stored_size) {
    operand.convert(to, computed, n);
  } else {
    operand.convert(buffers.stored, computed, n);
    scatter_elements(to, stride, buffers.stored, n, operand.stored_size);
  }
}

bool is_direct(const Operand& operand, int64_t stride) {
  return operand.convert == nullptr && stride == operand.stored_size;
}

C10_NOINLINE void run_blocks(const Loop& loop, char* const* data, const int64_t* strides, int64_t n) {
  Buffers buffers;
  const int64_t step = elements_per_block(loop, strides, n);
  for (int64_t first = 0; first < n; first += step) {
    const int64_t count = std::min(step, n - first);
    char* block[loops::max_operands];
    for (int k = 0; k < loop.num_operands; k++) {
      const Operand& operand = loop.operands[k];
      char* const at = data[k] + first * strides[k];
      block[k] = is_direct(operand, strides[k]) ? at : buffers.computed[k];
      // One value for all fills its buffer once; later blocks are not longer.
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

bool is_repeated(const Operand& operand, int64_t stride) { return operand.convert == nullptr && stride == 0; }

// The operand that is one value for all, where the function's loop takes it as a number; 0: none is.
int the_number(const Loop& loop, const int64_t* strides) {
  int number = 0;
  for (int k = 1; loop.run_with_number != nullptr && k < loop.num_operands; k++) {
    if (strides[k] == 0) {
      if (number != 0) return 0;
      number = k;
    }
  }
  return number;
}

// Rows of operands that are direct, or one value for all of a row: a number, or a buffer that it fills, to be
// read several times.
C10_NOINLINE void run_repeating(const Loop& loop, char* const* base, const int64_t* strides,
                                const int64_t* steps, int64_t n, int64_t rows) {
  char* row[loops::max_operands];
  std::copy_n(base, loop.num_operands, row);
  if (const int number = the_number(loop, strides)) {
    for (int64_t j = 0; j < rows; j++) {
      loop.run_with_number(loop.f, row, n, number);
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

void run_rows(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* steps, int64_t n,
              int64_t rows) {
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

void run_row(const Loop& loop, char* const* data, const int64_t* strides, int64_t n) {
  constexpr int64_t no_steps[loops::max_operands] = {};
  run_rows(loop, data, strides, no_steps, n, 1);
}

// ---- short rows

constexpr int64_t longest_short_row = 64;

// The rows of a block are one row of the output, an input's rows follow each other as well, or are all the
// same, or one value each.
bool rows_are_short(const Loop& loop, const int64_t* strides, const int64_t* outer, int64_t n, int64_t rows) {
  bool any_other = false;
  for (int k = 0; k < loop.num_operands; k++) {
    const int64_t size = loop.operands[k].stored_size;
    const bool flat = strides[k] == size && outer[k] == n * size;
    const bool other = k > 0 && (strides[k] == 0 || (strides[k] == size && outer[k] == 0));
    if (!flat && !other) return false;
    any_other |= !flat;
  }
  const int64_t longest = the_number(loop, strides) != 0 ? longest_short_row / 2 : longest_short_row;
  return any_other && n <= longest && rows >= 4;
}

// Rows of one value each: whole registers are written, what is too much of one is the next row's.
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

void spread_elements(char* to, const char* from, int64_t outer, int64_t n, int64_t rows,
                     int64_t element_size) {
  switch (element_size) {
    case 1:
      return spread<uint8_t>(to, from, outer, n, rows);
    case 2:
      return spread<uint16_t>(to, from, outer, n, rows);
    case 4:
      return spread<uint32_t>(to, from, outer, n, rows);
    case 8:
      return spread<uint64_t>(to, from, outer, n, rows);
    default:
      return spread<c10::complex<double>>(to, from, outer, n, rows);
  }
}

// A block of short rows of an input, one after the other, in its buffer.
void fill_rows(const Operand& operand, Buffers& buffers, char* computed, const char* from, int64_t stride,
               int64_t outer, int64_t n, int64_t rows) {
  char* const to = operand.convert == nullptr ? computed : buffers.stored;
  const int64_t row_bytes = n * operand.stored_size;
  if (stride == 0) {
    spread_elements(to, from, outer, n, rows, operand.stored_size);
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
void run_short_rows(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer,
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

// ---- inputs whose rows lie across those of the output

constexpr int64_t line_bytes = 64, tile_columns = 128;

// Four parts of columns, four elements each, as four parts of rows.
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

void transpose_elements(char* to, const char* from, int64_t stride, int64_t rows, int64_t columns,
                        int64_t element_size) {
  switch (element_size) {
    case 1:
      return transpose_tile<uint8_t>(to, from, stride, rows, columns);
    case 2:
      return transpose_tile<uint16_t>(to, from, stride, rows, columns);
    case 4:
      return transpose_tile<uint32_t>(to, from, stride, rows, columns);
    case 8:
      return transpose_tile<uint64_t>(to, from, stride, rows, columns);
    default:
      return transpose_tile<c10::complex<double>>(to, from, stride, rows, columns);
  }
}

bool lies_across(const Operand& operand, int64_t stride, int64_t outer) {
  return outer == operand.stored_size && stride != 0 && stride != operand.stored_size;
}

// The rows of one tile: those of inputs that lie across come from buffers.
void run_tile(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer,
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
      transpose_elements(tiles[k], base[k], strides[k], rows, columns, size);
      data[k] = tiles[k];
      steps[k] = size;
      row_steps[k] = tile_columns * size;
    }
  }
  run_rows(loop, data, steps, row_steps, columns, rows);
}

// Element by element such an input would take a line of the cache for each, and lose it before the next row.
void run_tiles(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer,
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

// Rows per tile: elements in a line of the cache; 0 where no input lies across.
int64_t rows_per_tile(const Loop& loop, const int64_t* strides, const int64_t* outer) {
  int64_t rows = 0;
  for (int k = 1; k < loop.num_operands; k++) {
    if (lies_across(loop.operands[k], strides[k], outer[k])) {
      const int64_t in_line = line_bytes / loop.operands[k].stored_size;
      rows = rows == 0 ? in_line : std::min(rows, in_line);
    }
  }
  return rows;
}

void run_2d(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer, int64_t size0,
            int64_t size1) {
  const int64_t tile_rows = rows_per_tile(loop, strides, outer);
  if (tile_rows != 0 && size0 >= 16 && size1 >= 4) {
    run_tiles(loop, base, strides, outer, size0, size1, tile_rows);
    return;
  }
  if (rows_are_short(loop, strides, outer, size0, size1)) {
    run_short_rows(loop, base, strides, outer, size0, size1);
    return;
  }
  if (size0 >= 16 || size1 <= 2 * size0) {
    run_rows(loop, base, strides, outer, size0, size1);
    return;
  }
  // Many short rows: go along the columns, in stretches that stay in the cache.
  constexpr int64_t stretch = 1024;
  for (int64_t first = 0; first < size1; first += stretch) {
    char* data[loops::max_operands];
    for (int k = 0; k < loop.num_operands; k++) {
      data[k] = base[k] + first * outer[k];
    }
    run_rows(loop, data, outer, strides, std::min(stretch, size1 - first), size0);
  }
}

// Operands of one row of a loop: those of the tensors, which are filled in later, and the numbers.
struct Row {
  explicit Row(const Loop& loop) : num_tensors(loop.num_operands - loop.num_numbers) {
    for (int k = num_tensors; k < loop.num_operands; k++) {
      data[k] = static_cast<char*>(const_cast<void*>(loop.numbers[k - num_tensors]));
      strides[k] = outer[k] = 0;
    }
  }
  int num_tensors;
  char* data[loops::max_operands];
  int64_t strides[loops::max_operands];
  int64_t outer[loops::max_operands];
};

// A small iteration in its short form.
void run_lean(const TensorIteratorBase::Lean& plan, const Loop& loop) {
  Row row(loop);
  for (int k = 0; k < row.num_tensors; k++) {
    row.data[k] = plan.data(k);
    row.strides[k] = loop.operands[k].stored_size;
  }
  if (plan.last_is_number) {
    row.strides[row.num_tensors - 1] = 0;
  }
  run_row(loop, row.data, row.strides, plan.numel);
}

// A small iteration of one dimension, without a detour through the iteration's own loop.
void run_1d(const TensorIteratorBase& iter, const Loop& loop, int64_t n) {
  Row row(loop);
  for (int k = 0; k < row.num_tensors; k++) {
    row.data[k] = static_cast<char*>(iter.data_ptr(k));
    row.strides[k] = n == 1 ? loop.operands[k].stored_size : iter.strides(k)[0];
  }
  run_row(loop, row.data, row.strides, n);
}

void run_any(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size) {
  iter.for_each(
      [&loop](char** data, const int64_t* strides, int64_t size0, int64_t size1) {
        Row row(loop);
        std::copy_n(data, row.num_tensors, row.data);
        std::copy_n(strides, row.num_tensors, row.strides);
        std::copy_n(strides + row.num_tensors, row.num_tensors, row.outer);
        run_2d(loop, row.data, row.strides, row.outer, size0, size1);
      },
      grain_size);
}

void run_loop(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size) {
  const int64_t n = iter.numel();
  if (iter.is_lean() && n < grain_size) {
    if (n > 0) {
      run_lean(iter.lean(), loop);
    }
    return;
  }
  if (iter.is_trivial_1d() && n < grain_size) {
    if (n > 0) {
      run_1d(iter, loop, n);
    }
  } else {
    run_any(iter, loop, grain_size);
  }
  iter.cast_outputs();
}

}  // namespace
}  // namespace CPU_CAPABILITY

namespace loops {
REGISTER_DISPATCH(run_loop_stub, &run_loop)
}
}  // namespace at::native
