// Eigenvalues and eigenvectors of any square matrices by LAPACK.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/finite.h>
#include <ATen/native/cpu/linalg/lapack.h>
#include <ATen/native/linalg/eig.h>
#include <ATen/native/linalg/matrices.h>

#include <ATen/ops/_linalg_check_errors.h>
#include <ATen/ops/_linalg_eigvals_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_eig_native.h>

#include <algorithm>
#include <memory>
#include <tuple>

namespace at::native {

namespace {

// The matrices of one chunk use the same workspace. T is the input's type, Complex that of the results.
template <class T>
class EigWorkspace {
  using Real = typename c10::scalar_value_type<T>::type;
  using Complex = c10::complex<Real>;
  static constexpr bool is_complex = lapack::detail::is_complex<T>;

 public:
  EigWorkspace(int64_t n, bool vectors)
      : n_(n),
        vectors_(vectors),
        reals_(new Real[2 * n]),
        parts_(!is_complex && vectors ? new T[n * n] : nullptr) {
    T answer(0);
    lapack::Int info = 0;
    size_ = -1;
    run(nullptr, nullptr, nullptr, &answer, &info);
    size_ = lapack::workspace_size(answer);
    work_.reset(new T[size_]);
  }

  // a is overwritten.
  void decompose(T* a, Complex* values, Complex* vectors, lapack::Int* info) {
    run(a, values, vectors, work_.get(), info);
    if constexpr (!is_complex) {
      for (int64_t i = 0; i < n_; ++i) values[i] = Complex(reals_[i], reals_[n_ + i]);
      if (vectors_) join_parts(vectors);
    }
  }

 private:
  void run(T* a, Complex* values, Complex* vectors, T* work, lapack::Int* info) {
    const lapack::Int n = lapack::narrow(n_), one = 1;
    const char what = vectors_ ? 'V' : 'N';
    T* const none = nullptr;
    if constexpr (is_complex) {
      lapack::call<T, "geev">('N', what, n, a, n, values, none, one, vectors, n, work, size_, reals_.get(),
                              info);
    } else {
      lapack::call<T, "geev">('N', what, n, a, n, reals_.get(), reals_.get() + n_, none, one, parts_.get(), n,
                              work, size_, info);
    }
  }

  // Of a pair of conjugate eigenvalues, LAPACK has the vectors' real and imaginary part in two columns.
  void join_parts(Complex* vectors) const {
    for (int64_t j = 0; j < n_; ++j) {
      const Real* const re = parts_.get() + j * n_;
      Complex* const column = vectors + j * n_;
      const bool pair = reals_[n_ + j] != 0 && j + 1 < n_;
      for (int64_t i = 0; i < n_; ++i) {
        const Real im = pair ? re[n_ + i] : Real(0);
        column[i] = Complex(re[i], im);
        if (pair) column[n_ + i] = Complex(re[i], -im);
      }
      j += pair;
    }
  }

  int64_t n_;
  bool vectors_;
  lapack::Int size_;
  std::unique_ptr<Real[]> reals_;
  std::unique_ptr<T[]> parts_;
  std::unique_ptr<T[]> work_;
};

template <class T>
void eig_of_batch(const Tensor& matrices, const Tensor& values, const Tensor& vectors, const Tensor& info) {
  using Complex = c10::complex<typename c10::scalar_value_type<T>::type>;
  const int64_t n = matrices.size(-1);
  T* const data = matrices.mutable_data_ptr<T>();
  Complex* const numbers = values.mutable_data_ptr<Complex>();
  Complex* const columns = vectors.defined() ? vectors.mutable_data_ptr<Complex>() : nullptr;
  auto* const infos = info.mutable_data_ptr<lapack::Int>();
  const double cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  lapack::for_each_matrix(info.numel(), 25 * cube, [&](int64_t first, int64_t last) {
    EigWorkspace<T> workspace(n, columns != nullptr);
    for (int64_t i = first; i < last; ++i) {
      workspace.decompose(data + i * n * n, numbers + i * n,
                          columns == nullptr ? nullptr : columns + i * n * n, infos + i);
    }
  });
}

std::tuple<Tensor, Tensor> eig(const Tensor& self, bool with_vectors, const char* name) {
  check_eig(self, name);
  const auto [values, vectors] = empty_eig(self, with_vectors);
  if (self.numel() == 0) return {values, vectors};
  const Tensor matrices = copy_column_major(self);
  check_finite(matrices, name);
  const Tensor info = at::empty(batch_sizes(self), self.options().dtype(kInt));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "linalg_eig_cpu",
                                         [&] { eig_of_batch<scalar_t>(matrices, values, vectors, info); });
  at::_linalg_check_errors(info, name, self.dim() == 2);
  return {values, vectors};
}

}  // namespace

std::tuple<Tensor, Tensor> linalg_eig(const Tensor& self) {
  return eig(self, /*with_vectors=*/true, "linalg.eig");
}

Tensor _linalg_eigvals(const Tensor& self) {
  return std::get<0>(eig(self, /*with_vectors=*/false, "linalg.eigvals"));
}

}  // namespace at::native
