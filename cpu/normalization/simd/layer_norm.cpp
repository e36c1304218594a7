// Layer normalisation: mean, variance and result, row by row, each row in cache.
#include <ATen/native/cpu/normalization/layer_norm.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/normalization/moments.h>
#include <ATen/native/cpu/widen.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// T: type of x and y; P: type of gamma, beta, mean and rstd.
template <class T, class P>
struct LayerNorm {
  using Acc = ufunc::opmath<T>;
  const T* x;
  const P* gamma;
  const P* beta;
  int64_t columns;
  Acc eps;
  T* y;
  P* mean;
  P* rstd;

  void row(int64_t index, Acc* buffer) const {
    const T* in = x + index * columns;
    T* out = y + index * columns;
    const Acc* values = widened(in, columns, buffer);
    const auto [average, variance] = average_and_variance(values);
    const Acc scale = Acc(1) / std::sqrt(variance + eps);
    if constexpr (std::is_same_v<T, Acc>) {
      write(values, out, average, scale);
    } else {
      write(values, buffer, average, scale);
      convert(buffer, out, columns);
    }
    mean[index] = static_cast<P>(average);
    rstd[index] = static_cast<P>(scale);
  }

 private:
  // Long rows by chunks: the rounding errors of a single sum grow with its length.
  std::pair<Acc, Acc> average_and_variance(const Acc* values) const {
    const Acc count = static_cast<Acc>(columns);
    if (columns <= chunk_size) {
      const Acc average = row_sum(values, columns) / count;
      return {average, sum_of_squares_about(values, columns, average) / count};
    }
    Moments moments;
    for (int64_t first = 0; first < columns; first += chunk_size) {
      merge_chunk(moments, values + first, std::min(chunk_size, columns - first));
    }
    return {static_cast<Acc>(moments.mean), static_cast<Acc>(moments.squares / moments.count)};
  }

  void write(const Acc* values, Acc* out, Acc average, Acc scale) const {
    if (gamma != nullptr && beta != nullptr) {
#pragma GCC ivdep
      for (int64_t j = 0; j < columns; ++j) {
        out[j] = (values[j] - average) * scale * static_cast<Acc>(gamma[j]) + static_cast<Acc>(beta[j]);
      }
    } else if (gamma != nullptr) {
#pragma GCC ivdep
      for (int64_t j = 0; j < columns; ++j) {
        out[j] = (values[j] - average) * scale * static_cast<Acc>(gamma[j]);
      }
    } else if (beta != nullptr) {
#pragma GCC ivdep
      for (int64_t j = 0; j < columns; ++j) {
        out[j] = (values[j] - average) * scale + static_cast<Acc>(beta[j]);
      }
    } else {
#pragma GCC ivdep
      for (int64_t j = 0; j < columns; ++j) {
        out[j] = (values[j] - average) * scale;
      }
    }
  }
};

template <class T, class P>
void run_layer_norm(const TensorBase& x, const TensorBase& gamma, const TensorBase& beta, int64_t rows,
                    int64_t columns, double eps, const TensorBase& y, const TensorBase& mean,
                    const TensorBase& rstd) {
  using Acc = ufunc::opmath<T>;
  const LayerNorm<T, P> norm{x.const_data_ptr<T>(),
                             gamma.defined() ? gamma.const_data_ptr<P>() : nullptr,
                             beta.defined() ? beta.const_data_ptr<P>() : nullptr,
                             columns,
                             static_cast<Acc>(eps),
                             y.mutable_data_ptr<T>(),
                             mean.mutable_data_ptr<P>(),
                             rstd.mutable_data_ptr<P>()};
  at::parallel_for(0, rows, std::max<int64_t>(1, 65536 / columns), [&](int64_t begin, int64_t end) {
    std::vector<Acc> buffer(std::is_same_v<T, Acc> ? 0 : columns);
    for (int64_t i = begin; i < end; ++i) {
      norm.row(i, buffer.data());
    }
  });
}

void layer_norm_impl(const TensorBase& x, const TensorBase& gamma, const TensorBase& beta, int64_t rows,
                     int64_t columns, double eps, const TensorBase& y, const TensorBase& mean,
                     const TensorBase& rstd) {
  const bool mixed = mean.scalar_type() != x.scalar_type();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "LayerNormKernelImpl", [&] {
    if constexpr (ufunc::is_half<scalar_t>) {
      if (mixed) {
        return run_layer_norm<scalar_t, float>(x, gamma, beta, rows, columns, eps, y, mean, rstd);
      }
    }
    run_layer_norm<scalar_t, scalar_t>(x, gamma, beta, rows, columns, eps, y, mean, rstd);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(layer_norm_kernel, &layer_norm_impl)

}  // namespace at::native
