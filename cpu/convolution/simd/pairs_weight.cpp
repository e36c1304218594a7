// Weight gradients of convolutions of bfloat16, as products by pairs along the output positions: the
// gradients of the outputs are the left side, the windows, of which a column is an input channel and a tap,
// the right one.
#include <ATen/native/cpu/convolution/kernels.h>
#include <ATen/native/cpu/convolution/pairs.h>

#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

#ifdef HAS_PAIR_PRODUCTS

namespace {

using namespace conv_detail;

constexpr int64_t most_positions = 1024;  // of a block of the depth
constexpr int64_t few_positions = 256;    // in images that are joined

template <class Product>
class PairWeight {
 public:
  PairWeight(const ConvLayout& layout, const BFloat16* input, const BFloat16* grad_output,
             BFloat16* grad_weight)
      : layout_(merge_axes(layout)),
        input_(input),
        grad_output_(grad_output),
        grad_weight_(grad_weight),
        rows_(layout.out_channels),
        columns_(layout.in_channels * layout.taps()),
        image_(layout.positions()),
        depth_(layout.batch * image_) {
    if (layout.batch > 1 && image_ < few_positions) {
      join_images();
    }
  }

  void run() const {
    const int64_t most_panels = most_packed / most_positions / pair_panel;
    for_each_pair_block<Product>(layout_.groups, rows_, columns_, most_panels,
                                 [&](const PairBlock& block) { run_block(block); });
  }

 private:
  // The gradients of a channel in all images, one image after another.
  void join_images() {
    const int64_t channels = layout_.groups * rows_;
    joined_.resize(static_cast<size_t>(channels * depth_));
    at::parallel_for(0, channels, divup(4096, depth_), [&](int64_t begin, int64_t end) {
      for (int64_t channel = begin; channel < end; ++channel) {
        for (int64_t image = 0; image < layout_.batch; ++image) {
          const BFloat16* from =
              grad_output_ + image * layout_.output_batch_stride + channel * layout_.output_channel_stride;
          std::copy_n(from, image_, joined_.data() + channel * depth_ + image * image_);
        }
      }
    });
  }

  PairMatrix gradients(const PairBlock& block, int64_t position) const {
    const int64_t channel = block.group * rows_ + block.row;
    if (!joined_.empty()) {
      return {joined_.data() + channel * depth_ + position, depth_, 1};
    }
    return {grad_output_ + position / image_ * layout_.output_batch_stride +
                channel * layout_.output_channel_stride + position % image_,
            layout_.output_channel_stride, 1};
  }

  void run_block(const PairBlock& block) const {
    const int64_t whole = joined_.empty() ? image_ : depth_;  // blocks of the depth end with these
    const int64_t positions = divup(whole, divup(whole, most_positions));
    std::vector<float> sums(positions < depth_ ? static_cast<size_t>(partial_sums(block.rows, block.columns))
                                               : 0);
    const int64_t stride = layout_.weight_out_stride;
    const PairResult out{
        grad_weight_ + block.group * layout_.weight_group_stride + block.row * stride + block.column, stride,
        1, /*alpha=*/1, /*beta=*/0};
    for (int64_t begin = 0, end = 0; begin < depth_; begin = end) {
      end = std::min(begin + positions, (begin / whole + 1) * whole);
      const PackedColumns windows{pack(block, begin, end), block.columns, end - begin};
      Product::multiply(gradients(block, begin), block.rows, windows, out,
                        Partial{sums.data(), begin == 0, end == depth_});
    }
  }

  // The windows of positions [begin, end).
  const uint32_t* pack(const PairBlock& block, int64_t begin, int64_t end) const {
    const int64_t depth = end - begin, size = pair_panel * Product::pairs(depth);
    uint32_t* packed = pair_scratch<uint32_t>(GemmScratch::PackedB, divup(block.columns, pair_panel) * size);
    BFloat16* lines = pair_scratch<BFloat16>(GemmScratch::Vector, pair_panel * depth);
    std::vector<Run> runs(static_cast<size_t>(depth));
    const int found = find_runs(layout_, begin, depth, runs.data());
    const uint16_t* input = reinterpret_cast<const uint16_t*>(input_) +
                            block.group * layout_.in_channels * layout_.input_channel_stride;
    for (int64_t j = 0; j < block.columns; j += pair_panel) {
      const int64_t count = std::min(pair_panel, block.columns - j), first = block.column + j;
      pack_columns(layout_, input, runs.data(), found, first, first + count, depth,
                   reinterpret_cast<uint16_t*>(lines));
      Product::pack({lines, depth, 1}, count, depth, packed + j / pair_panel * size);
    }
    return packed;
  }

  ConvLayout layout_;
  const BFloat16* input_;
  const BFloat16* grad_output_;
  BFloat16* grad_weight_;
  int64_t rows_, columns_, image_, depth_;
  std::vector<BFloat16> joined_;
};

// Enough positions, and weights, to pay for the packing.
bool pays(const ConvLayout& layout) {
  return layout.out_channels >= 4 && layout.in_channels * layout.taps() >= 4 &&
         layout.batch * layout.positions() >= 32;
}

}  // namespace

#endif

bool conv_weight_by_pairs([[maybe_unused]] const ConvLayout& layout, [[maybe_unused]] const void* input,
                          [[maybe_unused]] const void* grad_output, [[maybe_unused]] void* grad_weight) {
#ifdef HAS_PAIR_PRODUCTS
  return has_dense_weight(layout) && has_dense_output(layout) && pays(layout) &&
         with_pair_product([&]<class Product>() {
           PairWeight<Product>(layout, static_cast<const BFloat16*>(input),
                               static_cast<const BFloat16*>(grad_output), static_cast<BFloat16*>(grad_weight))
               .run();
         });
#else
  return false;
#endif
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
