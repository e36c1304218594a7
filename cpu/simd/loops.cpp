// Elementwise iterations: chooses how each is run by a loop over contiguous operands.
#include <ATen/Parallel.h>
#include <ATen/native/cpu/loop_items.h>
#include <ATen/native/cpu/loop_rows.h>
#include <ATen/native/cpu/loop_tiles.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using namespace loop_rows;

void run_2d(const Loop& loop, char* const* base, const int64_t* strides, const int64_t* outer, int64_t size0,
            int64_t size1) {
  const int64_t tile_rows = rows_per_tile(loop, strides, outer);
  if (tile_rows != 0 && size0 >= 16 && size1 >= 4) {
    run_tiles(loop, base, strides, outer, size0, size1, tile_rows);
    return;
  }
  if (rows_are_short(loop, strides, outer, size0, size1)) {
    run_short_rows(loop, base, strides, outer, size0, size1);
    return;
  }
  if (size0 >= 16 || size1 <= 2 * size0) {
    run_rows(loop, base, strides, outer, size0, size1);
    return;
  }
  // Many short rows: loop along the columns, in stretches that stay in cache.
  constexpr int64_t stretch = 1024;
  for (int64_t first = 0; first < size1; first += stretch) {
    char* data[loops::max_operands];
    for (int k = 0; k < loop.num_operands; k++) {
      data[k] = base[k] + first * outer[k];
    }
    run_rows(loop, data, outer, strides, std::min(stretch, size1 - first), size0);
  }
}

// Operands of one row of a loop: those of the tensors, which are filled in later, and the scalars.
struct Row {
  explicit Row(const Loop& loop) : num_tensors(loop.num_operands - loop.num_scalars) {
    for (int k = num_tensors; k < loop.num_operands; k++) {
      data[k] = static_cast<char*>(const_cast<void*>(loop.scalars[k - num_tensors]));
      strides[k] = outer[k] = 0;
    }
  }
  int num_tensors;
  char* data[loops::max_operands];
  int64_t strides[loops::max_operands];
  int64_t outer[loops::max_operands];
};

// A small iteration on TensorIterator's fast path.
void run_fast_path(const TensorIteratorBase::FastPath& plan, const Loop& loop) {
  Row row(loop);
  for (int k = 0; k < row.num_tensors; k++) {
    row.data[k] = plan.data(k);
    row.strides[k] = loop.operands[k].stored_size;
  }
  if (plan.last_is_scalar) {
    row.strides[row.num_tensors - 1] = 0;
  }
  run_row(loop, row.data, row.strides, plan.numel);
}

// A small one-dimensional iteration, without for_each().
void run_1d(const TensorIteratorBase& iter, const Loop& loop, int64_t n) {
  Row row(loop);
  for (int k = 0; k < row.num_tensors; k++) {
    row.data[k] = static_cast<char*>(iter.data_ptr(k));
    row.strides[k] = n == 1 ? loop.operands[k].stored_size : iter.strides(k)[0];
  }
  run_row(loop, row.data, row.strides, n);
}

void run_any(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size) {
  iter.for_each(
      [&loop](char** data, const int64_t* strides, int64_t size0, int64_t size1) {
        Row row(loop);
        std::copy_n(data, row.num_tensors, row.data);
        std::copy_n(strides, row.num_tensors, row.strides);
        std::copy_n(strides + row.num_tensors, row.num_tensors, row.outer);
        run_2d(loop, row.data, row.strides, row.outer, size0, size1);
      },
      grain_size);
}

void run_items(const loops::Items& all, const Loop& loop, int64_t grain_size) {
  const auto piece = [&](int64_t begin, int64_t end) {
    auto item = std::upper_bound(all.items.begin(), all.items.end(), begin,
                                 [](int64_t at, const auto& next) { return at < next.first; }) -
                1;
    for (; begin < end; ++item) {
      const int64_t first = begin - item->first, count = std::min(end - begin, item->numel - first);
      if (count == 0) continue;
      char* data[loops::max_operands];
      for (int k = 0; k < loop.num_operands; k++) {
        data[k] = item->data[k] + first * all.strides[k];
      }
      run_row(loop, data, all.strides, count);
      begin += count;
    }
  };
  if (all.in_order) {
    piece(0, all.numel);
  } else {
    at::parallel_for(0, all.numel, grain_size, piece);
  }
}

void run_loop(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size) {
  if (C10_UNLIKELY(loops::items != nullptr) && loops::items->bind(iter, loop, grain_size)) {
    run_items(*loops::items, loop, grain_size);
    iter.cast_outputs();
    return;
  }
  const int64_t n = iter.numel();
  if (iter.is_fast_path() && n < grain_size) {
    if (n > 0) {
      run_fast_path(iter.fast_path(), loop);
    }
    return;
  }
  if (iter.is_trivial_1d() && n < grain_size) {
    if (n > 0) {
      run_1d(iter, loop, n);
    }
  } else {
    run_any(iter, loop, grain_size);
  }
  iter.cast_outputs();
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(run_loop_stub, &run_loop)

}  // namespace at::native
