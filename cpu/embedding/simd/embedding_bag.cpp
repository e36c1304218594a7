// Bags of rows: a few vectors of columns at a time, whose sums stay in registers while the rows are read.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/embedding/stubs.h>
#include <ATen/native/math/types.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t work_per_task = 32768;  // elements
constexpr int64_t rows_ahead = 8;         // rows prefetched ahead

template <class T>
struct BagSum {
  using Acc = ufunc::opmath<T>;
  const T* weight;
  int64_t stride, columns;
  const T* factors;
  Bags bags;

  C10_ALWAYS_INLINE Acc factor(int64_t i) const {
    return factors == nullptr ? Acc(1) : static_cast<Acc>(factors[i]);
  }

  // `count` vectors of columns, from `column` on.
  template <int count>
  void sum_vectors(int64_t first, int64_t last, int64_t column, Acc scale, T* out) const {
    Vec<Acc> sums[count] = {};
    const int64_t end = bags.n - 1;
    for (int64_t i = first; i < last; ++i) {
      const T* next = weight + bags.indices[std::min(i + rows_ahead, end)] * stride + column;
      for (int c = 0; c < count; ++c) __builtin_prefetch(next + c * lanes<Acc>);
      if (bags.indices[i] == bags.padding) continue;
      const T* row = weight + bags.indices[i] * stride + column;
      const Acc by = factor(i);
#pragma GCC unroll 4
      for (int c = 0; c < count; ++c) sums[c] += load_as<Acc>(row + c * lanes<Acc>) * by;
    }
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) store_as<Acc>(out + column + c * lanes<Acc>, sums[c] * scale);
  }

  void sum_column(int64_t first, int64_t last, int64_t column, Acc scale, T* out) const {
    Acc sum = 0;
    for (int64_t i = first; i < last; ++i) {
      if (bags.indices[i] == bags.padding) continue;
      sum += static_cast<Acc>(weight[bags.indices[i] * stride + column]) * factor(i);
    }
    out[column] = static_cast<T>(sum * scale);
  }

  void bag(int64_t index, bool mean, T* out) const {
    const int64_t first = bags.offsets[index], last = bags.end(index);
    Acc scale = 1;
    if (mean) {
      const int64_t paddings = std::count(bags.indices + first, bags.indices + last, bags.padding);
      scale = Acc(1) / static_cast<Acc>(std::max<int64_t>(1, last - first - paddings));
    }
    int64_t column = 0;
    for (; column + 4 * lanes<Acc> <= columns; column += 4 * lanes<Acc>) {
      sum_vectors<4>(first, last, column, scale, out);
    }
    for (; column + lanes<Acc> <= columns; column += lanes<Acc>) {
      sum_vectors<1>(first, last, column, scale, out);
    }
    for (; column < columns; ++column) sum_column(first, last, column, scale, out);
  }
};

int64_t bags_per_task(const Bags& bags, int64_t columns) {
  const int64_t work = std::max<int64_t>(1, bags.n * columns);
  return std::max<int64_t>(1, bags.count * work_per_task / std::max(work, work_per_task));
}

void bag_sums(const TensorBase& weight, const Bags& bags, const TensorBase& factors, bool mean,
              const TensorBase& output) {
  const int64_t columns = weight.size(1);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, weight.scalar_type(), "embedding_bag", [&] {
    const BagSum<scalar_t> sum{weight.const_data_ptr<scalar_t>(), weight.stride(0), columns,
                               factors.defined() ? factors.const_data_ptr<scalar_t>() : nullptr, bags};
    auto* out = output.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, bags.count, bags_per_task(bags, columns), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) sum.bag(b, mean, out + b * columns);
    });
  });
}

// A NaN stays only where it comes first, as comparisons with it are false.
template <class T>
void bag_maximum(const T* weight, int64_t stride, int64_t columns, const Bags& bags, int64_t index, T* out,
                 int64_t* rows) {
  std::fill(out, out + columns, T(0));
  std::fill(rows, rows + columns, 0);
  bool is_first = true;
  for (int64_t i = bags.offsets[index], last = bags.end(index); i < last; ++i) {
    const int64_t at = bags.indices[i];
    if (at == bags.padding) continue;
    const T* row = weight + at * stride;
#pragma GCC ivdep
    for (int64_t j = 0; j < columns; ++j) {
      const bool larger = is_first || row[j] > out[j];
      out[j] = larger ? row[j] : out[j];
      rows[j] = larger ? at : rows[j];
    }
    is_first = false;
  }
}

void bag_maxima(const TensorBase& weight, const Bags& bags, const TensorBase& output,
                const TensorBase& rows) {
  const int64_t columns = weight.size(1);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, weight.scalar_type(), "embedding_bag", [&] {
    const auto* data = weight.const_data_ptr<scalar_t>();
    auto* out = output.mutable_data_ptr<scalar_t>();
    auto* row = rows.mutable_data_ptr<int64_t>();
    at::parallel_for(0, bags.count, bags_per_task(bags, columns), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        bag_maximum(data, weight.stride(0), columns, bags, b, out + b * columns, row + b * columns);
      }
    });
  });
}

void bag_products(const TensorBase& grad, const TensorBase& weight, const TensorBase& rows,
                  const TensorBase& offset2bag, int64_t padding, const TensorBase& products) {
  const auto *indices = rows.const_data_ptr<int64_t>(), *bag_of = offset2bag.const_data_ptr<int64_t>();
  const int64_t columns = weight.size(1), grain = std::max<int64_t>(1, work_per_task / (columns + 1));
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, weight.scalar_type(), "embedding_bag_backward", [&] {
    const auto *g = grad.const_data_ptr<scalar_t>(), *w = weight.const_data_ptr<scalar_t>();
    auto* out = products.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, products.numel(), grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        using Acc = ufunc::opmath<scalar_t>;
        const auto* row = w + indices[i] * weight.stride(0);
        out[i] = indices[i] == padding
                     ? scalar_t(0)
                     : static_cast<scalar_t>(dot_row<Acc>(g + bag_of[i] * columns, row, columns));
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(bag_sums_stub, &bag_sums)
REGISTER_DISPATCH(bag_maxima_stub, &bag_maxima)
REGISTER_DISPATCH(bag_products_stub, &bag_products)

}  // namespace at::native
