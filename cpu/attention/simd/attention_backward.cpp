// The gradients of attention: probabilities are recomputed from the scores and their logsumexp, block by
// block, and are never in memory as a whole.
#include <ATen/native/cpu/attention/tiles.h>

#include <ATen/Dispatch.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace attention_detail {
namespace {

constexpr int64_t block_rows = 8 * tile_rows;

// The rows of one query head (queries or their gradients), packed as either operand of products.
template <class Acc>
struct PackedRows {
  Buffer<Acc> tiles, panels;
  int64_t width;

  template <class T>
  PackedRows(const Matrix<T>& rows, int64_t count, int64_t size, Acc factor)
      : tiles(round_up(count, tile_rows) * size),
        panels(count * round_up(size, lanes<Acc>)),
        width(round_up(size, lanes<Acc>)) {
    pack_tiles(rows, count, size, factor, tiles.get());
    for (int64_t first = 0; first < count; first += block_rows) {
      const int64_t depth = std::min(block_rows, count - first);
      pack_columns(rows.from_row(first).transposed(), size, depth, panels_from(first));
    }
    for (int64_t i = 0; i < count * width; ++i) panels.get()[i] *= factor;
  }
  Acc* panels_from(int64_t row) const { return panels.get() + row * width; }
};

// One block of keys and values, packed.
template <class Acc>
struct PackedKeys {
  Buffer<Acc> key_columns, value_columns, key_rows;
  PackedKeys(int64_t size)
      : key_columns(block_keys * size),
        value_columns(block_keys * size),
        key_rows(block_keys * round_up(size, lanes<Acc>)) {}
  template <class T>
  void pack(const Head<T>& head, int64_t first, int64_t count, int64_t size) const {
    pack_columns(head.key.from_row(first), count, size, key_columns.get());
    pack_columns(head.value.from_row(first), count, size, value_columns.get());
    pack_columns(head.key.from_row(first).transposed(), size, count, key_rows.get());
  }
};

// to (keys x size) += scores^T rows, for `depth` rows in panels.
template <class Acc>
void accumulate_transposed(int64_t keys, int64_t size, int64_t depth, const Acc* scores, const Acc* panels,
                           Acc* to, int64_t to_stride) {
  for (int64_t key = 0; key < keys; key += tile_rows) {
    multiply<1, score_stride<Acc>>(std::min<int64_t>(tile_rows, keys - key), size, depth, scores + key,
                                   Right<Acc>{panels, depth}, to + key * to_stride, to_stride, ones<Acc>);
  }
}

// The gradients of one key head, and of the query heads that share it.
template <class T>
struct Backward {
  using Acc = ufunc::opmath<T>;
  static constexpr int64_t stride = score_stride<Acc>;

  const AttentionProblem& problem;
  const AttentionGradients& gradients;
  const int64_t size = problem.head_size, width = round_up(size, lanes<Acc>);
  // The last tile of keys may extend beyond them.
  const Buffer<Acc> grad_key{(problem.keys + tile_rows) * width},
      grad_value{(problem.keys + tile_rows) * width};
  const Buffer<Acc> grad_query{round_up(problem.queries, tile_rows) * width};
  const Buffer<Acc> delta{problem.queries};  // of out and its gradient, summed over the head
  const Buffer<Acc> probabilities{block_rows * stride}, score_grads{block_rows * stride};
  const PackedKeys<Acc> keys{size};

  // Scores to probabilities, and gradients of probabilities to those of scores.
  void softmax_rows(const Head<T>& head, int64_t row, int64_t height, int64_t first, int64_t count, Acc* p,
                    Acc* grad) const {
    for (int64_t i = 0; i < height; ++i, p += stride, grad += stride) {
      const int64_t seen = visible_keys(problem.causal, row + i, first, count);
      add_mask(p, head.mask, row + i, first, seen);
      const Acc shift = head.logsumexp[(row + i) * head.logsumexp_stride], row_delta = delta.get()[row + i];
      for (int64_t j = 0; j < seen; ++j) {
        p[j] = exp_of_difference(p[j] - shift);
        grad[j] = p[j] * (grad[j] - row_delta);
      }
      std::fill(p + seen, p + count, Acc(0));
      std::fill(grad + seen, grad + count, Acc(0));
    }
  }

