// argmax and argmin: the position of the first extremum, where NaN counts as one. A row is searched for its
// extremum by blocks in vectors, and only the block that has it is searched for the position.
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/cpu/short_rows.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class A>
struct Largest {
  static constexpr A worst = std::numeric_limits<A>::has_infinity ? -std::numeric_limits<A>::infinity()
                                                                  : std::numeric_limits<A>::lowest();
  // Whether a comes before b; NaN before everything but NaN. On numbers and on vectors of them.
  template <class V>
  static C10_ALWAYS_INLINE auto beats(V a, V b) {
    return (a > b) | ((a != a) & (b == b));
  }
  template <class V>
  static C10_ALWAYS_INLINE V best(V a, V b) {
    return ((a > b) | (a != a)) ? a : b;
  }
};

template <class A>
struct Smallest {
  static constexpr A worst = std::numeric_limits<A>::has_infinity ? std::numeric_limits<A>::infinity()
                                                                  : std::numeric_limits<A>::max();
  template <class V>
  static C10_ALWAYS_INLINE auto beats(V a, V b) {
    return (a < b) | ((a != a) & (b == b));
  }
  template <class V>
  static C10_ALWAYS_INLINE V best(V a, V b) {
    return ((a < b) | (a != a)) ? a : b;
  }
};

constexpr int64_t block_size = 2048;

// The extremum of p[0..n), n > 0.
template <class Order, class A>
A best_of_block(const A* p, int64_t n) {
  using V = typename Register<A>::type;
  constexpr int64_t lanes = sizeof(V) / sizeof(A);
  const auto load = [](const A* from) {
    V v;
    std::memcpy(&v, from, sizeof(V));
    return v;
  };
  A best = p[0];
  int64_t i = 1;
  if (n >= 4 * lanes) {
    V a0 = load(p), a1 = load(p + lanes), a2 = load(p + 2 * lanes), a3 = load(p + 3 * lanes);
    for (i = 4 * lanes; i + 4 * lanes <= n; i += 4 * lanes) {
      a0 = Order::best(load(p + i), a0);
      a1 = Order::best(load(p + i + lanes), a1);
      a2 = Order::best(load(p + i + 2 * lanes), a2);
      a3 = Order::best(load(p + i + 3 * lanes), a3);
    }
    a0 = Order::best(Order::best(a0, a1), Order::best(a2, a3));
    A values[lanes];
    std::memcpy(values, &a0, sizeof(V));
    best = values[0];
    for (A value : values) {
      best = Order::best(value, best);
    }
  }
  for (; i < n; i++) {
    best = Order::best(p[i], best);
  }
  return best;
}

// The first of p[0..n) that is `value`, which is among them.
template <class A>
int64_t position_of(const A* p, int64_t n, A value) {
  constexpr int64_t group = 64;
  const bool nan = value != value;
  const auto is_value = [value, nan](A x) { return nan ? x != x : x == value; };
  int64_t i = 0;
  for (; !nan && i + group <= n; i += group) {
    unsigned char found = 0;
    for (int64_t k = 0; k < group; k++) {
      found |= static_cast<unsigned char>(p[i + k] == value);
    }
    if (found != 0) {
      break;
    }
  }
  while (!is_value(p[i])) {
    i++;
  }
  return i;
}

template <class A>
struct Best {
  A value;
  int64_t index;  // -1: of nothing yet
};

template <class Order, class A>
void add_row(const Fold& fold, void* state, const char* in, int64_t n, int64_t stride, int64_t first_index) {
  auto& best = *static_cast<Best<A>*>(state);
  A buffer[block_size];
  for (int64_t begin = 0; begin < n; begin += block_size) {
    const int64_t count = std::min(block_size, n - begin);
    const char* from = in + begin * stride;
    const A* values = reinterpret_cast<const A*>(from);
    if (fold.load != nullptr || stride != sizeof(A)) {
      fold.load(buffer, from, count, stride);
      values = buffer;
    }
    const A value = best_of_block<Order>(values, count);
    if (best.index < 0 || Order::beats(value, best.value)) {
      best = {value, first_index + begin + position_of(values, count, value)};
    }
  }
}

// States of columns: all values, then all positions.
template <class Order, class A>
void add_columns(const Fold& fold, void* states, const char* in, int64_t columns, int64_t rows,
                 int64_t row_stride, int64_t first_index) {
  auto* index = static_cast<int64_t*>(states);
  auto* best = reinterpret_cast<A*>(index + columns);
  SmallVector<A, 1024> row(static_cast<size_t>(columns));
  for (int64_t r = 0; r < rows; r++) {
    fold.load(row.data(), in + r * row_stride, columns, fold.element_size);
    const A* values = row.data();
    const int64_t position = first_index + r;
    if (position == 0) {
      std::copy_n(values, columns, best);
      std::fill_n(index, columns, 0);
      continue;
    }
#pragma GCC ivdep
    for (int64_t c = 0; c < columns; c++) {
      const bool beats = Order::beats(values[c], best[c]);
      index[c] = beats ? position : index[c];
      best[c] = beats ? values[c] : best[c];
    }
  }
}

