// Matrix products: blocks sized for the caches, with operands packed or read in place.
#pragma once

#include <ATen/native/cpu/matmul/gemm_kernel.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace gemm_detail {

// A block of the right operand: its depth, and its size, which fits the second-level cache.
template <class Acc>
inline constexpr int64_t block_k = 2048 / sizeof(Acc);
inline constexpr int64_t block_bytes = 1 << 20;

// Rows as tiles of nearly equal heights.
struct RowTiles {
  int64_t tiles, height, higher;  // the first `higher` ones have one row more
  RowTiles(int64_t rows, int64_t most) : tiles(divide_up(rows, most)), height(rows / tiles) {
    higher = rows - height * tiles;
  }
  int64_t first(int64_t tile) const { return tile * height + std::min(tile, higher); }
};

// The left operand of one block, tile by tile: in place, or packed when it is needed.
template <class T, class Acc>
struct LeftBlock {
  Matrix<T> a;
  int64_t k;
  bool packs;

  // Rows at multiples of a page evict each other from the first-level cache.
  static bool rows_collide(const Matrix<T>& a) {
    const int64_t stride = a.row_stride * int64_t(sizeof(T)), apart = stride & 4095;
    return stride >= 2048 && (apart < 256 || apart > 4096 - 256);
  }
  // Whether to read them in place nevertheless: packing does not pay for few panels.
  static bool lies_well(const Matrix<T>& a, int64_t panels) {
    if (!std::is_same_v<T, Acc> || !std::is_floating_point_v<Acc>) {
      return false;
    }
    return panels <= (a.column_stride != 1 ? 8 : rows_collide(a) ? 4 : 64);
  }
  TileRows<Acc> tile(int64_t first, int64_t rows) const {
    if constexpr (std::is_same_v<T, Acc>) {
      if (!packs) {
        return {a.at(first, 0), a.row_stride, a.column_stride};
      }
    }
    Acc* packed = static_cast<Acc*>(gemm_scratch(GemmScratch::PackedA, tile_rows * k * sizeof(Acc)));
    pack_panel(a.from_row(first), rows, k, tile_height<Acc>(rows), packed);
    return {packed, 1, tile_height<Acc>(rows)};
  }
};

// The right operand of one block: panels of one tile's width, the first ones in place, the others packed.
template <class T, class Acc>
struct RightBlock {
  static constexpr int64_t width = tile_columns<Acc>;
  Matrix<T> b;
  int64_t n, k, in_place;
  Acc* packed = nullptr;

  RightBlock(const Matrix<T>& b, int64_t n, int64_t k, int64_t row_tiles) : b(b), n(n), k(k) {
    const int64_t apart = b.row_stride * int64_t(sizeof(T));
    const bool lies_well =
        std::is_same_v<T, Acc> && b.column_stride == 1 && row_tiles <= (apart < 4096 ? 40 : 6);
    const int64_t last = columns(panels() - 1);  // its tile may read more columns than there are
    const bool whole = padded(last) == last || (has_masks && std::is_floating_point_v<Acc>);
    in_place = !lies_well ? 0 : whole ? panels() : n / width;
  }
  int64_t panels() const { return divide_up(n, width); }
  int64_t columns(int64_t panel) const { return std::min(width, n - panel * width); }
  static int64_t padded(int64_t columns) { return tile_vectors<Acc>(columns) * lanes<Acc>; }

  void pack(int64_t work) {
    const int64_t count = panels() - in_place;
    if (count == 0) {
      return;
    }
    packed = static_cast<Acc*>(gemm_scratch(GemmScratch::PackedB, count * width * k * sizeof(Acc)));
    maybe_parallel(count, work, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t columns = this->columns(in_place + i);
        pack_panel(b.transposed().from_row((in_place + i) * width), columns, k, padded(columns),
                   packed + i * width * k);
      }
    });
  }
  TileColumns<Acc> panel(int64_t index) const {
    if constexpr (std::is_same_v<T, Acc>) {
      if (index < in_place) {
        return {b.at(0, index * width), b.row_stride};
      }
    }
    return {packed + (index - in_place) * width * k, padded(columns(index))};
  }
  // The number of panels in the tile that begins here.
  int64_t step(int64_t panel, int64_t last, int64_t rows) const {
    const bool wide = std::is_floating_point_v<Acc> && rows <= wide_rows;
    return wide && panel + 2 <= std::min(last, in_place) && columns(panel + 1) == width ? 2 : 1;
  }
};

