// The two steps of resampling: weighted sums of rows, and of elements within a row. For files of cpu/*/simd.
#pragma once

#include <ATen/native/cpu/vectors.h>
#include <ATen/native/resampling/stubs.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

// Zeros after a row, read by taps beyond the end and by vectors that extend beyond it.
template <class Acc>
inline constexpr int64_t row_slack = 2 * lanes<Acc>;

// Stores a row as numbers of type T.
template <class Acc, class T>
struct RowStore {
  T* row;
  C10_ALWAYS_INLINE void operator()(int64_t x, Acc value) const { store_one(row + x, value); }
  C10_ALWAYS_INLINE void vector(int64_t x, Vec<Acc> v) const { store_as<Acc>(row + x, v); }
};

// The default for a caller that stores single elements: lane by lane; the compiler merges them again.
template <class Acc, class Store>
C10_ALWAYS_INLINE void store_lanes(Vec<Acc> v, int64_t x, const Store& store_at) {
  if constexpr (requires { store_at.vector(x, v); }) return store_at.vector(x, v);
  Acc values[lanes<Acc>];
  store(values, v);
#pragma GCC unroll 64
  for (int64_t l = 0; l < lanes<Acc>; ++l) store_at(x + l, values[l]);
}

// Calls f<count>(x) for `count` vectors from x on, until the width is covered; the last one may overlap the
// one before. Widths below a vector are left to the caller.
template <class Acc, class F>
C10_ALWAYS_INLINE bool each_vector(int64_t width, const F& f) {
  constexpr int64_t vector = lanes<Acc>;
  if (width < vector) return false;
  int64_t x = 0;
  for (; x + 4 * vector <= width; x += 4 * vector) f(std::integral_constant<int, 4>(), x);
  for (; x + vector <= width; x += vector) f(std::integral_constant<int, 1>(), x);
  if (x < width) f(std::integral_constant<int, 1>(), width - vector);
  return true;
}

// store_at(x, sum over i < n of weights[i] * rows[i][x]) for all x < width, for some of them twice.
template <class Acc, class T, class Store>
C10_ALWAYS_INLINE void blend_rows(const T* const* rows, const Acc* weights, int64_t n, int64_t width,
                                  const Store& store_at) {
  const bool done = each_vector<Acc>(width, [&](auto count, int64_t x) {
    Vec<Acc> sum[count.value] = {};
    for (int64_t i = 0; i < n; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < count.value; ++v) sum[v] += weights[i] * load_as<Acc>(rows[i] + x + v * lanes<Acc>);
    }
#pragma GCC unroll 4
    for (int v = 0; v < count.value; ++v) store_lanes<Acc>(sum[v], x + v * lanes<Acc>, store_at);
  });
  for (int64_t x = 0; x < width && !done; ++x) {
    Acc sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += weights[i] * load_one<Acc>(rows[i] + x);
    store_at(x, sum);
  }
}

template <class Acc, size_t... I>
C10_ALWAYS_INLINE Vec<Acc> first_lanes(Vec<Acc> v, int64_t n, std::index_sequence<I...>) {
  const Vec<Acc> index = {static_cast<Acc>(I)...};
  return index < static_cast<Acc>(n) ? v : Vec<Acc>{};
}

// The sum over i < n of weights[i] * rows[i] of rows shorter than a vector, zero-padded. Memory may be read
// up to `end`.
template <class Acc, class T>
C10_ALWAYS_INLINE Vec<Acc> blend_narrow_rows(const T* const* rows, const Acc* weights, int64_t n,
                                             int64_t width, const T* end) {
  Vec<Acc> sum = {};
  for (int64_t i = 0; i < n; ++i) {
    if (C10_LIKELY(end - rows[i] >= lanes<Acc>)) {
      sum += weights[i] * load_as<Acc>(rows[i]);
    } else {
      T row[lanes<Acc>] = {};
      std::copy_n(rows[i], width, row);
      sum += weights[i] * load_as<Acc>(static_cast<const T*>(row));
    }
  }
  return first_lanes<Acc>(sum, width, std::make_index_sequence<lanes<Acc>>());
}

// Of the elements of a, then b, those at `places`, one for each lane.
template <class V, class Places>
C10_ALWAYS_INLINE V select(V a, V b, Places places) {
#ifdef __clang__
  constexpr int n = sizeof(V) / sizeof(a[0]);
  V chosen;
  for (int i = 0; i < n; ++i) chosen[i] = places[i] < n ? a[places[i]] : b[places[i] - n];
  return chosen;
#else
  return __builtin_shuffle(a, b, places);
#endif
}

// The last axis: the taps of each element of a row. Runs of channels shorter than a vector are expanded, so
// that vectors hold several of them; longer ones are summed run by run.
template <class Acc>
class RowTaps {
 public:
  using Lane = std::conditional_t<sizeof(Acc) == 8, int64_t, int32_t>;
  static constexpr int64_t vector = lanes<Acc>;
  // Elements are selected from two vectors where the processor has an instruction for it.
  static constexpr bool permutes = vector_bytes >= 32 && sizeof(Acc) >= 4;

