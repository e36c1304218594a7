// Convolutions of bfloat16 as products by pairs: the windows of 32 output positions are packed as the right
// side of the product, the weights are the left one. A row of the matrices is an input channel and a tap;
// rows 2 q and 2 q + 1 are a pair.
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/pairs.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

#ifdef HAS_PAIR_PRODUCTS

namespace {

using namespace conv_detail;

// What a row of the matrix reads for a run of a panel's positions: position j reads in[offset + j * stride]
// if its bit is set; with a stride of 2 there are two bits a position.
struct Lanes {
  int64_t offset;
  uint64_t mask;
};

// Packs the windows of panels. Stride is that between the inputs of neighbouring positions, or 0 for any.
template <class Product, int Stride>
class WindowPacking {
 public:
  WindowPacking(const ConvLayout& layout, const uint16_t* input)
      : layout_(layout),
        input_(input),
        taps_(layout.taps()),
        depth_(layout.in_channels * taps_),
        stride_(layout.axes[2].step * layout.axes[2].input_stride) {}

  // Positions [first, first + count), at most 32.
  void pack(int64_t first, int64_t count, uint32_t* to) {
    find_lanes(first, count);
    const int64_t pairs = Product::pairs(depth_), next = Product::next(depth_);
    const uint16_t* in = input_;
    uint32_t* end = to + pairs * Product::step;
    for (int64_t row = 0; row < depth_; row += 2 * taps_, in += 2 * layout_.input_channel_stride) {
      const Lanes* lanes = lanes_.data();
      for (int64_t q = row; q < std::min(depth_, row + 2 * taps_); q += 2, to += Product::step) {
        const __m512i even = load(in, lanes);
        const __m512i odd = q + 1 < depth_ ? load(in, lanes + runs_) : _mm512_setzero_si512();
        __m512i low, high;
        gemm_detail::interleave(even, odd, low, high);
        _mm512_storeu_si512(to, low);
        _mm512_storeu_si512(to + next, high);
        lanes += 2 * runs_;
      }
    }
    for (; to < end; to += Product::step) {
      _mm512_storeu_si512(to, _mm512_setzero_si512());
      _mm512_storeu_si512(to + next, _mm512_setzero_si512());
    }
  }

 private:
  // Of the taps of two channels, tap by tap.
  void find_lanes(int64_t first, int64_t count) {
    Run runs[pair_panel];
    runs_ = find_runs(layout_, first, count, runs);
    lanes_.resize(static_cast<size_t>(2 * taps_ * runs_));
    Lanes *lanes = lanes_.data(), *of_next = lanes + taps_ * runs_;
    int64_t tap[3] = {0, 0, 0};
    for (int64_t t = 0; t < taps_; ++t) {
      for (int r = 0; r < runs_; ++r, ++lanes, ++of_next) {
        const Window window = window_of(layout_, runs[r], tap);
        const uint64_t bits = gemm_detail::wide_mask(window.high - window.low);
        const uint64_t mask = bits << (runs[r].column + window.low);
        lanes->offset = window.offset - runs[r].column * stride_;
        lanes->mask = Stride == 2 ? _pdep_u64(mask, 0x5555555555555555) : mask;
        *of_next = {lanes->offset + layout_.input_channel_stride, lanes->mask};
      }
      for (int axis = 2; axis >= 0 && ++tap[axis] == layout_.axes[axis].taps; --axis) {
        tap[axis] = 0;
      }
    }
  }

  C10_ALWAYS_INLINE __m512i load(const uint16_t* in, const Lanes* lanes) const {
    __m512i low = _mm512_setzero_si512(), high = low;
    if constexpr (Stride == 0) {
      uint16_t values[pair_panel] = {};
      for (int r = 0; r < runs_; ++r) {
        for (uint64_t mask = lanes[r].mask; mask != 0; mask &= mask - 1) {
          const int64_t j = __builtin_ctzll(mask);
          values[j] = in[lanes[r].offset + j * stride_];
        }
      }
      return _mm512_loadu_si512(values);
    }
    for (int r = 0; r < runs_; ++r) {
      const uint16_t* from = in + lanes[r].offset;
      low = _mm512_mask_loadu_epi16(low, static_cast<__mmask32>(lanes[r].mask), from);
      if constexpr (Stride == 2) {
        high = _mm512_mask_loadu_epi16(high, static_cast<__mmask32>(lanes[r].mask >> 32), from + pair_panel);
      }
    }
    return Stride == 2 ? even_elements(low, high) : low;
  }

  static __m512i even_elements(__m512i low, __m512i high) {
    typedef short Words __attribute__((vector_size(64)));
    const Words even = {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                        32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
    return _mm512_permutex2var_epi16(low, reinterpret_cast<__m512i>(even), high);
  }

  const ConvLayout& layout_;
  const uint16_t* input_;
  int64_t taps_, depth_, stride_;
  int runs_ = 0;
  std::vector<Lanes> lanes_;
};

template <class Product>
class PairGather {
 public:
  PairGather(const ConvLayout& layout, const BFloat16* input, const BFloat16* weight, const BFloat16* bias,
             BFloat16* output)
      : layout_(merge_axes(layout)),
        input_(input),
        weight_(weight),
        bias_(bias),
        output_(output),
        rows_(layout.out_channels),
        depth_(layout.in_channels * layout.taps()),
        columns_(layout.batch * layout.positions()),
        dense_(has_dense_output(layout_)) {
    if (!has_dense_weight(layout_)) {
      std::vector<int64_t> offsets;
      for_each_weight(layout_, [&](int64_t, int64_t offset) { offsets.push_back(offset); });
      copied_ = gather_weights(layout_, weight, offsets);
    }
  }

