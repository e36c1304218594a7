// kthvalue, median and mode: selection by partition around the rank, or by sorting.
#include <ATen/Dispatch.h>
#include <ATen/NumericUtils.h>
#include <ATen/Parallel.h>
#include <ATen/native/Lines.h>
#include <ATen/native/sorting/stubs.h>

#include <algorithm>
#include <vector>

namespace at::native {

namespace {

template <class T>
struct Line {
  const T* first;
  int64_t n, step;

  const T& operator[](int64_t i) const { return first[i * step]; }
  template <class Test>
  int64_t find(const Test& test) const {
    int64_t i = 0;
    while (i < n - 1 && !test((*this)[i])) ++i;
    return i;
  }
};

template <class T>
class Chooser {
 public:
  // The position in the line of the selected element.
  int64_t choose(const Line<T>& line, LineChoice choice, int64_t k) {
    numbers_.clear();
    for (int64_t i = 0; i < line.n; ++i) {
      if (!at::_isnan(line[i])) numbers_.push_back(line[i]);
    }
    const int64_t count = static_cast<int64_t>(numbers_.size());
    if (choice == LineChoice::Mode && count > 0) return last_of(line, most_frequent());
    if (choice == LineChoice::Median && count == line.n) k = (count - 1) / 2;
    if (choice == LineChoice::Median && count < line.n) k = count;
    if (choice == LineChoice::NanMedian) k = std::max<int64_t>(0, count - 1) / 2;
    if (k >= count) {
      return line.find([](const T& x) { return at::_isnan(x); });
    }
    std::nth_element(numbers_.begin(), numbers_.begin() + k, numbers_.end());
    const T chosen = numbers_[k];
    return line.find([&](const T& x) { return x == chosen; });
  }

 private:
  T most_frequent() {
    std::sort(numbers_.begin(), numbers_.end());
    T best = numbers_[0];
    size_t most = 0;
    for (size_t i = 0, end = 0; i < numbers_.size(); i = end) {
      while (end < numbers_.size() && numbers_[end] == numbers_[i]) ++end;
      if (end - i > most) {
        most = end - i;
        best = numbers_[i];
      }
    }
    return best;
  }

  static int64_t last_of(const Line<T>& line, T value) {
    int64_t i = line.n - 1;
    while (i > 0 && !(line[i] == value)) --i;
    return i;
  }

  std::vector<T> numbers_;
};

void choose_of_lines(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t dim,
                     LineChoice choice, int64_t k) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "kthvalue", [&] {
    const Lines lines(self, dim);
    const auto* in = self.const_data_ptr<scalar_t>();
    auto* out = values.mutable_data_ptr<scalar_t>();
    auto* places = indices.mutable_data_ptr<int64_t>();
    const int64_t grain = std::max<int64_t>(1, 4096 / lines.n);
    at::parallel_for(0, lines.outer * lines.inner, grain, [&](int64_t begin, int64_t end) {
      Chooser<scalar_t> chooser;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i / lines.inner * lines.n * lines.inner + i % lines.inner;
        const Line<scalar_t> line{in + first, lines.n, lines.inner};
        places[i] = chooser.choose(line, choice, k);
        out[i] = line[places[i]];
      }
    });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(choose_of_lines_stub, &choose_of_lines)

}  // namespace at::native
