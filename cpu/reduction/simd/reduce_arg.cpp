// argmax and argmin: the index of the first extremum, where NaN counts as one. A row is searched for its
// extremum by blocks in vectors, and only the block that contains it is searched for the index.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/cpu/reduction/row_fold.h>
#include <ATen/native/reduction/stubs.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using reducers::Found;
using reducers::Position;

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
      a0 = Order::combine(load(p + i), a0);
      a1 = Order::combine(load(p + i + lanes), a1);
      a2 = Order::combine(load(p + i + 2 * lanes), a2);
      a3 = Order::combine(load(p + i + 3 * lanes), a3);
    }
    a0 = Order::combine(Order::combine(a0, a1), Order::combine(a2, a3));
    A values[lanes];
    std::memcpy(values, &a0, sizeof(V));
    best = values[0];
    for (A value : values) {
      best = Order::combine(value, best);
    }
  }
  for (; i < n; i++) {
    best = Order::combine(p[i], best);
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

template <class Order, class A>
void add_row(const Fold& fold, void* state, const char* in, int64_t n, int64_t stride, int64_t first_index) {
  auto& best = *static_cast<Found<A>*>(state);
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
    if (best.index == reducers::nowhere || Order::beats(value, best.value)) {
      best = {value, first_index + begin + position_of(values, count, value)};
    }
  }
}

// States of columns: all values, then all indices.
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

// A square of vectors at a time is transposed, so that each row is in a lane.
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
  fold.load = &row_fold::load_mapped<reducers::Unchanged, T, A>;
  fold.init = [](const Fold&, void* state, int64_t columns) {
    if (columns == 1) {
      *static_cast<Found<A>*>(state) = Position<Order, A>::identity();
    }
  };
  fold.add_row = std::is_same_v<T, A> ? &add_contiguous_row<Order, A> : &add_row<Order, A>;
  fold.add_columns = &add_columns<Order, A>;
  if constexpr (sizeof(A) >= 4) {
    fold.add_short_rows = &add_short_rows<Order, T, A>;
    fold.longest_short_row = longest_short_row;
  }
  fold.merge = [](const Fold&, void* state, const void* later) {
    auto& best = *static_cast<Found<A>*>(state);
    const auto& other = *static_cast<const Found<A>*>(later);
    best = Position<Order, A>::combine(best, other);
  };
  fold.finish = [](const Fold&, char* out, int64_t out_stride, void* states, int64_t columns) {
    // A row's state is a Found, which stores the index elsewhere than the state of a column.
    if (out_stride == 0) {
      *reinterpret_cast<int64_t*>(out) = static_cast<const Found<A>*>(states)->index;
      return;
    }
    for (int64_t c = 0; c < columns; c++) {
      *reinterpret_cast<int64_t*>(out + c * out_stride) = static_cast<const int64_t*>(states)[c];
    }
  };
  return fold;
}

template <class Extremum>
void arg_kernel(TensorIterator& iter) {
  const char* name = std::is_same_v<Extremum, reducers::Max> ? "argmax" : "argmin";
  AT_DISPATCH_V2(iter.dtype(1), name, AT_WRAP([&] {
                   using A = reducers::extremum_type<scalar_t>;
                   run_fold(iter, make_fold<Extremum, A, scalar_t>());
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16, kBool);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(argmax_stub, &arg_kernel<reducers::Max>)
REGISTER_DISPATCH(argmin_stub, &arg_kernel<reducers::Min>)

}  // namespace at::native
