// The traversal of reductions (see Reduce.h), and their division among threads.
#include <ATen/native/cpu/Reduce.h>

#include <ATen/Parallel.h>
#include <ATen/native/cpu/loop_items.h>

#include <algorithm>

namespace at::native {

namespace {

using State = Fold::State;

constexpr int64_t row_chunk = 1 << 17;        // elements of one row that a thread reduces at a time
constexpr int64_t column_block_bytes = 8192;  // of states: they stay in the first-level cache
constexpr int64_t min_elements_per_thread = 1 << 16;

struct Dim {
  int64_t size, in_stride, out_stride;  // strides in bytes
};
using Dims = ArrayRef<Dim>;

int64_t numel(Dims dims) {
  int64_t n = 1;
  for (const auto& d : dims) {
    n *= d.size;
  }
  return n;
}

// The dimensions of a reduction, fastest first.
struct Plan {
  SmallVector<Dim, 4> folded, kept;
  const char* in;
  char* out;
  int64_t in_size;  // bytes of one element

  explicit Plan(const TensorIteratorBase& iter)
      : in(static_cast<const char*>(iter.data_ptr(1))),
        out(static_cast<char*>(iter.data_ptr(0))),
        in_size(iter.element_size(1)) {
    for (int dim = 0; dim < iter.ndim(); dim++) {
      const Dim d{iter.shape()[dim], iter.strides(1)[dim], iter.strides(0)[dim]};
      if (d.size != 1) {
        (d.out_stride == 0 ? folded : kept).push_back(d);
      }
    }
    if (folded.empty()) {
      folded.push_back(Dim{1, in_size, 0});
    }
  }

  // Dense rows that are short enough for the Fold to take many at a time.
  bool by_short_rows(const Fold& fold) const {
    return folded.size() == 1 && folded[0].in_stride == in_size && folded[0].size <= fold.longest_short_row &&
           !kept.empty() && kept[0].size >= 4;
  }

  // By columns when memory neighbours belong to different outputs.
  bool by_columns() const {
    return folded[0].size > 1 && folded[0].in_stride != in_size && !kept.empty() &&
           kept[0].in_stride == in_size && kept[0].size >= 4;
  }
};

// Calls visit(in, out) for the elements [begin, end) of `dims`, dimension 0 fastest.
template <class Visit>
void walk(Dims dims, const char* in, char* out, int64_t begin, int64_t end, const Visit& visit) {
  SmallVector<int64_t, 8> index(dims.size(), 0);
  int64_t rest = begin;
  for (size_t d = 0; d < dims.size() && rest != 0; d++) {
    index[d] = rest % dims[d].size;
    rest /= dims[d].size;
    in += index[d] * dims[d].in_stride;
    out += index[d] * dims[d].out_stride;
  }
  for (int64_t i = begin; i < end; i++) {
    visit(in, out);
    for (size_t d = 0; d < dims.size(); d++) {
      in += dims[d].in_stride;
      out += dims[d].out_stride;
      if (++index[d] < dims[d].size) {
        break;
      }
      in -= dims[d].size * dims[d].in_stride;
      out -= dims[d].size * dims[d].out_stride;
      index[d] = 0;
    }
  }
}

// Splits [0, n) among threads when the work is worth it.
template <class F>
void split_work(int64_t n, int64_t elements, const F& f) {
  if (n <= 1 || elements < 2 * min_elements_per_thread || at::in_parallel_region()) {
    f(int64_t(0), n);
  } else {
    at::parallel_for(0, n, std::max<int64_t>(1, n * min_elements_per_thread / elements), f);
  }
}

// States in order, merged like the digits of a binary counter: each takes part in about log2(count) merges,
// which keeps rounding errors of long sums small.
class Cascade {
 public:
  explicit Cascade(const Fold& fold) : fold_(fold) {}

