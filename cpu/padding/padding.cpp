// Padding on the CPU: rows of the input are copied whole, what is beside them is filled.
#include <ATen/Parallel.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/padding/stubs.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace at::native {

namespace {

std::vector<int64_t> sources(const PadGeometry& geometry, int dim, PadMode mode) {
  std::vector<int64_t> table(static_cast<size_t>(geometry.output[dim]));
  for (size_t i = 0; i < table.size(); ++i) {
    table[i] = pad_source(mode, static_cast<int64_t>(i) - geometry.before[dim], geometry.input[dim]);
  }
  return table;
}

// Short rows are copied inline, sixteen bytes at a time; the last sixteen overlap those before.
void copy_row(void* to, const void* from, int64_t bytes) {
  constexpr int64_t unit = 16, most = 96;
  if (bytes < unit || bytes > most) {
    std::memmove(to, from, static_cast<size_t>(bytes));  // an out= may overlap the input
    return;
  }
  char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  for (int64_t i = 0; i + unit <= bytes; i += unit) std::memcpy(out + i, in + i, unit);
  std::memcpy(out + bytes - unit, in + bytes - unit, unit);
}

template <class T>
struct PaddedRows {
  const PadGeometry& geometry;
  const T* input;
  T* output;
  T value;
  bool value_is_zero;
  std::vector<int64_t> tables[max_pad_dims];
  int64_t left, copied_from, copied, right;  // of a row of the output

  PaddedRows(const PadGeometry& g, PadMode mode, const void* from, void* to, const void* filler)
      : geometry(g), input(static_cast<const T*>(from)), output(static_cast<T*>(to)) {
    std::memcpy(&value, filler, sizeof(T));
    const T zero{};
    value_is_zero = std::memcmp(&value, &zero, sizeof(T)) == 0;
    for (int d = 0; d < max_pad_dims; ++d) tables[d] = sources(g, d, mode);
    left = std::clamp<int64_t>(g.before[2], 0, g.output[2]);
    copied_from = std::max<int64_t>(-g.before[2], 0);
    copied = std::clamp<int64_t>(g.input[2] - copied_from, 0, g.output[2] - left);
    right = g.output[2] - left - copied;
  }

  // Most rows' margins are too short for a call of memset.
  static constexpr int64_t few = 16;

  void fill(T* to, int64_t n) const {
    if (n <= few) {
      for (int64_t i = 0; i < n; ++i) to[i] = value;
    } else if (value_is_zero) {
      std::memset(static_cast<void*>(to), 0, static_cast<size_t>(n) * sizeof(T));
    } else {
      std::fill_n(to, n, value);
    }
  }

  // n positions of a row of the output, from `begin` on, that are outside of the input.
  void pad(T* row, const T* source, int64_t begin, int64_t n) const {
    const int64_t inner = geometry.inner;
    if (n == 0) return;
    if (tables[2][begin] < 0) return fill(row + begin * inner, n * inner);
    for (int64_t i = begin; i < begin + n; ++i) {
      const T* from = source + tables[2][i] * inner;
      if (inner == 1) {
        row[i] = *from;
      } else {
        std::memcpy(row + i * inner, from, static_cast<size_t>(inner) * sizeof(T));
      }
    }
  }

  void write_row(T* row, const T* source) const {
    pad(row, source, 0, left);
    if (copied > 0) {
      copy_row(row + left * geometry.inner, source + copied_from * geometry.inner,
               copied * geometry.inner * static_cast<int64_t>(sizeof(T)));
    }
    pad(row, source, left + copied, right);
  }

  // Rows [first, last) of the output.
  void write(int64_t first, int64_t last) const {
    const int64_t row_size = geometry.output[2] * geometry.inner, line = geometry.input[2] * geometry.inner;
    while (first < last) {
      const int64_t plane = first / geometry.output[1], block = plane / geometry.output[0];
      const int64_t d = tables[0][plane % geometry.output[0]];
      const T* source = input + (block * geometry.input[0] + d) * geometry.input[1] * line;
      const int64_t end = std::min(last, (plane + 1) * geometry.output[1]);
      for (; first < end; ++first) {
        const int64_t h = tables[1][first - plane * geometry.output[1]];
        T* row = output + first * row_size;
        h < 0 || d < 0 ? fill(row, row_size) : write_row(row, source + h * line);
      }
    }
  }
};

void pad_kernel(const TensorBase& output, const TensorBase& input, const PadGeometry& geometry, PadMode mode,
                const void* value) {
  with_opaque_type(output.element_size(), [&](auto type) {
    const PaddedRows<decltype(type)> rows(geometry, mode, input.const_data_ptr(), output.mutable_data_ptr(),
                                          value);
    const int64_t row_size = geometry.output[2] * geometry.inner;
    const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(row_size, 1));
    at::parallel_for(0, geometry.outer * geometry.output[0] * geometry.output[1], grain,
                     [&](int64_t first, int64_t last) { rows.write(first, last); });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(pad_stub, &pad_kernel)

}  // namespace at::native