  void run() const {
    constexpr int64_t most_panels = 8;  // the weights are packed again for each block
    const int64_t fitting = std::clamp<int64_t>(most_packed / (pair_panel * depth_), 1, most_panels);
    for_each_pair_block<Product>(layout_.groups, rows_, columns_, fitting,
                                 [&](const PairBlock& block) { run_block(block); });
  }

 private:
  PairMatrix weights(const PairBlock& block) const {
    if (!copied_.empty()) {
      return {copied_.data() + (block.group * rows_ + block.row) * depth_, depth_, 1};
    }
    return {weight_ + block.group * layout_.weight_group_stride + block.row * layout_.weight_out_stride,
            layout_.weight_out_stride, 1};
  }

  void run_block(const PairBlock& block) const {
    const PackedColumns columns{pack(block), block.columns, depth_};
    const int64_t channel = block.group * rows_ + block.row, image = block.column / layout_.positions();
    BFloat16* output = output_ + channel * layout_.output_channel_stride;
    if (dense_ && (block.column + block.columns - 1) / layout_.positions() == image) {
      output += image * layout_.output_batch_stride + block.column % layout_.positions();
      return multiply(block, columns, output, layout_.output_channel_stride);
    }
    std::vector<BFloat16> results(static_cast<size_t>(block.rows * block.columns));
    multiply(block, columns, results.data(), block.columns);
    scatter(block, results.data(), output);
  }

  uint32_t* pack(const PairBlock& block) const {
    const int64_t size = pair_panel * Product::pairs(depth_), panels = divup(block.columns, pair_panel);
    uint32_t* packed = pair_scratch<uint32_t>(GemmScratch::PackedB, panels * size);
    const uint16_t* input = reinterpret_cast<const uint16_t*>(input_) +
                            block.group * layout_.in_channels * layout_.input_channel_stride;
    const auto pack_all = [&](auto&& packing) {
      for (int64_t i = 0; i < panels; ++i) {
        const int64_t first = i * pair_panel, count = std::min(pair_panel, block.columns - first);
        packing.pack(block.column + first, count, packed + i * size);
      }
    };
    switch (layout_.axes[2].step * layout_.axes[2].input_stride) {
      case 1:
        pack_all(WindowPacking<Product, 1>(layout_, input));
        break;
      case 2:
        pack_all(WindowPacking<Product, 2>(layout_, input));
        break;
      default:
        pack_all(WindowPacking<Product, 0>(layout_, input));
    }
    return packed;
  }

  void multiply(const PairBlock& block, const PackedColumns& columns, BFloat16* output,
                int64_t stride) const {
    if (bias_ != nullptr) {
      for (int64_t i = 0; i < block.rows; ++i) {
        std::fill_n(output + i * stride, block.columns, bias_[block.group * rows_ + block.row + i]);
      }
    }
    const float kept = bias_ == nullptr ? 0 : 1;
    Product::multiply(weights(block), block.rows, columns, {output, stride, 1, /*alpha=*/1, /*beta=*/kept});
  }

  void scatter(const PairBlock& block, const BFloat16* results, BFloat16* output) const {
    std::vector<Run> runs(static_cast<size_t>(block.columns));
    runs.resize(static_cast<size_t>(find_runs(layout_, block.column, block.columns, runs.data())));
    const int64_t stride = layout_.axes[2].output_stride;
    for (int64_t i = 0; i < block.rows; ++i, results += block.columns) {
      for (const Run& run : runs) {
        BFloat16* to = output + i * layout_.output_channel_stride + run.output;
        for (int64_t j = 0; j < run.count; ++j) {
          to[j * stride] = results[run.column + j];
        }
      }
    }
  }

  ConvLayout layout_;
  const BFloat16* input_;
  const BFloat16* weight_;
  const BFloat16* bias_;
  BFloat16* output_;
  int64_t rows_, depth_, columns_;
  bool dense_;
  std::vector<BFloat16> copied_;  // the weights, if their rows are not contiguous
};

}  // namespace

#endif

bool conv_gather_by_pairs([[maybe_unused]] const ConvLayout& layout, [[maybe_unused]] const void* input,
                          [[maybe_unused]] const void* weight, [[maybe_unused]] const void* bias,
                          [[maybe_unused]] void* output) {
#ifdef HAS_PAIR_PRODUCTS
  return pairs_pay(layout) && with_pair_product([&]<class Product>() {
           PairGather<Product>(layout, static_cast<const BFloat16*>(input),
                               static_cast<const BFloat16*>(weight), static_cast<const BFloat16*>(bias),
                               static_cast<BFloat16*>(output))
               .run();
         });
#else
  return false;
#endif
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
