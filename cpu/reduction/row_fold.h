// Folds of rows and columns by one operation. Rows are reduced in vectors of many independent accumulators,
// columns by adding whole rows; long sums are added pairwise, which keeps float sums accurate to a few units
// in the last place. Elements of a type T are converted to the compute type A, a block at a time.
#pragma once

#include <ATen/native/cpu/Reduce.h>
#include <ATen/native/cpu/reduction/short_rows.h>
#include <ATen/native/cpu/widen.h>
#include <ATen/native/reduction/reducers.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace row_fold {

using inner_loop::load_element;
using reducers::Sum;
using reducers::Unchanged;

// ---- blocks of a contiguous row

template <class V, class A>
C10_ALWAYS_INLINE V load_vector(const A* p) {
  V v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

// The whole vectors of p[0..n), at least one. Four vectors of accumulators hide the latency of one.
template <class Op, class Map = Unchanged, class A>
C10_ALWAYS_INLINE Vec<A> fold_whole_vectors(const A* p, int64_t n) {
  using V = Vec<A>;
  constexpr int64_t width = lanes<A>;
  const auto element = [p](int64_t i) C10_ALWAYS_INLINE_ATTRIBUTE { return Map::of(load(p + i)); };
  V a0 = element(0);
  int64_t i = width;
  if (n >= 4 * width) {
    V a1 = element(width), a2 = element(2 * width), a3 = element(3 * width);
    for (i = 4 * width; i + 4 * width <= n; i += 4 * width) {
      a0 = Op::combine(a0, element(i));
      a1 = Op::combine(a1, element(i + width));
      a2 = Op::combine(a2, element(i + 2 * width));
      a3 = Op::combine(a3, element(i + 3 * width));
    }
    a0 = Op::combine(Op::combine(a0, a1), Op::combine(a2, a3));
  }
  for (; i + width <= n; i += width) a0 = Op::combine(a0, element(i));
  return a0;
}

// The lanes of the vectors are combined at the end.
template <class Op, class Map, class A>
A fold_vectors(const A* p, int64_t n) {
  A result = Op::template identity<A>();
  if (n >= lanes<A>) {
    result = combine_lanes<A>(fold_whole_vectors<Op, Map>(p, n), [](A a, A b) { return Op::combine(a, b); });
  }
  for (int64_t i = n / lanes<A> * lanes<A>; i < n; i++) {
    result = Op::combine(result, Map::of(p[i]));
  }
  return result;
}

// Complex elements as their parts: real and imaginary parts are alternating lanes.
template <class A>
A sum_complex(const A* p, int64_t n) {
  using Part = typename A::value_type;
  constexpr int64_t width = lanes<Part> / 2;
  A result = A(0);
  if (n >= width) {
    A sums[width];
    const Vec<Part> parts = fold_whole_vectors<Sum>(reinterpret_cast<const Part*>(p), 2 * n);
    std::memcpy(static_cast<void*>(sums), &parts, sizeof(parts));
    for (const A& sum : sums) result = result + sum;
  }
  for (int64_t i = n / width * width; i < n; i++) result = result + p[i];
  return result;
}

template <class Op, class Map = Unchanged, class A>
A fold_block(const A* p, int64_t n) {
  if constexpr (std::is_arithmetic_v<A>) {
    return fold_vectors<Op, Map>(p, n);
  } else if constexpr (std::is_same_v<Op, Sum>) {
    return sum_complex(p, n);
  } else {
    // Several at a time, as each has to wait for the one before.
    constexpr int64_t together = 8;
    A acc[together];
    std::fill_n(acc, together, Op::template identity<A>());
    int64_t i = 0;
    for (; i + together <= n; i += together) {
      for (int64_t k = 0; k < together; k++) acc[k] = Op::combine(acc[k], p[i + k]);
    }
    for (; i < n; i++) acc[0] = Op::combine(acc[0], p[i]);
    for (int64_t k = 1; k < together; k++) acc[0] = Op::combine(acc[0], acc[k]);
    return acc[0];
  }
}

constexpr int64_t block_size = 1024;

// Pairwise: a row of several blocks is split in two, unless the operation doesn't round. Neighbours of type A
// are mapped as they are folded, if Map is given; other elements are mapped by fold.load.
template <class Op, class A, class Map = Unchanged>
A fold_row(const Fold& fold, const char* in, int64_t n, int64_t stride) {
  if (!Op::rounds && fold.load == nullptr && stride == sizeof(A)) {
    return fold_block<Op>(reinterpret_cast<const A*>(in), n);
  }
  if (n > block_size) {
    const int64_t half = (n / block_size + 1) / 2 * block_size;
    const A first = fold_row<Op, A, Map>(fold, in, half, stride);
    return Op::combine(first, fold_row<Op, A, Map>(fold, in + half * stride, n - half, stride));
  }
  if ((fold.load == nullptr || !std::is_same_v<Map, Unchanged>) && stride == sizeof(A)) {
    return fold_block<Op, Map>(reinterpret_cast<const A*>(in), n);
  }
  A values[block_size];
  if (fold.load != nullptr) {
    fold.load(values, in, n, stride);
  } else {
    for (int64_t i = 0; i < n; i++) {
      values[i] = *reinterpret_cast<const A*>(in + i * stride);
    }
  }
  return fold_block<Op>(static_cast<const A*>(values), n);
}

// ---- columns

// Consecutive rows of A, `stride` elements apart: columns from `c` on, as far as vectors V reach.
template <class V, class Op, class A>
C10_ALWAYS_INLINE int64_t add_rows_as(A* acc, const A* in, int64_t rows, int64_t stride, int64_t columns,
                                      int64_t c) {
  constexpr int64_t width = sizeof(V) / sizeof(A);
  for (; c + width <= columns; c += width) {
    V sum = load_vector<V>(acc + c);
    const A* p = in + c;
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4, p += 4 * stride) {
      const V pair = Op::combine(load_vector<V>(p), load_vector<V>(p + stride));
      const V next = Op::combine(load_vector<V>(p + 2 * stride), load_vector<V>(p + 3 * stride));
      sum = Op::combine(sum, Op::combine(pair, next));
    }
    for (; r < rows; ++r, p += stride) sum = Op::combine(sum, load_vector<V>(p));
    std::memcpy(acc + c, &sum, sizeof(V));
  }
  return c;
}

