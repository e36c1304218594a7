// Convolutions of bfloat16 as products by pairs, for the AVX-512 copy of the files of cpu/*/simd: with AMX
// (matmul/gemm_amx.h), else with AVX512_BF16 (matmul/gemm_bf16.h).
#pragma once

#include <ATen/native/cpu/convolution/pack.h>
#include <ATen/native/cpu/matmul/gemm.h>
#include <ATen/native/cpu/matmul/gemm_amx.h>
#include <ATen/native/cpu/matmul/gemm_bf16.h>

#ifdef HAS_PAIR_PRODUCTS

#include <ATen/Parallel.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace conv_detail {

using c10::BFloat16;
using PairMatrix = gemm_detail::Matrix<BFloat16>;
using PairResult = gemm_detail::Output<BFloat16, float>;

inline constexpr int64_t pair_panel = gemm_detail::pair_columns;
// Elements of packed columns that stay in a core's second-level cache.
inline constexpr int64_t most_packed = int64_t(1) << 19;

// Columns of the right side of a product, packed in panels of 32. Of each panel the first 16 columns of pair
// q are at q * Product::step, the others `Product::next` further.
struct PackedColumns {
  const uint32_t* data;
  int64_t count, depth;
};

// Where depth comes in blocks: the first one begins the sums, the last one rounds them to the output.
struct Partial {
  float* sums = nullptr;
  bool first = true, last = true;
};
inline int64_t partial_sums(int64_t rows, int64_t columns) {
  return round_up(rows, pair_panel) * round_up(columns, pair_panel);
}

template <class T>
T* pair_scratch(GemmScratch slot, int64_t count) {
  return static_cast<T*>(gemm_scratch(slot, static_cast<size_t>(count) * sizeof(T)));
}

// With vdpbf16ps.
struct PairProduct {
  struct Registers {};
  static constexpr int64_t step = pair_panel;
  static int64_t next(int64_t /*depth*/) { return pair_panel / 2; }
  static int64_t pairs(int64_t depth) { return divup(depth, 2); }

  static void pack(const PairMatrix& lines, int64_t count, int64_t depth, uint32_t* to) {
    gemm_detail::pack_pair_columns(lines, count, depth, to);
  }

  static void multiply(const PairMatrix& left, int64_t rows, const PackedColumns& right,
                       const PairResult& out, const Partial& partial = {}) {
    constexpr int64_t block = gemm_detail::block_row_tiles * gemm_detail::tile_rows;
    const gemm_detail::PairPanels panels{right.data, 0, divup(right.count, pair_panel)};
    const gemm_detail::PairOutput to{out, partial.sums, right.count, partial.first, partial.last};
    for (int64_t i = 0; i < rows; i += block) {
      gemm_detail::multiply_panels(std::min(block, rows - i), right.count, right.depth, left.from_row(i),
                                   panels, to.block(i, 0));
    }
  }
};

#ifdef HAS_TILE_PRODUCTS
// With AMX.
struct TileProduct {
  using Registers = gemm_detail::TileRegisters;
  static constexpr int64_t step = pair_panel / 2;
  static int64_t next(int64_t depth) { return pairs(depth) * step; }
  static int64_t pairs(int64_t depth) { return gemm_detail::panel_pairs(depth); }

  static void pack(const PairMatrix& lines, int64_t count, int64_t depth, uint32_t* to) {
    gemm_detail::pack_right(lines, count, depth, to);
  }

  static void multiply(const PairMatrix& left, int64_t rows, const PackedColumns& right,
                       const PairResult& out, const Partial& partial = {}) {
    const int64_t row_of_tiles = partial_sums(1, right.count);
    const bool whole = partial.first && partial.last;
    float* sums = whole ? pair_scratch<float>(GemmScratch::Accumulator, row_of_tiles) : partial.sums;
    gemm_detail::multiply_rows_of_tiles(
        left, rows,
        gemm_detail::TilePanels<BFloat16>{right.data, right.count, right.depth, out, sums, partial.first,
                                          partial.last},
        /*sums_stride=*/whole ? 0 : row_of_tiles);
  }
};
#endif

// Calls run<Product>() with what the processor has; returns false if it has neither.
template <class F>
bool with_pair_product(const F& run) {
#ifdef HAS_TILE_PRODUCTS
  if (gemm_detail::has_tile_products()) {
    run.template operator()<TileProduct>();
    return true;
  }
#endif
  static const bool has_pairs = __builtin_cpu_supports("avx512bf16");
  if (has_pairs) {
    run.template operator()<PairProduct>();
  }
  return has_pairs;
}

// Enough channels and taps to pay for the packing.
inline bool pairs_pay(const ConvLayout& layout) {
  return layout.out_channels >= 2 && layout.in_channels * layout.taps() >= 32;
}

// The weights of all output channels, one after another, in the order of these offsets.
inline std::vector<BFloat16> gather_weights(const ConvLayout& layout, const BFloat16* weight,
                                            const std::vector<int64_t>& offsets) {
  const int64_t depth = static_cast<int64_t>(offsets.size()), rows = layout.groups * layout.out_channels;
  std::vector<BFloat16> copied(static_cast<size_t>(rows * depth));
  at::parallel_for(0, rows, divup(4096, depth), [&](int64_t begin, int64_t end) {
    BFloat16* to = copied.data() + begin * depth;
    for (int64_t i = begin; i < end; ++i) {
      const BFloat16* from = weight + i / layout.out_channels * layout.weight_group_stride +
                             i % layout.out_channels * layout.weight_out_stride;
      for (const int64_t offset : offsets) {
        *to++ = from[offset];
      }
    }
  });
  return copied;
}

// Some rows and columns of a group's product.
struct PairBlock {
  int64_t group, row, rows, column, columns;
};

// Shares the products of all groups: by blocks of at most `most_panels` panels of columns, and by rows where
// that makes too few for the threads. Calls run(PairBlock).
template <class Product, class F>
void for_each_pair_block(int64_t groups, int64_t rows, int64_t columns, int64_t most_panels, const F& run) {
  const int64_t panels = divup(columns, pair_panel), threads = at::get_num_threads();
  const int64_t wanted = std::clamp<int64_t>(divup(panels * groups, threads), 1, most_panels);
  const int64_t width = divup(panels, divup(panels, wanted)) * pair_panel, across = divup(columns, width);
  const int64_t sharing = std::min(divup(threads, across * groups), divup(rows, pair_panel));
  const int64_t height = round_up(divup(rows, sharing), pair_panel), down = divup(rows, height);
  at::parallel_for(0, groups * down * across, 1, [&](int64_t begin, int64_t end) {
    [[maybe_unused]] const typename Product::Registers registers;
    for (int64_t task = begin; task < end; ++task) {
      const int64_t row = task / across % down * height, column = task % across * width;
      run(PairBlock{task / across / down, row, std::min(height, rows - row), column,
                    std::min(width, columns - column)});
    }
  });
}

}  // namespace conv_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native

#endif