  void push(State state) {
    int level = 0;
    for (uint64_t bits = count_; bits & 1; bits >>= 1, level++) {
      fold_.merge(fold_, &levels_[level], &state);
      state = levels_[level];
    }
    levels_[level] = state;
    count_++;
  }

  State result() const {
    State total = levels_[__builtin_ctzll(count_)];
    for (int level = __builtin_ctzll(count_) + 1; count_ >> level != 0; level++) {
      if (count_ >> level & 1) {
        State earlier = levels_[level];
        fold_.merge(fold_, &earlier, &total);
        total = earlier;
      }
    }
    return total;
  }

 private:
  const Fold& fold_;
  uint64_t count_ = 0;
  State levels_[48];
};

State fold_chunk(const Fold& fold, const char* in, int64_t n, int64_t stride, int64_t first_index) {
  State state;
  fold.init(fold, &state, 1);
  fold.add_row(fold, &state, in, n, stride, first_index);
  return state;
}

// One output of several rows or chunks.
State fold_pieces(Dims folded, const Fold& fold, const char* in) {
  const Dim& row = folded[0];
  const Dims outer = folded.slice(1);
  Cascade total(fold);
  int64_t first_index = 0;
  walk(outer, in, nullptr, 0, numel(outer), [&](const char* at, char*) {
    for (int64_t begin = 0; begin < row.size; begin += row_chunk) {
      const int64_t n = std::min(row_chunk, row.size - begin);
      total.push(fold_chunk(fold, at + begin * row.in_stride, n, row.in_stride, first_index + begin));
    }
    first_index += row.size;
  });
  return total.result();
}

// One output of one long row, its chunks shared among threads.
State fold_long_row(const Plan& plan, const Fold& fold, const char* in) {
  const Dim& row = plan.folded[0];
  const int64_t chunks = at::divup(row.size, row_chunk);
  SmallVector<State, 16> parts(static_cast<size_t>(chunks));
  at::parallel_for(0, chunks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t chunk = begin; chunk < end; chunk++) {
      const int64_t first = chunk * row_chunk;
      const int64_t n = std::min(row_chunk, row.size - first);
      parts[chunk] = fold_chunk(fold, in + first * row.in_stride, n, row.in_stride, first);
    }
  });
  Cascade total(fold);
  for (const auto& part : parts) {
    total.push(part);
  }
  return total.result();
}

void fold_rows(const Plan& plan, const Fold& fold) {
  const Dim& row = plan.folded[0];
  const int64_t outputs = numel(plan.kept);
  const int64_t length = numel(plan.folded);
  const bool one_row = plan.folded.size() == 1;
  const bool share_rows =
      one_row && outputs < at::get_num_threads() && length >= 2 * row_chunk && !at::in_parallel_region();
  const auto fold_outputs = [&](int64_t begin, int64_t end) {
    walk(plan.kept, plan.in, plan.out, begin, end, [&](const char* in, char* out) {
      State state = share_rows                       ? fold_long_row(plan, fold, in)
                    : one_row && length <= row_chunk ? fold_chunk(fold, in, length, row.in_stride, 0)
                                                     : fold_pieces(plan.folded, fold, in);
      fold.finish(fold, out, 0, &state, 1);
    });
  };
  if (share_rows) {
    fold_outputs(0, outputs);
  } else {
    split_work(outputs, outputs * length, fold_outputs);
  }
}

void fold_short_rows(const Plan& plan, const Fold& fold) {
  constexpr int64_t block = 128;
  const Dim& rows = plan.kept[0];
  const Dims outer = Dims(plan.kept).slice(1);
  const int64_t length = plan.folded[0].size, blocks = at::divup(rows.size, block);
  split_work(numel(outer) * blocks, numel(plan.kept) * length, [&](int64_t begin, int64_t end) {
    State states[block];
    for (int64_t tile = begin; tile < end; tile++) {
      const int64_t first = tile % blocks * block, count = std::min(block, rows.size - first);
      walk(outer, plan.in, plan.out, tile / blocks, tile / blocks + 1, [&](const char* in, char* out) {
        fold.init(fold, states, count);
        fold.add_short_rows(fold, states, in + first * rows.in_stride, count, rows.in_stride, length);
        fold.finish(fold, out + first * rows.out_stride, rows.out_stride, states, count);
      });
    }
  });
}

