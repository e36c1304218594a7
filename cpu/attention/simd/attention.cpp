// Flash attention: for a few query rows the scores of one block of keys are in cache at a time; the running
// maximum and sum rescale the values accumulated so far.
#include <ATen/native/cpu/attention/tiles.h>

#include <ATen/Dispatch.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace attention_detail {
namespace {

// Query rows that share packed keys and values.
constexpr int64_t group_rows = 72 * tile_rows;

// The accumulated state of a group's rows.
template <class Acc>
struct Gathered {
  Buffer<Acc> values, maxima, sums;
  int64_t stride;

  Gathered(int64_t rows, int64_t head_size)
      : values(rows * round_up(head_size, lanes<Acc>)),
        maxima(rows),
        sums(rows),
        stride(round_up(head_size, lanes<Acc>)) {
    std::fill_n(values.get(), rows * stride, Acc(0));
    std::fill_n(maxima.get(), rows, -static_cast<Acc>(__builtin_inf()));
    std::fill_n(sums.get(), rows, Acc(0));
  }
};

// Scores to exp(score - maximum); returns the factor for everything accumulated before.
template <class Acc>
Acc take_exponentials(Acc* scores, int64_t count, Acc& maximum, Acc& sum) {
  const Acc highest = std::max(maximum, row_max(scores, count));
  const Acc shift = highest == -static_cast<Acc>(__builtin_inf()) ? Acc(0) : highest;
  for (int64_t j = 0; j < count; ++j) {
    scores[j] = exp_of_difference(scores[j] - shift);
  }
  const Acc factor = std::exp(maximum - shift);
  sum = sum * factor + row_sum(scores, count);
  maximum = highest;
  return factor;
}

template <class T>
struct Forward {
  using Acc = ufunc::opmath<T>;
  static constexpr int64_t stride = score_stride<Acc>;

  const AttentionProblem& problem;
  const Head<T> head;
  const int64_t first_row, rows;

  int64_t keys_seen(int64_t last_row) const {
    return problem.causal ? std::min(problem.keys, last_row + 1) : problem.keys;
  }

  // Turns one tile's scores for the keys [first, first + keys) into unnormalised probabilities.
  void probabilities(Acc* scores, int64_t row, int64_t count, int64_t first, int64_t keys,
                     const Gathered<Acc>& gathered, Acc* factors) const {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = row + i, seen = visible_keys(problem.causal, first_row + at, first, keys);
      Acc* line = scores + i * stride;
      add_mask(line, head.mask, first_row + at, first, seen);
      factors[i] = take_exponentials(line, seen, gathered.maxima.get()[at], gathered.sums.get()[at]);
      std::fill(line + seen, line + keys, Acc(0));
    }
  }

  void finish(const Gathered<Acc>& gathered) const {
    for (int64_t i = 0; i < rows; ++i) {
      const Acc sum = gathered.sums.get()[i];
      const Acc factor = sum == 0 ? Acc(0) : 1 / sum;
      const Acc* from = gathered.values.get() + i * gathered.stride;
      T* to = head.out + (first_row + i) * head.out_stride;
      for (int64_t e = 0; e < problem.head_size; ++e) {
        to[e] = static_cast<T>(from[e] * factor);
      }
      head.logsumexp[(first_row + i) * head.logsumexp_stride] =
          sum == 0 ? Acc(0) : gathered.maxima.get()[i] + std::log(sum);
    }
  }

  // Values are read in place if rows are whole vectors and not so far apart that they share cache sets.
  bool reads_values() const {
    constexpr int64_t far = 256;
    return std::is_same_v<T, Acc> && problem.head_size % lanes<Acc> == 0 && head.value.row_stride <= far;
  }

  Right<Acc> values_of(int64_t first, int64_t count, const Buffer<Acc>& packed) const {
    if constexpr (std::is_same_v<T, Acc>) {
      if (reads_values()) return {head.value.at(first, 0), count, head.value.row_stride};
    }
    pack_columns(head.value.from_row(first).transposed(), problem.head_size, count, packed.get());
    return {packed.get(), count};
  }

  void run() const {
    const int64_t padded = round_up(rows, tile_rows), size = problem.head_size;
    const Gathered<Acc> gathered(padded, size);
    const Buffer<Acc> queries(padded * size), scores(tile_rows * stride), keys(block_keys * size);
    const Buffer<Acc> packed_values(reads_values() ? 0 : block_keys * gathered.stride);
    pack_tiles(head.query.from_row(first_row), rows, size, static_cast<Acc>(problem.scale), queries.get());
    std::fill_n(scores.get(), tile_rows * stride, Acc(0));
    const int64_t end = keys_seen(first_row + rows - 1);
    for (int64_t first = 0; first < end; first += block_keys) {
      const int64_t count = std::min(block_keys, end - first);
      pack_columns(head.key.from_row(first), count, size, keys.get());
      const Right<Acc> values = values_of(first, count, packed_values);
      for (int64_t i = 0; i < rows; i += tile_rows) {
        const int64_t height = std::min<int64_t>(tile_rows, rows - i);
        const int64_t seen = std::min(count, keys_seen(first_row + i + height - 1) - first);
        if (seen <= 0) continue;
        Acc factors[tile_rows] = {};
        const int64_t columns = std::min(count, round_up(seen, panel_width<Acc>));
        multiply<1, tile_rows>(height, columns, size, queries.get() + i * size, Right<Acc>{keys.get(), size},
                               scores.get(), stride, static_cast<const Acc*>(nullptr));
        probabilities(scores.get(), i, height, first, seen, gathered, factors);
        multiply<stride, 1>(height, size, seen, scores.get(), values,
                            gathered.values.get() + i * gathered.stride, gathered.stride,
                            static_cast<const Acc*>(factors));
      }
    }
    finish(gathered);
  }

