// Histograms and bincount on the CPU. The bins of a block of points are computed first, which vectorises, and
// counted then.
#include <ATen/Dispatch.h>
#include <ATen/native/math/types.h>
#include <ATen/native/reduction/histogram.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace at::native {
namespace {

constexpr int64_t points_at_once = 256;
constexpr int64_t outside = -1;

template <class O>
struct Axis {
  std::vector<O> edges;
  BinSearch search;

  int64_t bins() const { return static_cast<int64_t>(edges.size()) - 1; }

  // Scaled positions of points within the edges; others are outside.
  template <class T>
  void place(const T* x, int64_t step, int64_t n, int64_t* places) const {
    const O low = edges.front(), high = edges.back(), count = static_cast<O>(bins()), range = high - low;
    for (int64_t i = 0; i < n; ++i) {
      const O value = static_cast<O>(x[i * step]);
      const bool is_inside = (value >= low) & (value <= high);
      const O scaled = (value - low) * count / range;
      places[i] = is_inside ? static_cast<int64_t>(is_inside ? scaled : O(0)) : outside;
    }
  }

  // The last bin includes its upper edge.
  int64_t corrected(int64_t place, O value) const {
    const auto first = edges.begin();
    if (search == BinSearch::Nearby) {
      const int64_t low = std::clamp<int64_t>(place - 1, 0, bins());
      const int64_t high = std::clamp<int64_t>(place + 2, 0, bins() + 1);
      place = std::upper_bound(first + low, first + high, value) - first - 1;
    } else if (search == BinSearch::Anywhere) {
      place = std::upper_bound(first, edges.end(), value) - first - 1;
    }
    return std::clamp<int64_t>(place, 0, bins() - 1);
  }
};

template <class T>
class Histogram {
 public:
  using O = ufunc::opmath<T>;

  Histogram(ArrayRef<TensorBase> edges, BinSearch search) {
    for (const TensorBase& edge : edges) {
      const T* values = edge.const_data_ptr<T>();
      axes_.push_back({std::vector<O>(values, values + edge.numel()), search});
      size_ *= axes_.back().bins();
    }
  }

  void add(const TensorBase& hist, const TensorBase& self, const TensorBase& weight) const {
    if (size_ == 0 || self.numel() == 0) return;
    const int64_t dims = static_cast<int64_t>(axes_.size()), n = self.numel() / dims;
    const T* x = self.const_data_ptr<T>();
    std::vector<double> sums(static_cast<size_t>(size_) + 1);  // the last is for what lies outside
    int64_t bins[points_at_once];
    for (int64_t begin = 0; begin < n; begin += points_at_once) {
      const int64_t count = std::min(points_at_once, n - begin);
      find_bins(x + begin * dims, count, bins);
      if (weight.defined()) {
        const T* w = weight.const_data_ptr<T>() + begin;
        for (int64_t i = 0; i < count; ++i) sums[bins[i]] += static_cast<double>(static_cast<O>(w[i]));
      } else {
        for (int64_t i = 0; i < count; ++i) sums[bins[i]] += 1;
      }
    }
    T* out = hist.mutable_data_ptr<T>();
    for (int64_t i = 0; i < size_; ++i) out[i] = static_cast<T>(static_cast<O>(sums[i]));
  }

 private:
  void find_bins(const T* x, int64_t count, int64_t* bins) const {
    const auto dims = static_cast<int64_t>(axes_.size());
    int64_t places[points_at_once];
    std::fill_n(bins, count, 0);
    for (int64_t d = 0; d < dims; ++d) {
      const Axis<O>& axis = axes_[d];
      axis.place(x + d, dims, count, places);
      for (int64_t i = 0; i < count; ++i) {
        const bool is_lost = places[i] == outside || bins[i] == size_;
        const int64_t place = is_lost ? 0 : axis.corrected(places[i], static_cast<O>(x[i * dims + d]));
        bins[i] = is_lost ? size_ : bins[i] * axis.bins() + place;
      }
    }
  }

  std::vector<Axis<O>> axes_;
  int64_t size_ = 1;
};

void histogram(const TensorBase& hist, const TensorBase& self, const TensorBase& weight,
               ArrayRef<TensorBase> edges, BinSearch search) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "histogram_cpu",
                                  [&] { Histogram<scalar_t>(edges, search).add(hist, self, weight); });
}

// -------------------- bincount

template <class T>
void add_weights(T* sums, const int64_t* bins, const T* weight, int64_t n) {
  for (int64_t i = 0; i < n; ++i) sums[bins[i]] += weight[i];
}

void bincount(const TensorBase& hist, const TensorBase& self, const TensorBase& weight) {
  const int64_t n = self.numel();
  const auto* bins = self.const_data_ptr<int64_t>();
  if (!weight.defined()) {
    auto* counts = hist.mutable_data_ptr<int64_t>();
    for (int64_t i = 0; i < n; ++i) ++counts[bins[i]];
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(hist.scalar_type(), "bincount_cpu", [&] {
    add_weights(hist.mutable_data_ptr<scalar_t>(), bins, weight.const_data_ptr<scalar_t>(), n);
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(histogram_stub, &histogram)
REGISTER_ALL_CPU_DISPATCH(bincount_stub, &bincount)

}  // namespace at::native
