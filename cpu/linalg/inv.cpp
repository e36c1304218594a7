// Inverses by LAPACK.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/lapack.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/linalg_inv_ex_native.h>
#include <ATen/ops/zero.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace at::native {

namespace {

template <class T>
lapack::Int inverse_workspace(lapack::Int n) {
  T answer = 0;
  lapack::Int info = 0, pivot = 1;
  lapack::call<T, "getri">(n, &answer, n, &pivot, &answer, lapack::Int{-1}, &info);
  return std::max(lapack::workspace_size(answer), n);
}

// A singular matrix has an inverse of NaN, and in `info` the element of its factor that is zero.
template <class T>
void invert_batch(const Tensor& result, const Tensor& info) {
  const int64_t order = result.size(-1);
  const lapack::Int n = lapack::narrow(order);
  T* const matrices = result.mutable_data_ptr<T>();
  int* const infos = info.mutable_data_ptr<int>();
  const lapack::Int length = inverse_workspace<T>(n);
  const double size = static_cast<double>(order);
  lapack::for_each_matrix(info.numel(), 2 * size * size * size, [&](int64_t first, int64_t last) {
    std::vector<T> work(static_cast<size_t>(length));
    std::vector<lapack::Int> pivots(static_cast<size_t>(n));
    for (int64_t i = first; i < last; ++i) {
      T* const a = matrices + i * order * order;
      lapack::call<T, "getrf">(n, n, a, n, pivots.data(), infos + i);
      if (infos[i] == 0) {
        lapack::call<T, "getri">(n, a, n, pivots.data(), work.data(), length, infos + i);
      } else {
        std::fill(a, a + order * order, T(std::numeric_limits<double>::quiet_NaN()));
      }
    }
  });
}

}  // namespace

TORCH_IMPL_FUNC(linalg_inv_ex_out)
(const Tensor& A, bool check_errors, const Tensor& inverse, const Tensor& info) {
  if (inverse.numel() == 0) {
    const_cast<Tensor&>(info).zero_();
    return;
  }
  const_cast<Tensor&>(inverse).copy_(A);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_inv_ex",
                                         [&] { invert_batch<scalar_t>(inverse, info); });
  if (check_errors) at::_linalg_check_errors(info, "linalg.inv_ex", A.dim() == 2);
}

}  // namespace at::native