  // line = factor * line + the values of these keys, weighted by their probabilities.
  void add_values(Acc* line, Acc factor, const Acc* weights, int64_t first, int64_t count) const
    requires std::is_same_v<T, Acc>
  {
    constexpr int width = lanes<Acc>, vectors = 4;
    const Acc* values = head.value.at(first, 0);
    const int64_t size = problem.head_size, step = head.value.row_stride;
    int64_t e = 0;
    for (; e + vectors * width <= size; e += vectors * width) {
      Vec<Acc> sum[vectors];
      for (int j = 0; j < vectors; ++j) sum[j] = factor * load(line + e + j * width);
      const Acc* v = values + e;
      for (int64_t key = 0; key < count; ++key, v += step) {
#pragma GCC unroll 4
        for (int j = 0; j < vectors; ++j) sum[j] += weights[key] * load(v + j * width);
      }
      for (int j = 0; j < vectors; ++j) store<Acc>(line + e + j * width, sum[j]);
    }
    for (; e < size; ++e) {
      Acc sum = factor * line[e];
      for (int64_t key = 0; key < count; ++key) sum += weights[key] * values[key * step + e];
      line[e] = sum;
    }
  }

  // Scores of one row, four keys at a time.
  void score_keys(const Acc* query, int64_t first, int64_t count, Acc* scores) const
    requires std::is_same_v<T, Acc>
  {
    constexpr int width = lanes<Acc>, at_once = 4;
    const int64_t size = problem.head_size, step = head.key.row_stride;
    const Acc scale = static_cast<Acc>(problem.scale);
    int64_t key = 0;
    for (; key + at_once <= count; key += at_once) {
      const Acc* k = head.key.at(first + key, 0);
      Vec<Acc> sum[at_once] = {};
      int64_t e = 0;
      for (; e + width <= size; e += width) {
        const Vec<Acc> q = load(query + e);
#pragma GCC unroll 4
        for (int j = 0; j < at_once; ++j) sum[j] += q * load(k + j * step + e);
      }
#pragma GCC unroll 4
      for (int j = 0; j < at_once; ++j) {
        Acc total = sum_lanes<Acc>(sum[j]);
        for (int64_t rest = e; rest < size; ++rest) total += query[rest] * k[j * step + rest];
        scores[key + j] = total * scale;
      }
    }
    for (; key < count; ++key) scores[key] = dot_row<Acc>(query, head.key.at(first + key, 0), size) * scale;
  }

  // For so few rows that packing would not pay: keys and values are read in place.
  void run_thin() const
    requires std::is_same_v<T, ufunc::opmath<T>>
  {
    const int64_t size = problem.head_size, end = keys_seen(first_row + rows - 1);
    const Gathered<Acc> gathered(rows, size);
    Acc scores[4 * stride], factors[4];
    for (int64_t first = 0; first < end; first += block_keys) {
      const int64_t count = std::min(block_keys, end - first);
      for (int64_t i = 0; i < rows; ++i) {
        score_keys(head.query.at(first_row + i, 0), first, count, scores + i * stride);
      }
      probabilities(scores, 0, rows, first, count, gathered, factors);
      for (int64_t i = 0; i < rows; ++i) {
        add_values(gathered.values.get() + i * gathered.stride, factors[i], scores + i * stride, first,
                   count);
      }
    }
    finish(gathered);
  }
};

template <class T>
void attend(const AttentionProblem& problem) {
  const int64_t heads = problem.batch * problem.heads, queries = problem.queries;
  const int64_t threads = at::get_num_threads();
  const int64_t wanted =
      std::max(divide_up(queries, group_rows), std::min(divide_up(threads, heads), queries));
  const int64_t rows = std::min(queries, round_up(divide_up(queries, wanted), tile_rows));
  const int64_t groups = divide_up(queries, rows);
  const int64_t work = std::max<int64_t>(1, rows * problem.keys * problem.head_size);
  at::parallel_for(0, heads * groups, gemm_detail::parallel_work / work, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t index = task / groups, first = task % groups * rows;
      const Forward<T> forward{problem, head_at<T>(problem, index / problem.heads, index % problem.heads),
                               first, std::min(rows, queries - first)};
      if constexpr (std::is_same_v<T, ufunc::opmath<T>>) {
        if (forward.rows <= 4) {
          forward.run_thin();
          continue;
        }
      }
      forward.run();
    }
  });
}

void attend_any(const AttentionProblem& problem) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, problem.dtype, "attention",
                                  [&] { attend<scalar_t>(problem); });
}

}  // namespace
}  // namespace attention_detail
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(attention_kernel, &attention_detail::attend_any)

}  // namespace at::native