  template <class Weight>
  RowTaps(const ResampleAxis& axis, const std::vector<Weight>& weights, int64_t inner)
      : axis_(axis), inner_(inner), width_(axis.output * inner), in_width_(axis.input * inner) {
    if (inner_ >= vector) {
      weight_.assign(weights.begin(), weights.end());
      return;
    }
    chunks_ = (width_ + vector - 1) / vector;
    const int64_t size = axis.taps * chunks_ * vector;
    index_.assign(size, static_cast<Lane>(in_width_));
    weight_.assign(size, Acc(0));
    for (int64_t k = 0; k < axis.taps; ++k) {
      for (int64_t i = 0; i < axis.output; ++i) {
        const int64_t from = k * axis.output + i;
        for (int64_t c = 0; c < inner_; ++c) {
          index_[place(k, i * inner_ + c)] = static_cast<Lane>(axis.index[from] * inner_ + c);
          weight_[place(k, i * inner_ + c)] = static_cast<Acc>(weights[from]);
        }
      }
    }
    find_windows();
  }

  int64_t width() const { return width_; }
  int64_t in_width() const { return in_width_; }

  // `row` has in_width() elements and row_slack zeros. store_at(i, value) is called for each element.
  template <class Store>
  C10_ALWAYS_INLINE void apply(const Acc* row, const Store& store_at) const {
    if (inner_ >= vector) return apply_runs(row, store_at);
    for (int64_t chunk = 0; chunk < chunks_; ++chunk) {
      store_some(sum_of(row, chunk), chunk * vector, store_at);
    }
  }

  // Whether one vector holds all elements, which `sum_of(row, 0)` are.
  bool narrow() const { return chunks_ == 1; }
  C10_ALWAYS_INLINE Vec<Acc> sum_of(const Acc* row, int64_t chunk) const {
    Vec<Acc> sum = {};
    for (int64_t k = 0; k < axis_.taps; ++k) {
      const int64_t entry = chunk * axis_.taps + k;
      sum += load(weight_.data() + entry * vector) * fetch(row, entry);
    }
    return sum;
  }

  // One tap without a weight.
  template <class Store>
  C10_ALWAYS_INLINE void pick(const Acc* row, const Store& store_at) const {
    for (int64_t chunk = 0; chunk < chunks_; ++chunk) {
      store_some(fetch(row, chunk), chunk * vector, store_at);
    }
  }

 private:
  template <class Store>
  C10_ALWAYS_INLINE void store_some(Vec<Acc> v, int64_t x, const Store& store_at) const {
    if (x + vector <= width_) return store_lanes<Acc>(v, x, store_at);
    Acc values[vector];
    store(values, v);
    for (int64_t l = 0; l < width_ - x; ++l) store_at(x + l, values[l]);
  }

  // Tap by tap of a vector of the output, vector by vector.
  int64_t place(int64_t tap, int64_t x) const {
    return (x / vector * axis_.taps + tap) * vector + x % vector;
  }

  void find_windows() {
    const int64_t entries = axis_.taps * chunks_;
    window_.assign(entries, -1);
    if (!permutes) return;
    for (int64_t entry = 0; entry < entries; ++entry) {
      Lane* index = index_.data() + entry * vector;
      const auto [low, high] = std::minmax_element(index, index + vector);
      if (*high - *low >= 2 * vector) continue;
      const Lane first = *low;
      window_[entry] = first;
      for (int64_t l = 0; l < vector; ++l) index[l] -= first;
    }
  }

  C10_ALWAYS_INLINE Vec<Acc> fetch(const Acc* row, int64_t entry) const {
    const Lane* index = index_.data() + entry * vector;
    if constexpr (permutes) {
      if (const int64_t first = window_[entry]; C10_LIKELY(first >= 0)) {
        return select(load(row + first), load(row + first + vector), load(index));
      }
    }
    Acc values[vector];
    for (int64_t l = 0; l < vector; ++l) values[l] = row[index[l]];
    return load(values);
  }

  template <class Store>
  C10_ALWAYS_INLINE void apply_runs(const Acc* row, const Store& store_at) const {
    for (int64_t i = 0; i < axis_.output; ++i) {
      const int64_t n = axis_.count[i], to = i * inner_;
      each_vector<Acc>(inner_, [&](auto count, int64_t c) {
        Vec<Acc> sum[count.value] = {};
        for (int64_t k = 0; k < n; ++k) {
          const int64_t from = k * axis_.output + i;
          const Acc* run = row + axis_.index[from] * inner_ + c;
#pragma GCC unroll 4
          for (int v = 0; v < count.value; ++v) sum[v] += weight_[from] * load(run + v * vector);
        }
#pragma GCC unroll 4
        for (int v = 0; v < count.value; ++v) store_lanes<Acc>(sum[v], to + c + v * vector, store_at);
      });
    }
  }

  const ResampleAxis& axis_;
  int64_t inner_, width_, in_width_, chunks_ = 0;
  std::vector<Lane> index_;      // of each lane, relative to the window if there is one
  std::vector<int64_t> window_;  // of each vector: the first of two vectors that hold all its elements, or -1
  std::vector<Acc> weight_;
};

}  // namespace CPU_CAPABILITY
}  // namespace at::native
