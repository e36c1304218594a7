// Gradients of layer normalisation: each row is read twice, the second time from cache.
#include <ATen/native/cpu/normalization/layer_norm.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/normalization/moments.h>
#include <ATen/native/cpu/widen.h>

#include <algorithm>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class Acc>
struct RowSums {
  Acc weighted;    // of grad * gamma
  Acc normalized;  // of grad * gamma * normalized x
};

// One row converted to type Acc.
template <class Acc>
struct Row {
  const Acc* grad;
  const Acc* x;
  const Acc* gamma;  // null: ones
  Acc mean, rstd;
  int64_t n;

  Row part(int64_t first, int64_t size) const {
    return {grad + first, x + first, gamma != nullptr ? gamma + first : nullptr, mean, rstd, size};
  }
};

// Adds the row's contribution to the gradients of gamma and beta, which may be null.
template <bool has_gamma, bool has_sums, class Acc>
RowSums<Acc> read_row(const Row<Acc>& row, Acc* grad_gamma, Acc* grad_beta) {
  constexpr int width = lanes<Acc>;
  Vec<Acc> weighted = {}, normalized = {};
  RowSums<Acc> sums{0, 0};
  int64_t j = 0;
  for (; j + width <= row.n; j += width) {
    const Vec<Acc> grad = load(row.grad + j), x = (load(row.x + j) - row.mean) * row.rstd;
    Vec<Acc> product = grad;
    if constexpr (has_gamma) product *= load(row.gamma + j);
    weighted += product;
    normalized += product * x;
    if constexpr (has_sums) {
      store<Acc>(grad_gamma + j, load(grad_gamma + j) + grad * x);
      store<Acc>(grad_beta + j, load(grad_beta + j) + grad);
    }
  }
  for (; j < row.n; ++j) {
    const Acc grad = row.grad[j], x = (row.x[j] - row.mean) * row.rstd;
    const Acc product = has_gamma ? grad * row.gamma[j] : grad;
    sums.weighted += product;
    sums.normalized += product * x;
    if constexpr (has_sums) {
      grad_gamma[j] += grad * x;
      grad_beta[j] += grad;
    }
  }
  sums.weighted += sum_lanes<Acc>(weighted);
  sums.normalized += sum_lanes<Acc>(normalized);
  return sums;
}

// The same in chunks: the rounding errors of a single sum grow with its length.
template <bool has_gamma, bool has_sums, class Acc>
RowSums<Acc> read_chunks(const Row<Acc>& row, Acc* grad_gamma, Acc* grad_beta) {
  if (row.n <= chunk_size) return read_row<has_gamma, has_sums>(row, grad_gamma, grad_beta);
  RowSums<double> sums{0, 0};
  for (int64_t first = 0; first < row.n; first += chunk_size) {
    const int64_t own = has_sums ? first : 0;
    const RowSums<Acc> found = read_row<has_gamma, has_sums>(
        row.part(first, std::min(chunk_size, row.n - first)), grad_gamma + own, grad_beta + own);
    sums.weighted += static_cast<double>(found.weighted);
    sums.normalized += static_cast<double>(found.normalized);
  }
  return {static_cast<Acc>(sums.weighted), static_cast<Acc>(sums.normalized)};
}

// rstd * (p - mean(p) - xn * mean(p * xn)), with p = grad * gamma and xn the normalized x.
template <bool has_gamma, class Acc>
void write_row(const Row<Acc>& row, const RowSums<Acc>& sums, Acc* out) {
  const Acc count = static_cast<Acc>(row.n);
  const Acc rstd = row.rstd, mean = row.mean;
  const Acc slope = -rstd * rstd * sums.normalized / count, offset = -rstd * sums.weighted / count;
  const Acc *grad = row.grad, *x = row.x, *gamma = row.gamma;
#pragma GCC ivdep
  for (int64_t j = 0; j < row.n; ++j) {
    const Acc product = has_gamma ? grad[j] * gamma[j] : grad[j];
    out[j] = product * rstd + (x[j] - mean) * slope + offset;
  }
}

template <class T, class P>
struct LayerNormBackward {
  using Acc = ufunc::opmath<T>;
  const T* grad;
  const T* x;
  const P* mean;
  const P* rstd;
  const Acc* gamma;
  int64_t columns;
  T* grad_x;

