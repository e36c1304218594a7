// The gradient of reflection and replication padding: each row of the input's is the sum of the rows that
// came from it, whose margins are added to it.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/math/types.h>
#include <ATen/native/padding/stubs.h>

#include <algorithm>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The positions of the output that come from each position of the input, one list after the other.
struct Copies {
  std::vector<int64_t> begin, position;

  Copies(const PadGeometry& geometry, int dim, PadMode mode)
      : begin(static_cast<size_t>(geometry.input[dim]) + 1),
        position(static_cast<size_t>(geometry.output[dim])) {
    const auto source = [&](int64_t i) {
      return pad_source(mode, i - geometry.before[dim], geometry.input[dim]);
    };
    const int64_t n = geometry.output[dim];
    for (int64_t i = 0; i < n; ++i) ++begin[source(i) + 1];
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<int64_t> next(begin);
    for (int64_t i = 0; i < n; ++i) position[next[source(i)]++] = i;
  }
};

template <class T>
struct GradientRows {
  using Acc = ufunc::opmath<T>;
  const PadGeometry& geometry;
  PadMode mode;
  const T* grad_output;
  T* grad_input;
  Copies depth, height;
  int64_t left, folded_from, folded;

  GradientRows(const PadGeometry& g, PadMode mode_, const T* from, T* to)
      : geometry(g), mode(mode_), grad_output(from), grad_input(to), depth(g, 0, mode_), height(g, 1, mode_) {
    left = std::clamp<int64_t>(g.before[2], 0, g.output[2]);
    folded_from = std::max<int64_t>(-g.before[2], 0);
    folded = std::clamp<int64_t>(g.input[2] - folded_from, 0, g.output[2] - left);
  }

  static void add(Acc* sum, const T* values, int64_t n) {
    map_row<Acc>(sum, n, [](auto a, auto b) { return a + b; }, sum, values);
  }

  void add_row(Acc* sum, const T* row) const {
    const int64_t inner = geometry.inner;
    add(sum + folded_from * inner, row + left * inner, folded * inner);
    const auto add_beside = [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t to = pad_source(mode, i - geometry.before[2], geometry.input[2]);
        add(sum + to * inner, row + i * inner, inner);
      }
    };
    add_beside(0, left);
    add_beside(left + folded, geometry.output[2]);
  }

  void write(int64_t index, Acc* buffer) const {
    const int64_t n = geometry.input[2] * geometry.inner;
    const int64_t plane = index / geometry.input[1], h = index % geometry.input[1];
    const int64_t d = plane % geometry.input[0], block = plane / geometry.input[0];
    T* const target = grad_input + index * n;
    Acc* sum = buffer;
    if constexpr (std::is_same_v<T, Acc>) sum = target;
    std::fill_n(sum, n, Acc(0));
    for (int64_t i = depth.begin[d]; i < depth.begin[d + 1]; ++i) {
      for (int64_t j = height.begin[h]; j < height.begin[h + 1]; ++j) {
        const int64_t row =
            (block * geometry.output[0] + depth.position[i]) * geometry.output[1] + height.position[j];
        add_row(sum, grad_output + row * geometry.output[2] * geometry.inner);
      }
    }
    if constexpr (!std::is_same_v<T, Acc>) {
      convert(sum, target, n);
    }
  }
};

template <class T>
void add_rows(const TensorBase& grad_input, const TensorBase& grad_output, const PadGeometry& geometry,
              PadMode mode) {
  const GradientRows<T> rows(geometry, mode, static_cast<const T*>(grad_output.const_data_ptr()),
                             static_cast<T*>(grad_input.mutable_data_ptr()));
  const int64_t n = geometry.input[2] * geometry.inner;
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  at::parallel_for(0, geometry.outer * geometry.input[0] * geometry.input[1], grain,
                   [&](int64_t first, int64_t last) {
                     std::vector<typename GradientRows<T>::Acc> buffer;
                     if constexpr (!std::is_same_v<T, typename GradientRows<T>::Acc>) buffer.resize(n);
                     for (int64_t i = first; i < last; ++i) rows.write(i, buffer.data());
                   });
}

// Complex elements are two real ones that stay together.
void pad_backward_kernel(const TensorBase& grad_input, const TensorBase& grad_output,
                         const PadGeometry& geometry, PadMode mode) {
  PadGeometry parts = geometry;
  ScalarType dtype = grad_input.scalar_type();
  if (isComplexType(dtype)) {
    parts.inner *= 2;
    dtype = toRealValueType(dtype);
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "padding_backward",
                                  [&] { add_rows<scalar_t>(grad_input, grad_output, parts, mode); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(pad_backward_stub, &pad_backward_kernel)

}  // namespace at::native
