// Padding on the CPU: rows of the input are copied whole, what lies beside them is filled.
#include <ATen/Parallel.h>
#include <ATen/native/Padding.h>
#include <ATen/native/cpu/Opaque.h>

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

template <class T>
struct Rows {
  const PadGeometry& geometry;
  const T* input;
  T* output;
  T value;
  bool value_is_zero;
  std::vector<int64_t> tables[max_pad_dims];
  int64_t left, copied_from, copied, right;  // of a row of the output

  Rows(const PadGeometry& g, PadMode mode, const void* from, void* to, const void* filler)
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

  void fill(T* to, int64_t n) const {
    if (value_is_zero) {
      std::memset(static_cast<void*>(to), 0, static_cast<size_t>(n) * sizeof(T));
    } else {
      std::fill_n(to, n, value);
    }
  }

  // n places of a row of the output, the first of which is `begin`, that lie beside the input.
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

  void write(int64_t index) const {
    const int64_t row_size = geometry.output[2] * geometry.inner;
    T* row = output + index * row_size;
    const int64_t plane = index / geometry.output[1];
    const int64_t h = tables[1][index % geometry.output[1]], d = tables[0][plane % geometry.output[0]];
    if (h < 0 || d < 0) return fill(row, row_size);
    const int64_t block = plane / geometry.output[0];
    const T* source = input + ((block * geometry.input[0] + d) * geometry.input[1] + h) * geometry.input[2] *
                                  geometry.inner;
    pad(row, source, 0, left);
    if (copied > 0) {
      std::memcpy(static_cast<void*>(row + left * geometry.inner), source + copied_from * geometry.inner,
                  static_cast<size_t>(copied * geometry.inner) * sizeof(T));
    }
    pad(row, source, left + copied, right);
  }
};

void pad_kernel(const TensorBase& output, const TensorBase& input, const PadGeometry& geometry, PadMode mode,
                const void* value) {
  with_opaque_type(output.element_size(), [&](auto type) {
    const Rows<decltype(type)> rows(geometry, mode, input.const_data_ptr(), output.mutable_data_ptr(), value);
    const int64_t row_size = geometry.output[2] * geometry.inner;
    const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(row_size, 1));
    at::parallel_for(0, geometry.outer * geometry.output[0] * geometry.output[1], grain,
                     [&](int64_t first, int64_t last) {
                       for (int64_t i = first; i < last; ++i) rows.write(i);
                     });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(pad_stub, &pad_kernel)

}  // namespace at::native