  // `buffer` holds two rows of Acc where T is narrower; `sums` those of gamma and of beta, or is null.
  void row(int64_t index, Acc* buffer, Acc* sums) const {
    const Acc* wide_grad = widened(grad + index * columns, columns, buffer);
    const Acc* wide_x = widened(x + index * columns, columns, buffer + columns);
    const Row<Acc> row{wide_grad, wide_x, gamma, static_cast<Acc>(mean[index]), static_cast<Acc>(rstd[index]),
                       columns};
    gamma != nullptr ? finish<true>(row, index, sums, buffer) : finish<false>(row, index, sums, buffer);
  }

 private:
  template <bool has_gamma>
  void finish(const Row<Acc>& row, int64_t index, Acc* sums, Acc* buffer) const {
    const RowSums<Acc> found = sums != nullptr ? read_chunks<has_gamma, true>(row, sums, sums + columns)
                                               : read_chunks<has_gamma, false>(row, sums, sums);
    if (grad_x == nullptr) return;
    T* out = grad_x + index * columns;
    if constexpr (std::is_same_v<T, Acc>) {
      write_row<has_gamma>(row, found, out);
    } else {
      write_row<has_gamma>(row, found, buffer);
      convert(buffer, out, columns);
    }
  }
};

template <class Acc, class P>
std::vector<Acc> widened_parameter(const TensorBase& t) {
  if (!t.defined()) return {};
  const P* data = t.const_data_ptr<P>();
  return std::vector<Acc>(data, data + t.numel());
}

// Each piece of rows has its own sums, which are added in order.
template <class Acc, class P>
void write_sums(const std::vector<Acc>& sums, int64_t pieces, int64_t columns, int64_t which,
                const TensorBase& result) {
  if (!result.defined()) return;
  P* out = result.mutable_data_ptr<P>();
  for (int64_t j = 0; j < columns; ++j) {
    Acc sum = 0;
    for (int64_t piece = 0; piece < pieces; ++piece) sum += sums[(2 * piece + which) * columns + j];
    out[j] = static_cast<P>(sum);
  }
}

template <class T, class P>
void run_backward(const TensorBase& grad, const TensorBase& x, const TensorBase& mean, const TensorBase& rstd,
                  const TensorBase& gamma, int64_t rows, int64_t columns, const TensorBase& grad_x,
                  const TensorBase& grad_gamma, const TensorBase& grad_beta) {
  using Acc = ufunc::opmath<T>;
  const std::vector<Acc> weights = widened_parameter<Acc, P>(gamma);
  const LayerNormBackward<T, P> backward{grad.const_data_ptr<T>(),
                                         x.const_data_ptr<T>(),
                                         mean.const_data_ptr<P>(),
                                         rstd.const_data_ptr<P>(),
                                         gamma.defined() ? weights.data() : nullptr,
                                         columns,
                                         grad_x.defined() ? grad_x.mutable_data_ptr<T>() : nullptr};
  const bool has_sums = grad_gamma.defined() || grad_beta.defined();
  const int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const int64_t pieces = std::clamp<int64_t>(rows * columns / 65536, 1, std::min(threads, rows));
  std::vector<Acc> sums(has_sums ? 2 * pieces * columns : 0, Acc(0));
  at::parallel_for(0, pieces, 1, [&](int64_t begin, int64_t end) {
    std::vector<Acc> buffer(std::is_same_v<T, Acc> ? 0 : 2 * columns);
    for (int64_t piece = begin; piece < end; ++piece) {
      Acc* own = has_sums ? sums.data() + 2 * piece * columns : nullptr;
      for (int64_t i = rows * piece / pieces; i < rows * (piece + 1) / pieces; ++i) {
        backward.row(i, buffer.data(), own);
      }
    }
  });
  write_sums<Acc, P>(sums, pieces, columns, 0, grad_gamma);
  write_sums<Acc, P>(sums, pieces, columns, 1, grad_beta);
}

void layer_norm_backward_impl(const TensorBase& grad, const TensorBase& x, const TensorBase& mean,
                              const TensorBase& rstd, const TensorBase& gamma, int64_t rows, int64_t columns,
                              const TensorBase& grad_x, const TensorBase& grad_gamma,
                              const TensorBase& grad_beta) {
  const bool mixed = mean.scalar_type() != x.scalar_type();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, x.scalar_type(), "LayerNormBackwardKernelImpl", [&] {
    if constexpr (ufunc::is_half<scalar_t>) {
      if (mixed) {
        return run_backward<scalar_t, float>(grad, x, mean, rstd, gamma, rows, columns, grad_x, grad_gamma,
                                             grad_beta);
      }
    }
    run_backward<scalar_t, scalar_t>(grad, x, mean, rstd, gamma, rows, columns, grad_x, grad_gamma,
                                     grad_beta);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(layer_norm_backward_kernel, &layer_norm_backward_impl)

}  // namespace at::native
