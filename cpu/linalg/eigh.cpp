// Eigenvalues and eigenvectors of Hermitian matrices by LAPACK's divide and conquer.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/finite.h>
#include <ATen/native/cpu/linalg/lapack.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/_linalg_eigh_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>

#include <memory>
#include <string_view>

namespace at::native {

namespace {

// The matrices of one chunk use the same workspace.
template <class T>
class EighWorkspace {
  using Real = typename c10::scalar_value_type<T>::type;

 public:
  EighWorkspace(int64_t n, char triangle, bool vectors) : n_(n), triangle_(triangle), vectors_(vectors) {
    T work(0);
    Real real(0);
    lapack::Int integer = 0, info = 0;
    size_ = reals_size_ = integers_size_ = -1;
    run(nullptr, nullptr, &work, &real, &integer, &info);
    size_ = lapack::workspace_size(work);
    reals_size_ = lapack::workspace_size(real);
    integers_size_ = integer < 1 ? 1 : integer;
    work_.reset(new T[size_]);
    reals_.reset(new Real[reals_size_]);
    integers_.reset(new lapack::Int[integers_size_]);
  }

  // The vectors take a's place.
  void decompose(T* a, Real* values, lapack::Int* info) {
    run(a, values, work_.get(), reals_.get(), integers_.get(), info);
  }

 private:
  void run(T* a, Real* values, T* work, Real* reals, lapack::Int* integers, lapack::Int* info) {
    const lapack::Int n = lapack::narrow(n_);
    const char what = vectors_ ? 'V' : 'N';
    if constexpr (lapack::detail::is_complex<T>) {
      lapack::call<T, "heevd">(what, triangle_, n, a, n, values, work, size_, reals, reals_size_, integers,
                               integers_size_, info);
    } else {
      lapack::call<T, "syevd">(what, triangle_, n, a, n, values, work, size_, integers, integers_size_, info);
    }
  }

  int64_t n_;
  char triangle_;
  bool vectors_;
  lapack::Int size_, reals_size_, integers_size_;
  std::unique_ptr<T[]> work_;
  std::unique_ptr<Real[]> reals_;
  std::unique_ptr<lapack::Int[]> integers_;
};

template <class T>
void eigh_of_batch(const Tensor& matrices, const Tensor& values, const Tensor& info, char triangle,
                   bool vectors) {
  using Real = typename c10::scalar_value_type<T>::type;
  const int64_t n = matrices.size(-1);
  T* const data = matrices.mutable_data_ptr<T>();
  Real* const numbers = values.mutable_data_ptr<Real>();
  auto* const infos = info.mutable_data_ptr<lapack::Int>();
  const double cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  lapack::for_each_matrix(info.numel(), 9 * cube, [&](int64_t first, int64_t last) {
    EighWorkspace<T> workspace(n, triangle, vectors);
    for (int64_t i = first; i < last; ++i) workspace.decompose(data + i * n * n, numbers + i * n, infos + i);
  });
}

}  // namespace

TORCH_IMPL_FUNC(_linalg_eigh_out)
(const Tensor& A, std::string_view UPLO, bool compute_v, const Tensor& eigenvalues,
 const Tensor& eigenvectors) {
  if (A.numel() == 0) return;
  const bool upper = UPLO == "U" || UPLO == "u";
  const Tensor matrices = compute_v ? const_cast<Tensor&>(eigenvectors).copy_(A) : copy_column_major(A);
  check_finite_triangle(matrices, upper, "linalg.eigh");
  const Tensor info = at::empty(batch_sizes(A), A.options().dtype(kInt));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_eigh_cpu", [&] {
    eigh_of_batch<scalar_t>(matrices, eigenvalues, info, upper ? 'U' : 'L', compute_v);
  });
  at::_linalg_check_errors(info, "linalg.eigh", A.dim() == 2);
}

}  // namespace at::native