template <class Op, class A>
void add_rows(A* acc, const A* in, int64_t rows, int64_t stride, int64_t columns) {
  if constexpr (std::is_same_v<Op, Sum> && !std::is_arithmetic_v<A>) {
    using Part = typename A::value_type;  // the parts of complex elements are summed as reals
    return add_rows<Sum>(reinterpret_cast<Part*>(acc), reinterpret_cast<const Part*>(in), rows, 2 * stride,
                         2 * columns);
  }
  // A few rows at a time: the accumulators stay in cache, and cache lines are read in order.
  constexpr int64_t few = 8;
  for (int64_t first = 0; first < rows; first += few) {
    const int64_t n = std::min(few, rows - first);
    const A* from = in + first * stride;
    int64_t c = 0;
    if constexpr (std::is_arithmetic_v<A>) {
      c = add_rows_as<typename Register<A>::type, Op>(acc, from, n, stride, columns, c);
    }
    add_rows_as<A, Op>(acc, from, n, stride, columns, c);
  }
}

constexpr int64_t rows_at_once = 128;

// Pairwise, too: the second half is reduced on its own and then added.
template <class Op, class A>
void fold_columns(const Fold& fold, A* acc, const char* in, int64_t columns, int64_t rows,
                  int64_t row_stride) {
  using Buffer = SmallVector<A, 1024>;
  if (rows > rows_at_once) {
    const int64_t half = rows / 2;
    fold_columns<Op>(fold, acc, in, columns, half, row_stride);
    Buffer second(static_cast<size_t>(columns), Op::template identity<A>());
    fold_columns<Op>(fold, second.data(), in + half * row_stride, columns, rows - half, row_stride);
    add_rows<Op, A>(acc, second.data(), 1, 0, columns);
  } else if (fold.load == nullptr && row_stride % static_cast<int64_t>(sizeof(A)) == 0) {
    add_rows<Op>(acc, reinterpret_cast<const A*>(in), rows, row_stride / static_cast<int64_t>(sizeof(A)),
                 columns);
  } else {
    Buffer four_rows(static_cast<size_t>(4 * columns));
    for (int64_t r = 0; r < rows; r += 4) {
      const int64_t n = std::min<int64_t>(4, rows - r);
      for (int64_t i = 0; i < n; i++) {
        fold.load(four_rows.data() + i * columns, in + (r + i) * row_stride, columns, fold.element_size);
      }
      add_rows<Op, A>(acc, four_rows.data(), n, columns, columns);
    }
  }
}

// ---- short rows, as many at a time as a vector has lanes

// The first n lanes of v; identity in the others.
template <class Op, class A, size_t... I>
C10_ALWAYS_INLINE Vec<A> first_lanes(Vec<A> v, int64_t n, std::index_sequence<I...>) {
  const Vec<A> index = {static_cast<A>(I)...};
  return index < static_cast<A>(n) ? v : Vec<A>{} + Op::template identity<A>();
}

// A vector that p[0..n) is reduced to. Memory may be read up to `end`.
template <class Op, class A>
C10_ALWAYS_INLINE Vec<A> fold_line(const A* p, int64_t n, const A* end) {
  const int64_t whole = n / lanes<A> * lanes<A>;
  if (n == whole) return fold_whole_vectors<Op>(p, n);
  const Vec<A> rest =
      first_lanes<Op, A>(load_until(p + whole, end), n - whole, std::make_index_sequence<lanes<A>>());
  return whole == 0 ? rest : Op::combine(fold_whole_vectors<Op>(p, whole), rest);
}

