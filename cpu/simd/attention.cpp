// Attention without its matrix: for a few rows of queries the scores of one block of keys are in the cache at
// a time; their maximum and sum so far rescale what the rows have gathered of the values.
#include <ATen/native/cpu/attention_tiles.h>
#include <ATen/native/cpu/gemm_thin.h>

#include <ATen/Dispatch.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace attention_detail {
namespace {

// Rows of queries that share what is packed of the keys and values.
constexpr int64_t group_rows = 72 * tile_rows;

// What the rows of a group have gathered so far.
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

// Scores to exp(score - maximum); returns what everything gathered before must be multiplied by.
template <class Acc>
Acc take_exponentials(Acc* scores, int64_t count, Acc& maximum, Acc& sum) {
  const Acc highest = std::max(maximum, row_max(scores, count));
  const Acc shift = highest == -static_cast<Acc>(__builtin_inf()) ? Acc(0) : highest;
  for (int64_t j = 0; j < count; ++j) {
    scores[j] = ufunc::exp<Acc>(scores[j] - shift);
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

  // One tile's scores of the keys [first, first + keys) become probabilities up to a factor of the row.
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

  void run() const {
    const int64_t padded = round_up(rows, tile_rows), size = problem.head_size;
    const Gathered<Acc> gathered(padded, size);
    const Buffer<Acc> queries(padded * size), scores(tile_rows * stride);
    const Buffer<Acc> keys(block_keys * size), values(block_keys * gathered.stride);
    pack_tiles(head.query.from_row(first_row), rows, size, static_cast<Acc>(problem.scale), queries.get());
    std::fill_n(scores.get(), tile_rows * stride, Acc(0));
    const int64_t end = keys_seen(first_row + rows - 1);
    for (int64_t first = 0; first < end; first += block_keys) {
      const int64_t count = std::min(block_keys, end - first);
      pack_columns(head.key.from_row(first), count, size, keys.get());
      pack_columns(head.value.from_row(first).transposed(), size, count, values.get());
      for (int64_t i = 0; i < rows; i += tile_rows) {
        const int64_t height = std::min<int64_t>(tile_rows, rows - i);
        const int64_t seen = std::min(count, keys_seen(first_row + i + height - 1) - first);
        if (seen <= 0) continue;
        Acc factors[tile_rows] = {};
        const int64_t columns = std::min(count, round_up(seen, panel_width<Acc>));
        multiply<1, tile_rows>(height, columns, size, queries.get() + i * size, keys.get(), scores.get(),
                               stride, static_cast<const Acc*>(nullptr));
        probabilities(scores.get(), i, height, first, seen, gathered, factors);
        multiply_values(height, seen, count, scores.get(), values.get(),
                        gathered.values.get() + i * gathered.stride, gathered.stride, factors);
      }
    }
    finish(gathered);
  }

  // Panels of values are `packed` rows deep, of which the first `seen` count.
  void multiply_values(int64_t height, int64_t seen, int64_t packed, const Acc* scores, const Acc* values,
                       Acc* gathered, int64_t gathered_stride, const Acc* factors) const {
    for (int64_t j = 0; j < problem.head_size; j += panel_width<Acc>) {
      multiply<stride, 1>(height, std::min(panel_width<Acc>, problem.head_size - j), seen, scores,
                          values + j * packed, gathered + j, gathered_stride, factors);
    }
  }

  // So few rows that packing would cost more than it saves: keys and values are read where they lie.
  void run_thin() const {
    const int64_t size = problem.head_size, end = keys_seen(first_row + rows - 1);
    const Gathered<Acc> gathered(rows, size);
    Acc scores[4 * stride], factors[4];
    for (int64_t first = 0; first < end; first += block_keys) {
      const int64_t count = std::min(block_keys, end - first);
      const gemm_detail::Output<Acc, Acc> to_scores{scores, stride, 1, static_cast<Acc>(problem.scale),
                                                    Acc(0)};
      gemm_detail::product(rows, count, size, head.query.from_row(first_row),
                           head.key.from_row(first).transposed(), to_scores);
      probabilities(scores, 0, rows, first, count, gathered, factors);
      for (int64_t i = 0; i < rows; ++i) {
        Acc* line = gathered.values.get() + i * gathered.stride;
        for (int64_t e = 0; e < size; ++e) line[e] *= factors[i];
      }
      const gemm_detail::Output<Acc, Acc> to_values{gathered.values.get(), gathered.stride, 1, Acc(1),
                                                    Acc(1)};
      gemm_detail::product(rows, size, count, Matrix<Acc>{scores, stride, 1}, head.value.from_row(first),
                           to_values);
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
