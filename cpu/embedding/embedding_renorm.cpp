// embedding_renorm_ on the CPU: each row that is looked up is scaled down, once, to a maximum norm.
#include <ATen/Dispatch.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/embedding/checks.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/embedding_renorm_native.h>
#include <ATen/ops/to.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace at::native {

namespace {

// The norm of n elements at distance `stride`.
template <class T>
double norm_of(const T* row, int64_t n, int64_t stride, double p) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double result = p == -infinity && n > 0 ? infinity : 0;
  for (int64_t j = 0; j < n; ++j) {
    const double value = std::abs(static_cast<double>(row[j * stride]));
    if (p == 2) {
      result += value * value;
    } else if (p == 0) {
      result += value != 0;
    } else if (std::isinf(p)) {
      result = std::isnan(value) || (p > 0 ? value > result : value < result) ? value : result;
    } else {
      result += std::pow(value, p);
    }
  }
  if (p == 2) return std::sqrt(result);
  return p == 0 || std::isinf(p) ? result : std::pow(result, 1 / p);
}

std::vector<int64_t> distinct(const Tensor& indices, int64_t rows) {
  const Tensor longs = indices.to(kLong).contiguous();
  const int64_t* data = longs.const_data_ptr<int64_t>();
  std::vector<int64_t> found(data, data + longs.numel());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  TORCH_CHECK_INDEX(found.empty() || (found.front() >= 0 && found.back() < rows),
                    "embedding_renorm_: an index is out of range for 'self' of ", rows, " rows: ",
                    found.empty() || found.front() < 0 ? (found.empty() ? 0 : found.front()) : found.back());
  return found;
}

}  // namespace

Tensor& embedding_renorm_cpu_(Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  check_embedding_renorm(self, indices);
  at::assert_no_internal_overlap(self);
  const std::vector<int64_t> rows = distinct(indices, self.size(0));
  const int64_t columns = self.size(1), row_stride = self.stride(0), stride = self.stride(1);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "embedding_renorm_cpu_", [&] {
    auto* data = self.mutable_data_ptr<scalar_t>();
    const int64_t grain = std::max<int64_t>(1, 16384 / (columns + 1));
    at::parallel_for(0, static_cast<int64_t>(rows.size()), grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        scalar_t* row = data + rows[i] * row_stride;
        const double norm = norm_of(row, columns, stride, norm_type);
        if (!(norm > max_norm)) continue;
        const double scale = max_norm / (norm + 1e-7);
        for (int64_t j = 0; j < columns; ++j) {
          row[j * stride] = static_cast<scalar_t>(static_cast<double>(row[j * stride]) * scale);
        }
      }
    });
  });
  return self;
}

}  // namespace at::native