// The columns that a thread takes at a time: as many as fit the cache, fewer where other threads would be
// idle.
int64_t columns_per_block(const Fold& fold, int64_t columns, int64_t outer, int64_t elements) {
  const int64_t most = std::max<int64_t>(column_block_bytes / fold.state_size, 16);
  const int64_t threads = at::get_num_threads();
  if (elements < 2 * min_elements_per_thread || outer >= threads) {
    return most;
  }
  return std::clamp<int64_t>(at::divup(at::divup(columns, threads), 64) * 64, 64,
                             std::max<int64_t>(most, 64));
}

void fold_columns(const Plan& plan, const Fold& fold) {
  const Dim& columns = plan.kept[0];
  const Dim& rows = plan.folded[0];
  const Dims outer_kept = Dims(plan.kept).slice(1);
  const Dims outer_folded = Dims(plan.folded).slice(1);
  const int64_t outer = numel(outer_kept);
  const int64_t elements = numel(plan.kept) * numel(plan.folded);
  const int64_t block = columns_per_block(fold, columns.size, outer, elements);
  const int64_t blocks = at::divup(columns.size, block);
  split_work(outer * blocks, elements, [&](int64_t begin, int64_t end) {
    SmallVector<State, column_block_bytes / sizeof(State)> states(
        static_cast<size_t>(at::divup(block * fold.state_size, static_cast<int64_t>(sizeof(State)))) + 1);
    for (int64_t tile = begin; tile < end; tile++) {
      const int64_t first = tile % blocks * block;
      const int64_t width = std::min(block, columns.size - first);
      walk(outer_kept, plan.in, plan.out, tile / blocks, tile / blocks + 1, [&](const char* in, char* out) {
        fold.init(fold, states.data(), width);
        int64_t first_index = 0;
        walk(outer_folded, in, nullptr, 0, numel(outer_folded), [&](const char* at, char*) {
          const char* corner = at + first * columns.in_stride;
          fold.add_columns(fold, states.data(), corner, width, rows.size, rows.in_stride, first_index);
          first_index += rows.size;
        });
        fold.finish(fold, out + first * columns.out_stride, columns.out_stride, states.data(), width);
      });
    }
  });
}

// Each item to one output.
void fold_items(const loops::Items& all, const Fold& fold) {
  const auto count = static_cast<int64_t>(all.items.size());
  split_work(count, all.numel, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const auto& item = all.items[i];
      const Dim row{item.numel, all.strides[1], 0};
      State state = row.size <= row_chunk ? fold_chunk(fold, item.data[1], row.size, row.in_stride, 0)
                                          : fold_pieces(row, fold, item.data[1]);
      fold.finish(fold, item.data[0], 0, &state, 1);
    }
  });
}

}  // namespace

double elements_per_output(const TensorIteratorBase& iter) {
  const int64_t outputs = std::max<int64_t>(iter.num_output_elements(), 1);
  return static_cast<double>(iter.numel()) / static_cast<double>(outputs);
}

void run_fold(const TensorIteratorBase& iter, const Fold& fold) {
  if (iter.numel() == 0) {
    return;
  }
  if (C10_UNLIKELY(loops::items != nullptr) && loops::items->bind_reduction(iter)) {
    fold_items(*loops::items, fold);
    return;
  }
  const Plan plan(iter);
  if (plan.by_columns()) {
    fold_columns(plan, fold);
  } else if (plan.by_short_rows(fold)) {
    fold_short_rows(plan, fold);
  } else {
    fold_rows(plan, fold);
  }
}

}  // namespace at::native