  // The contributions of the queries [row, row + rows) and the packed keys [first, first + count) to each
  // other's gradients.
  void block(const Head<T>& head, const PackedRows<Acc>& queries, const PackedRows<Acc>& grads, int64_t row,
             int64_t rows, int64_t first, int64_t count) const {
    const Acc* none = nullptr;
    for (int64_t i = 0; i < rows; i += tile_rows) {
      const int64_t height = std::min<int64_t>(tile_rows, rows - i);
      Acc *p = probabilities.get() + i * stride, *grad = score_grads.get() + i * stride;
      multiply<1, tile_rows>(height, count, size, queries.tiles.get() + (row + i) * size,
                             Right<Acc>{keys.key_columns.get(), size}, p, stride, none);
      multiply<1, tile_rows>(height, count, size, grads.tiles.get() + (row + i) * size,
                             Right<Acc>{keys.value_columns.get(), size}, grad, stride, none);
      softmax_rows(head, row + i, height, first, count, p, grad);
      multiply<stride, 1>(height, size, count, grad, Right<Acc>{keys.key_rows.get(), count},
                          grad_query.get() + (row + i) * width, width, ones<Acc>);
    }
    accumulate_transposed(count, size, rows, probabilities.get(), grads.panels_from(row),
                          grad_value.get() + first * width, width);
    accumulate_transposed(count, size, rows, score_grads.get(), queries.panels_from(row),
                          grad_key.get() + first * width, width);
  }

  void query_head(int64_t batch, int64_t index) const {
    const Head<T> head = head_at<T>(problem, batch, index);
    const Matrix<T> grad = head_of<T>(gradients.out, batch, index);
    const PackedRows<Acc> queries(head.query, problem.queries, size, static_cast<Acc>(problem.scale));
    const PackedRows<Acc> grads(grad, problem.queries, size, Acc(1));
    for (int64_t i = 0; i < problem.queries; ++i) {
      delta.get()[i] = dot_row<Acc>(grad.at(i, 0), head.out + i * head.out_stride, size);
    }
    std::fill_n(grad_query.get(), round_up(problem.queries, tile_rows) * width, Acc(0));
    for (int64_t first = 0; first < problem.keys; first += block_keys) {
      const int64_t count = std::min(block_keys, problem.keys - first);
      keys.pack(head, first, count, size);
      for (int64_t row = 0; row < problem.queries; row += block_rows) {
        const int64_t rows = std::min(block_rows, problem.queries - row);
        if (problem.causal && first > row + rows - 1) continue;
        block(head, queries, grads, row, rows, first, count);
      }
    }
    write(gradients.query, batch, index, problem.queries, grad_query.get(), static_cast<Acc>(problem.scale));
  }

  void write(const AttentionTensor& to, int64_t batch, int64_t head, int64_t rows, const Acc* from,
             Acc factor) const {
    T* start = static_cast<T*>(to.data) + batch * to.batch_stride + head * to.head_stride;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t e = 0; e < size; ++e) {
        start[i * to.row_stride + e] = static_cast<T>(from[i * width + e] * factor);
      }
    }
  }

  void key_head(int64_t batch, int64_t index) const {
    for (const auto& sums : {&grad_key, &grad_value}) {
      std::fill_n(sums->get(), (problem.keys + tile_rows) * width, Acc(0));
    }
    // Padding is read as other rows but written by no product: it must be initialised.
    std::fill_n(probabilities.get(), block_rows * stride, Acc(0));
    std::fill_n(score_grads.get(), block_rows * stride, Acc(0));
    const int64_t served = problem.heads / problem.key_heads;
    for (int64_t head = index * served; head < (index + 1) * served; ++head) query_head(batch, head);
    write(gradients.key, batch, index, problem.keys, grad_key.get(), Acc(1));
    write(gradients.value, batch, index, problem.keys, grad_value.get(), Acc(1));
  }
};

template <class T>
void differentiate(const AttentionProblem& problem, const AttentionGradients& gradients) {
  const int64_t work = std::max<int64_t>(
      1, problem.queries * problem.keys * problem.head_size * (problem.heads / problem.key_heads));
  at::parallel_for(0, problem.batch * problem.key_heads, gemm_detail::parallel_work / work,
                   [&](int64_t begin, int64_t end) {
                     const Backward<T> backward{problem, gradients};
                     for (int64_t task = begin; task < end; ++task) {
                       backward.key_head(task / problem.key_heads, task % problem.key_heads);
                     }
                   });
}

void differentiate_any(const AttentionProblem& problem, const AttentionGradients& gradients) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, problem.dtype, "attention_backward",
                                  [&] { differentiate<scalar_t>(problem, gradients); });
}

}  // namespace
}  // namespace attention_detail
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(attention_backward_kernel, &attention_detail::differentiate_any)

}  // namespace at::native