// A square of vectors at a time is transposed: what belongs to a row is in its lane.
template <class Order, class A>
void search_short_rows(int64_t* index, A* best, const A* in, int64_t rows, int64_t stride, int64_t n) {
  using Places = decltype(Vec<A>{} < Vec<A>{});
  constexpr int64_t width = lanes<A>;
  const A* end = in + (rows - 1) * stride + n;
  for (int64_t first = 0; first < rows; first += width) {
    const int64_t count = std::min(width, rows - first);
    Vec<A> value;
    Places place = {};
    for (int64_t c = 0; c < n; c += width) {
      Vec<A> line[width] = {};
      for (int64_t r = 0; r < count; r++) line[r] = load_until(in + (first + r) * stride + c, end);
      transpose_lines<A>(line);
      if (c == 0) value = line[0];
      for (int64_t k = 0; k < std::min(width, n - c); k++) {
        const auto beats = Order::beats(line[k], value);
        value = beats ? line[k] : value;
        place = beats ? Places{} + static_cast<int>(c + k) : place;
      }
    }
    for (int64_t r = 0; r < count; r++) {
      best[first + r] = value[r];
      index[first + r] = place[r];
    }
  }
}

template <class Order, class T, class A>
void add_short_rows(const Fold& fold, void* states, const char* in, int64_t rows, int64_t row_stride,
                    int64_t n) {
  auto* index = static_cast<int64_t*>(states);
  auto* best = reinterpret_cast<A*>(index + rows);
  for_short_rows<A>(std::is_same_v<T, A> ? nullptr : fold.load, fold.element_size, in, rows, row_stride, n,
                    [=](const A* values, int64_t first, int64_t count, int64_t stride) {
                      search_short_rows<Order>(index + first, best + first, values, count, stride, n);
                    });
}

template <class T, class A>
void load_values(void* to, const char* from, int64_t n, int64_t stride) {
  A* values = static_cast<A*>(to);
  if (stride == sizeof(T)) {
    for (int64_t i = 0; i < n; i++) {
      values[i] = static_cast<A>(inner_loop::load_element(reinterpret_cast<const T*>(from) + i));
    }
  } else {
    for (int64_t i = 0; i < n; i++) {
      values[i] = static_cast<A>(inner_loop::load_element(reinterpret_cast<const T*>(from + i * stride)));
    }
  }
}

template <class Order, class A>
void add_contiguous_row(const Fold& fold, void* state, const char* in, int64_t n, int64_t stride,
                        int64_t first) {
  Fold direct = fold;
  direct.load = stride == static_cast<int64_t>(sizeof(A)) ? nullptr : fold.load;
  add_row<Order, A>(direct, state, in, n, stride, first);
}

template <class Order, class A, class T>
Fold make_fold() {
  Fold fold{};
  fold.state_size = sizeof(int64_t) + sizeof(A);
  fold.element_size = sizeof(T);
  fold.load = &load_values<T, A>;
  fold.init = [](const Fold&, void* state, int64_t columns) {
    if (columns == 1) {
      *static_cast<Best<A>*>(state) = {Order::worst, -1};
    }
  };
  fold.add_row = std::is_same_v<T, A> ? &add_contiguous_row<Order, A> : &add_row<Order, A>;
  fold.add_columns = &add_columns<Order, A>;
  if constexpr (sizeof(A) >= 4) {
    fold.add_short_rows = &add_short_rows<Order, T, A>;
    fold.longest_short_row = longest_short_row;
  }
  fold.merge = [](const Fold&, void* state, const void* later) {
    auto& best = *static_cast<Best<A>*>(state);
    const auto& other = *static_cast<const Best<A>*>(later);
    best = Order::beats(other.value, best.value) ? other : best;
  };
  fold.finish = [](const Fold&, char* out, int64_t out_stride, void* states, int64_t columns) {
    // A row's state is a Best, whose position lies elsewhere than that of a column.
    if (out_stride == 0) {
      *reinterpret_cast<int64_t*>(out) = static_cast<const Best<A>*>(states)->index;
      return;
    }
    for (int64_t c = 0; c < columns; c++) {
      *reinterpret_cast<int64_t*>(out + c * out_stride) = static_cast<const int64_t*>(states)[c];
    }
  };
  return fold;
}

template <template <class> class Order>
void arg_kernel(TensorIterator& iter, const char* name) {
  AT_DISPATCH_V2(iter.dtype(1), name, AT_WRAP([&] {
                   using A =
                       std::conditional_t<std::is_same_v<scalar_t, bool>, uint8_t, at::opmath_type<scalar_t>>;
                   run_fold(iter, make_fold<Order<A>, A, scalar_t>());
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool);
}

void argmax_kernel(TensorIterator& iter) { arg_kernel<Largest>(iter, "argmax_cpu"); }

void argmin_kernel(TensorIterator& iter) { arg_kernel<Smallest>(iter, "argmin_cpu"); }

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(argmax_stub, &argmax_kernel)
REGISTER_DISPATCH(argmin_stub, &argmin_kernel)

}  // namespace at::native