// Rows `stride` elements apart. Each is a line of a square of vectors, whose lines are reduced together.
template <class Op, class A>
void fold_short_rows(A* acc, const A* in, int64_t rows, int64_t stride, int64_t n) {
  constexpr int64_t width = lanes<A>;
  const A* end = in + (rows - 1) * stride + n;
  for (int64_t first = 0; first < rows; first += width) {
    const int64_t count = std::min(width, rows - first);
    Vec<A> line[width];
    for (int64_t r = 0; r < count; r++) line[r] = fold_line<Op>(in + (first + r) * stride, n, end);
    for (int64_t r = count; r < width; r++) line[r] = Vec<A>{} + Op::template identity<A>();
    A folded[width];
    store<A>(folded, combine_lines<A>(line, [](auto a, auto b) { return Op::combine(a, b); }));
    for (int64_t r = 0; r < count; r++) acc[first + r] = Op::combine(acc[first + r], folded[r]);
  }
}

template <class Op, class A>
void add_short_rows(const Fold& fold, void* states, const char* in, int64_t rows, int64_t row_stride,
                    int64_t n) {
  for_short_rows<A>(fold.load, fold.element_size, in, rows, row_stride, n,
                    [=](const A* values, int64_t first, int64_t count, int64_t stride) {
                      fold_short_rows<Op>(static_cast<A*>(states) + first, values, count, stride, n);
                    });
}

// ---- the functions of a Fold

template <class Map, class T, class A>
void load_mapped(void* to, const char* from, int64_t n, int64_t stride) {
  A* values = static_cast<A*>(to);
  const auto load_from = [](const char* p) {
    return Map::of(static_cast<A>(load_element(reinterpret_cast<const T*>(p))));
  };
  if constexpr (std::is_same_v<T, c10::Half> && std::is_same_v<A, float> && std::is_same_v<Map, Unchanged>) {
    if (stride == sizeof(T)) return convert(reinterpret_cast<const T*>(from), values, n);
  }
  if (stride == sizeof(T)) {
    for (int64_t i = 0; i < n; i++) values[i] = load_from(from + i * static_cast<int64_t>(sizeof(T)));
  } else {
    for (int64_t i = 0; i < n; i++) values[i] = load_from(from + i * stride);
  }
}

template <class Project, class Out, class A>
void store_projected(const Fold& fold, char* out, int64_t out_stride, const void* values, int64_t n) {
  const A* p = static_cast<const A*>(values);
  const double count = fold.count;
  for (int64_t i = 0; i < n; i++) {
    *reinterpret_cast<Out*>(out + i * out_stride) = static_cast<Out>(Project::of(p[i], count));
  }
}

template <class Op, class A, class Map = Unchanged>
void add_row(const Fold& fold, void* state, const char* in, int64_t n, int64_t stride, int64_t /*first*/) {
  A& acc = *static_cast<A*>(state);
  acc = Op::combine(acc, fold_row<Op, A, Map>(fold, in, n, stride));
}

template <class Op, class A>
Fold make_fold() {
  Fold fold{};
  fold.state_size = sizeof(A);
  fold.count = 1;
  fold.init = [](const Fold&, void* state, int64_t columns) {
    std::fill_n(static_cast<A*>(state), columns, Op::template identity<A>());
  };
  fold.add_row = &add_row<Op, A>;
  fold.add_columns = [](const Fold& f, void* states, const char* in, int64_t columns, int64_t rows,
                        int64_t row_stride, int64_t) {
    fold_columns<Op>(f, static_cast<A*>(states), in, columns, rows, row_stride);
  };
  if constexpr (std::is_floating_point_v<A>) {
    fold.add_short_rows = &add_short_rows<Op, A>;
    fold.longest_short_row = longest_short_row;
  }
  fold.merge = [](const Fold&, void* state, const void* later) {
    A& acc = *static_cast<A*>(state);
    acc = Op::combine(acc, *static_cast<const A*>(later));
  };
  fold.finish = [](const Fold& f, char* out, int64_t out_stride, void* states, int64_t columns) {
    f.store(f, out, out_stride, states, columns);
  };
  return fold;
}

/// Runs a Reducer over elements of type T, accumulated as A. The output is of type T, or of type A.
template <class R, class T, class A>
void reduce_as(const TensorIteratorBase& iter) {
  using Map = typename R::Map;
  using Project = typename R::Project;
  TORCH_INTERNAL_ASSERT((reducers::is_defined<R, A>));
  if constexpr (reducers::is_defined<R, A>) {
    const bool widened = iter.dtype(0) == c10::CppTypeToScalarType<A>::value;
    TORCH_INTERNAL_ASSERT(widened || iter.dtype(0) == iter.dtype(1));
    Fold fold = make_fold<typename R::Combine, A>();
    fold.load = std::is_same_v<A, T> && std::is_same_v<Map, Unchanged> ? nullptr : &load_mapped<Map, T, A>;
    fold.store = widened ? &store_projected<Project, A, A> : &store_projected<Project, T, A>;
    fold.element_size = sizeof(T);
    if constexpr (std::is_same_v<A, T> && std::is_same_v<Map, reducers::ZeroForNan>) {
      fold.add_row = &add_row<typename R::Combine, A, Map>;
    }
    if constexpr (!std::is_same_v<Project, Unchanged>) fold.count = elements_per_output(iter);
    run_fold(iter, fold);
  }
}

}  // namespace row_fold
}  // namespace CPU_CAPABILITY
}  // namespace at::native
