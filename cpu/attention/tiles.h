// Building blocks of attention's kernels: products of small blocks, and rows of probabilities. For files of
// cpu/*/simd.
#pragma once

#include <ATen/native/cpu/attention/attention.h>
#include <ATen/native/cpu/matmul/gemm_kernel.h>
#include <ATen/native/elementwise/functors/transcendental.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace attention_detail {

using gemm_detail::divide_up;
using gemm_detail::Matrix;
using gemm_detail::pack_panel;
using gemm_detail::round_up;
using gemm_detail::tile_rows;

inline constexpr int64_t block_keys = 256;
// The distance of two rows of scores: not a power of two, so that they don't share cache sets.
template <class Acc>
inline constexpr int64_t score_stride = block_keys + 2 * lanes<Acc>;
template <class Acc>
inline constexpr int64_t panel_width = 2 * lanes<Acc>;

// -------------------- Memory of one task

// Uninitialised elements, aligned for vectors.
template <class Acc>
class Buffer {
 public:
  explicit Buffer(int64_t count)
      : memory_(c10::GetCPUAllocator()->allocate(static_cast<size_t>(count + lanes<Acc>) * sizeof(Acc))) {}
  Acc* get() const { return static_cast<Acc*>(memory_.get()); }

 private:
  c10::DataPtr memory_;
};

// -------------------- Products

// c = factors[row] * c + a b for Rows x NV vectors; without factors c is not read. Element (i, p) of a is
// a[i * ARow + p * AStep]; b has NV vectors each `b_step`.
template <int Rows, int NV, int64_t ARow, int64_t AStep, class Acc>
__attribute__((noinline)) void tile(int64_t depth, const Acc* a, const Acc* b, int64_t b_step, Acc* c,
                                    int64_t c_stride, const Acc* factors) {
  Vec<Acc> sum[Rows][NV] = {};
  if (factors != nullptr) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) {
        sum[i][j] = factors[i] * load(c + i * c_stride + j * lanes<Acc>);
      }
    }
  }
  for (int64_t p = 0; p < depth; ++p, a += AStep, b += b_step) {
    Vec<Acc> right[NV];
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      right[j] = load(b + j * lanes<Acc>);
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < NV; ++j) {
        sum[i][j] += a[i * ARow] * right[j];
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < NV; ++j) {
      store(c + i * c_stride + j * lanes<Acc>, sum[i][j]);
    }
  }
}

// The tile height for so many rows; what lies below them in c is written, too.
inline int height_of(int64_t rows) { return rows > 8 || tile_rows < 8 ? tile_rows : rows > 4 ? 8 : 4; }

// The right operand of products: panels of two vectors (the last of one, if that is enough), each `depth`
// rows deep; or rows in place, `row_stride` apart.
template <class Acc>
struct Right {
  const Acc* data;
  int64_t depth, row_stride = 0;
  const Acc* at(int64_t column) const { return data + column * (row_stride == 0 ? depth : 1); }
  int64_t step(int64_t width) const { return row_stride == 0 ? width : row_stride; }
};

// c (one tile of rows) = factors * c + a b.
template <int64_t ARow, int64_t AStep, class Acc>
void multiply(int64_t rows, int64_t columns, int64_t depth, const Acc* a, const Right<Acc>& b, Acc* c,
              int64_t c_stride, const Acc* factors) {
  const auto over_panels = [&]<int Rows>(std::integral_constant<int, Rows>) {
    int64_t j = 0;
    for (; columns - j > lanes<Acc>; j += panel_width<Acc>) {
      tile<Rows, 2, ARow, AStep>(depth, a, b.at(j), b.step(panel_width<Acc>), c + j, c_stride, factors);
    }
    if (j < columns) {
      tile<Rows, 1, ARow, AStep>(depth, a, b.at(j), b.step(lanes<Acc>), c + j, c_stride, factors);
    }
  };
  if constexpr (tile_rows > 8) {
    if (height_of(rows) == 8) return over_panels(std::integral_constant<int, 8>());
    if (height_of(rows) == 4) return over_panels(std::integral_constant<int, 4>());
  }
  over_panels(std::integral_constant<int, tile_rows>());
}

template <class Acc>
inline constexpr Acc ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

// -------------------- Packing