// Rows [begin, end) of tiles with panels [first, last).
template <class T, class TOut, class Acc>
void multiply_rows(const LeftBlock<T, Acc>& left, const RightBlock<T, Acc>& right, const RowTiles& rows,
                   int64_t begin, int64_t end, int64_t first, int64_t last, const Output<TOut, Acc>& out) {
  for (int64_t t = begin; t < end; ++t) {
    const int64_t i = rows.first(t), height = rows.first(t + 1) - i;
    const TileRows<Acc> tile = left.tile(i, height);
    for (int64_t panel = first; panel < last;) {
      const int64_t step = right.step(panel, last, height);
      run_tile(left.k, tile, right.panel(panel), out.block(i, panel * right.width), height,
               step == 2 ? 2 * right.width : right.columns(panel));
      panel += step;
    }
  }
}

// One block of the right operand, which all threads share, times the whole left one.
template <class T, class TOut, class Acc>
void multiply_block(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
                    const Output<TOut, Acc>& out) {
  const int64_t work = m * n * k, threads = work < parallel_work ? 1 : at::get_num_threads();
  RightBlock<T, Acc> right(b, n, k, divide_up(m, tile_rows));
  right.pack(work);
  const int64_t panels = right.panels();
  const bool left_lies_well = LeftBlock<T, Acc>::lies_well(a, panels);
  const RowTiles rows(m, left_lies_well && a.column_stride == 1 && LeftBlock<T, Acc>::rows_collide(a)
                             ? std::min(8, tile_rows)
                             : tile_rows);
  const LeftBlock<T, Acc> left{a, k, !left_lies_well};
  if (threads == 1) {
    return multiply_rows(left, right, rows, 0, rows.tiles, 0, panels, out);
  }
  const int64_t row_parts = std::min(rows.tiles, threads);
  const int64_t column_parts = std::min(panels, divide_up(threads, row_parts));
  maybe_parallel(row_parts * column_parts, work, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t row = task / column_parts, column = task % column_parts;
      multiply_rows(left, right, rows, rows.tiles * row / row_parts, rows.tiles * (row + 1) / row_parts,
                    panels * column / column_parts, panels * (column + 1) / column_parts, out);
    }
  });
}

template <class T, class TOut, class Acc>
void blocked_product(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b,
                     Output<TOut, Acc> out) {
  if constexpr (!std::is_same_v<TOut, Acc> && ufunc::is_half<TOut>) {
    if (k > block_k<Acc>) {  // partial sums must not be rounded to 16 bits
      Acc* sums = static_cast<Acc*>(gemm_scratch(GemmScratch::Accumulator, m * n * sizeof(Acc)));
      blocked_product(m, n, k, a, b, Output<Acc, Acc>{sums, n, 1, Acc(1), Acc(0)});
      maybe_parallel(m, m * n, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            out.store(i, j, sums[i * n + j]);
          }
        }
      });
      return;
    }
  }
  if (k <= block_k<Acc> && n * k * int64_t(sizeof(Acc)) <= block_bytes) {
    return multiply_block(m, n, k, a, b, out);
  }
  const int64_t depth = round_up(divide_up(k, divide_up(k, block_k<Acc>)), 4);
  const int64_t most = std::max<int64_t>(1, block_bytes / (depth * int64_t(sizeof(Acc)))),
                blocks = divide_up(n, most);
  const int64_t columns = round_up(divide_up(n, blocks), tile_columns<Acc>);
  for (int64_t p = 0; p < k; p += depth) {
    for (int64_t j = 0; j < n; j += columns) {
      multiply_block(m, std::min(columns, n - j), std::min(depth, k - p),
                     Matrix<T>{a.at(0, p), a.row_stride, a.column_stride},
                     Matrix<T>{b.at(p, j), b.row_stride, b.column_stride}, out.block(0, j));
    }
    out.beta = Acc(1);
  }
}

}  // namespace gemm_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
