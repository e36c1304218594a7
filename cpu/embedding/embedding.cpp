// The gradient of embedding on the CPU: rows of the output's gradient are added to rows of the weight's. Each
// thread owns a range of the weight's rows, so that no synchronisation is needed.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/embedding/embedding.h>
#include <ATen/native/embedding/checks.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/embedding_dense_backward_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(add_row_stub);

namespace {

void check_range(const int64_t* indices, int64_t n, int64_t num_weights) {
  for (int64_t i = 0; i < n; ++i) {
    TORCH_CHECK_INDEX(indices[i] >= 0 && indices[i] < num_weights, "index out of range in self: ", indices[i],
                      " of ", num_weights, " embeddings");
  }
}

std::vector<int64_t> counted(const int64_t* indices, int64_t n, int64_t num_weights) {
  std::vector<int64_t> counts(num_weights, 0);
  for (int64_t i = 0; i < n; ++i) ++counts[indices[i]];
  return counts;
}

}  // namespace

Tensor embedding_dense_backward_cpu(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                    int64_t padding_idx, bool scale_grad_by_freq) {
  check_embedding_gradient(grad_output, indices, num_weights);
  const Tensor grad = grad_output.contiguous(), rows = indices.to(kLong).contiguous();
  const int64_t columns = grad.size(-1), n = rows.numel();
  Tensor result = at::zeros({num_weights, columns}, grad.options());
  const int64_t* row = rows.const_data_ptr<int64_t>();
  check_range(row, n, num_weights);
  if (result.numel() == 0 || n == 0) return result;
  const std::vector<int64_t> counts =
      scale_grad_by_freq ? counted(row, n, num_weights) : std::vector<int64_t>();
  const auto row_bytes = columns * static_cast<int64_t>(grad.itemsize());
  const char* from = static_cast<const char*>(grad.const_data_ptr());
  char* to = static_cast<char*>(result.mutable_data_ptr());
  const int64_t threads = n * columns < at::internal::GRAIN_SIZE ? 1 : at::get_num_threads();
  at::parallel_for(
      0, num_weights, std::max<int64_t>(1, num_weights / threads), [&](int64_t first, int64_t last) {
        for (int64_t i = 0; i < n; ++i) {
          if (row[i] < first || row[i] >= last || row[i] == padding_idx) continue;
          const double scale = scale_grad_by_freq ? 1.0 / static_cast<double>(counts[row[i]]) : 1.0;
          add_row_stub(kCPU, grad.scalar_type(), to + row[i] * row_bytes, from + i * row_bytes, columns,
                       scale);
        }
      });
  return result;
}

}  // namespace at::native
