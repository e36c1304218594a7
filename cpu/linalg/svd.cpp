// Singular values and vectors by LAPACK's divide and conquer.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/finite.h>
#include <ATen/native/cpu/linalg/lapack.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/_linalg_svd_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/zero.h>

#include <algorithm>
#include <memory>

namespace at::native {

namespace {

struct SvdJob {
  char what;  // 'A' all vectors, 'S' those of the singular values, 'N' none
  int64_t m, n, k;
  int64_t left_columns, right_rows;
};

// The matrices of one chunk use the same workspace.
template <class T>
class SvdWorkspace {
  using Real = typename c10::scalar_value_type<T>::type;

 public:
  explicit SvdWorkspace(const SvdJob& job)
      : job_(job), integers_(new lapack::Int[8 * job.k]), reals_(new Real[real_count(job)]) {
    T answer(0);
    lapack::Int info = 0;
    run(nullptr, nullptr, nullptr, nullptr, &answer, -1, &info);
    size_ = lapack::workspace_size(answer);
    work_.reset(new T[size_]);
  }

  // a is overwritten.
  void decompose(T* a, T* u, Real* s, T* vh, lapack::Int* info) {
    run(a, u, s, vh, work_.get(), size_, info);
  }

 private:
  // What complex routines need, generously: some versions of LAPACK write more than they document.
  static int64_t real_count(const SvdJob& job) {
    if (!lapack::detail::is_complex<T>) return 1;
    const int64_t least = job.k, most = std::max(job.m, job.n);
    if (job.what == 'N') return 7 * least;
    return std::max(5 * least * least + 7 * least, 2 * most * least + 2 * least * least + least);
  }

  void run(T* a, T* u, Real* s, T* vh, T* work, lapack::Int size, lapack::Int* info) {
    const lapack::Int m = lapack::narrow(job_.m), n = lapack::narrow(job_.n);
    const lapack::Int rows = lapack::narrow(std::max<int64_t>(job_.right_rows, 1));
    if constexpr (lapack::detail::is_complex<T>) {
      lapack::call<T, "gesdd">(job_.what, m, n, a, m, s, u, m, vh, rows, work, size, reals_.get(),
                               integers_.get(), info);
    } else {
      lapack::call<T, "gesdd">(job_.what, m, n, a, m, s, u, m, vh, rows, work, size, integers_.get(), info);
    }
  }

  SvdJob job_;
  lapack::Int size_ = 0;
  std::unique_ptr<lapack::Int[]> integers_;
  std::unique_ptr<Real[]> reals_;
  std::unique_ptr<T[]> work_;
};

template <class T>
void decompose_batch(const SvdJob& job, const Tensor& in, const Tensor& U, const Tensor& S, const Tensor& Vh,
                     const Tensor& info) {
  using Real = typename c10::scalar_value_type<T>::type;
  T* const matrices = in.mutable_data_ptr<T>();
  Real* const values = S.mutable_data_ptr<Real>();
  T* const left = job.what == 'N' ? nullptr : U.mutable_data_ptr<T>();
  T* const right = job.what == 'N' ? nullptr : Vh.mutable_data_ptr<T>();
  auto* const infos = info.mutable_data_ptr<lapack::Int>();
  const auto operations =
      10.0 * static_cast<double>(job.m) * static_cast<double>(job.n) * static_cast<double>(job.k);
  lapack::for_each_matrix(info.numel(), operations, [&](int64_t first, int64_t last) {
    SvdWorkspace<T> workspace(job);
    for (int64_t i = first; i < last; ++i) {
      workspace.decompose(matrices + i * job.m * job.n, left + i * job.m * job.left_columns,
                          values + i * job.k, right + i * job.right_rows * job.n, infos + i);
    }
  });
}

// The vectors of empty matrices: unit vectors.
void set_identity(const Tensor& vectors) {
  const_cast<Tensor&>(vectors).zero_();
  vectors.diagonal(0, -2, -1).fill_(1);
}

}  // namespace

TORCH_IMPL_FUNC(_linalg_svd_out)
(const Tensor& A, bool full_matrices, bool compute_uv, std::optional<std::string_view> /*driver*/,
 const Tensor& U, const Tensor& S, const Tensor& Vh) {
  const int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n);
  if (A.numel() == 0) {
    if (compute_uv && full_matrices) {
      set_identity(U);
      set_identity(Vh);
    }
    return;
  }
  const SvdJob job{
      compute_uv ? full_matrices ? 'A' : 'S' : 'N', m, n, k, compute_uv ? full_matrices ? m : k : 0,
      compute_uv ? full_matrices ? n : k : 0};
  const Tensor in = copy_column_major(A);
  check_finite(in, "linalg.svd");
  const Tensor info = at::empty(batch_sizes(A), A.options().dtype(kInt));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_svd_cpu",
                                         [&] { decompose_batch<scalar_t>(job, in, U, S, Vh, info); });
  at::_linalg_check_errors(info, "linalg.svd", A.dim() == 2);
}

}  // namespace at::native