// b(p, j) in panels, for `depth` values of p; element (p, j) is from(j, p).
template <class T, class Acc>
void pack_columns(const Matrix<T>& from, int64_t columns, int64_t depth, Acc* to) {
  int64_t j = 0;
  for (; columns - j > lanes<Acc>; j += panel_width<Acc>) {
    pack_panel(from.from_row(j), std::min(panel_width<Acc>, columns - j), depth, panel_width<Acc>,
               to + j * depth);
  }
  if (j < columns) pack_panel(from.from_row(j), columns - j, depth, lanes<Acc>, to + j * depth);
}

// Rows as the left operand of `tile` (ARow = 1, AStep = tile_rows), times a factor.
template <class T, class Acc>
void pack_tiles(const Matrix<T>& from, int64_t rows, int64_t depth, Acc factor, Acc* to) {
  for (int64_t i = 0; i < rows; i += tile_rows, to += tile_rows * depth) {
    pack_panel(from.from_row(i), std::min<int64_t>(tile_rows, rows - i), depth, tile_rows, to);
    for (int64_t e = 0; e < tile_rows * depth; ++e) {
      to[e] *= factor;
    }
  }
}

// -------------------- Probabilities

// exp(x) for x <= 0, and 0 where that would be subnormal.
template <class Acc>
C10_ALWAYS_INLINE Acc exp_of_difference(Acc x) {
  namespace host = math::host;
  using Range = host::ExpRange<Acc>;
  constexpr Acc low = sizeof(Acc) == 4 ? Acc(-88) : Acc(-709);  // where 2^k is 0
  const Acc c = x < low ? low : x;
  const Acc k = host::mad(c, Acc(0x1.71547652b82fep0), host::round_magic<Acc>) - host::round_magic<Acc>;
  const Acc r = host::mad(-k, Range::ln2_low, host::mad(-k, Range::ln2_high, c));
  return (Acc(1) + host::mad(r * r, host::exp_tail(r), r)) * host::power_of_two<Acc>(k);
}

// -------------------- One head of a problem

template <class T>
Matrix<T> head_of(const AttentionTensor& t, int64_t batch, int64_t head) {
  return {static_cast<const T*>(t.data) + batch * t.batch_stride + head * t.head_stride, t.row_stride, 1};
}

template <class T>
struct Head {
  Matrix<T> query, key, value;
  AttentionMask mask;  // of this head
  T* out;
  int64_t out_stride;
  ufunc::opmath<T>* logsumexp;
  int64_t logsumexp_stride;
};

template <class T>
Head<T> head_at(const AttentionProblem& p, int64_t batch, int64_t head) {
  using Acc = ufunc::opmath<T>;
  const int64_t key_head = head / (p.heads / p.key_heads);
  AttentionMask mask = p.mask;
  if (mask.data != nullptr) {
    mask.data = static_cast<const Acc*>(mask.data) + batch * mask.batch_stride + head * mask.head_stride;
  }
  const auto start = [&](const AttentionTensor& t) { return batch * t.batch_stride + head * t.head_stride; };
  return {head_of<T>(p.query, batch, head),
          head_of<T>(p.key, batch, key_head),
          head_of<T>(p.value, batch, key_head),
          mask,
          static_cast<T*>(p.out.data) + start(p.out),
          p.out.row_stride,
          static_cast<Acc*>(p.logsumexp.data) + start(p.logsumexp),
          p.logsumexp.row_stride};
}

template <class Acc>
void add_mask(Acc* scores, const AttentionMask& mask, int64_t row, int64_t first, int64_t count) {
  if (mask.data == nullptr) return;
  const int64_t step = mask.column_stride;
  const Acc* m = static_cast<const Acc*>(mask.data) + row * mask.row_stride + first * step;
  if (step == 1) {
    for (int64_t j = 0; j < count; ++j) scores[j] += m[j];
  } else {
    for (int64_t j = 0; j < count; ++j) scores[j] += m[j * step];
  }
}

// How many of the keys [first, first + count) this row's query attends to.
inline int64_t visible_keys(bool causal, int64_t row, int64_t first, int64_t count) {
  return causal ? std::clamp<int64_t>(row + 1 - first, 0, count) : count;
}

}  // namespace attention_detail
}  // namespace CPU_CAPABILITY
}  // namespace at::native
