// Householder reflectors by LAPACK: geqrf, householder_product, ormqr.
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/linalg/householder.h>
#include <ATen/native/cpu/linalg/lapack.h>
#include <ATen/native/linalg/matrices.h>
#include <ATen/native/linalg/results.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/geqrf_native.h>
#include <ATen/ops/linalg_householder_product_native.h>
#include <ATen/ops/ormqr_native.h>

#include <algorithm>
#include <vector>

namespace at::native {

namespace {

int64_t count_of(const TensorBase& t) {
  int64_t count = 1;
  for (int64_t dim = 0; dim + 2 < t.dim(); ++dim) count *= t.size(dim);
  return count;
}

// f(i, work, length, info) calls the routine for matrix i; with a length of -1 it asks for the length.
template <class T, class F>
void with_workspace(int64_t count, double operations, const F& f) {
  T answer = 0;
  lapack::Int info = 0;
  f(int64_t{0}, &answer, lapack::Int{-1}, &info);
  const lapack::Int length = lapack::workspace_size(answer);
  lapack::for_each_matrix(count, operations, [&](int64_t first, int64_t last) {
    std::vector<T> work(static_cast<size_t>(length));
    lapack::Int own = 0;
    for (int64_t i = first; i < last; ++i) f(i, work.data(), length, &own);
  });
}

double product_of(int64_t a, int64_t b, int64_t c) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

template <class T>
void factor_qr_batch(const TensorBase& a, const TensorBase& tau) {
  const int64_t rows = a.size(-2), columns = a.size(-1), count = std::min(rows, columns);
  const lapack::Int m = lapack::narrow(rows), n = lapack::narrow(columns);
  T *const matrices = a.mutable_data_ptr<T>(), *const factors = tau.mutable_data_ptr<T>();
  with_workspace<T>(count_of(a), 2 * product_of(rows, columns, count),
                    [=](int64_t i, T* work, lapack::Int length, lapack::Int* info) {
                      lapack::call<T, "geqrf">(m, n, matrices + i * rows * columns, m, factors + i * count,
                                               work, length, info);
                    });
}

template <class T>
void multiply_reflectors_batch(const TensorBase& a, const TensorBase& tau) {
  const int64_t rows = a.size(-2), columns = a.size(-1), count = tau.size(-1);
  const lapack::Int m = lapack::narrow(rows), n = lapack::narrow(columns), k = lapack::narrow(count);
  T* const matrices = a.mutable_data_ptr<T>();
  const T* const factors = tau.const_data_ptr<T>();
  with_workspace<T>(count_of(a), 2 * product_of(rows, columns, columns),
                    [=](int64_t i, T* work, lapack::Int length, lapack::Int* info) {
                      lapack::call<T, "orgqr", "ungqr">(m, n, k, matrices + i * rows * columns, m,
                                                        factors + i * count, work, length, info);
                    });
}

template <class T>
void apply_reflectors_batch(const TensorBase& a, const TensorBase& tau, const TensorBase& other, bool left,
                            bool transpose) {
  const int64_t rows = other.size(-2), columns = other.size(-1), count = tau.size(-1), lines = a.size(-2),
                step = lines * a.size(-1);
  const lapack::Int m = lapack::narrow(rows), n = lapack::narrow(columns), k = lapack::narrow(count),
                    ld = lapack::narrow(std::max<int64_t>(lines, 1));
  const char side = left ? 'L' : 'R', how = !transpose ? 'N' : lapack::detail::is_complex<T> ? 'C' : 'T';
  const T *const matrices = a.const_data_ptr<T>(), *const factors = tau.const_data_ptr<T>();
  T* const others = other.mutable_data_ptr<T>();
  with_workspace<T>(count_of(other), 4 * product_of(rows, columns, count),
                    [=](int64_t i, T* work, lapack::Int length, lapack::Int* info) {
                      lapack::call<T, "ormqr", "unmqr">(side, how, m, n, k, matrices + i * step, ld,
                                                        factors + i * count, others + i * rows * columns, m,
                                                        work, length, info);
                    });
}

}  // namespace

void factor_qr(const TensorBase& a, const TensorBase& tau) {
  if (a.numel() == 0) return;
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(a.scalar_type(), "geqrf",
                                         [&] { factor_qr_batch<scalar_t>(a, tau); });
}

void multiply_reflectors(const TensorBase& a, const TensorBase& tau) {
  if (a.numel() == 0) return;
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(a.scalar_type(), "householder_product",
                                         [&] { multiply_reflectors_batch<scalar_t>(a, tau); });
}

void apply_reflectors(const TensorBase& a, const TensorBase& tau, const TensorBase& other, bool left,
                      bool transpose) {
  if (other.numel() == 0 || tau.numel() == 0) return;
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(
      a.scalar_type(), "ormqr", [&] { apply_reflectors_batch<scalar_t>(a, tau, other, left, transpose); });
}

namespace {

DimVector tau_sizes(const Tensor& self) {
  DimVector sizes = batch_sizes(self);
  sizes.push_back(std::min(self.size(-2), self.size(-1)));
  return sizes;
}

void check_tau(const Tensor& input, const Tensor& tau, const char* name) {
  TORCH_CHECK(input.dim() >= 2, name, ": input must have at least 2 dimensions.");
  TORCH_CHECK(input.dim() - tau.dim() == 1, name,
              ": Expected tau to have one dimension less than input, but got tau.ndim equal to ", tau.dim(),
              " and input.ndim is equal to ", input.dim());
  TORCH_CHECK(tau.size(-1) <= input.size(-1), name,
              ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
  TORCH_CHECK(IntArrayRef(batch_sizes(tau, 1)) == IntArrayRef(batch_sizes(input)), name,
              ": Expected batch dimensions of tau to be equal to input.shape[:-2], but got ", tau.sizes(),
              " and ", input.sizes());
  check_float_or_complex(input, name);
  TORCH_CHECK(tau.scalar_type() == input.scalar_type(), name, ": tau dtype ", tau.scalar_type(),
              " does not match input dtype ", input.scalar_type());
}

void check_ormqr(const Tensor& self, const Tensor& tau, const Tensor& other, bool left) {
  const char* name = "torch.ormqr";
  check_tau(self, tau, name);
  TORCH_CHECK(other.dim() >= 2, name, ": other must have at least 2 dimensions.");
  const int64_t size = other.size(left ? -2 : -1);
  const char* which = left ? "-2" : "-1";
  TORCH_CHECK(size >= tau.size(-1), name, ": other.shape[", which,
              "] must be greater than or equal to tau.shape[-1]");
  TORCH_CHECK(size == self.size(-2), name, ": other.shape[", which, "] must be equal to input.shape[-2]");
  TORCH_CHECK(IntArrayRef(batch_sizes(other)) == IntArrayRef(batch_sizes(self)), name,
              ": Expected batch dimensions of other to be equal to input.shape[:-2], but got ", other.sizes(),
              " and ", self.sizes());
  check_one_dtype(self, other, name);
}

}  // namespace

std::tuple<Tensor, Tensor> geqrf(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions.");
  check_float_or_complex(self, "torch.geqrf");
  Tensor a = empty_column_major(self.sizes(), self.options()),
         tau = at::empty(tau_sizes(self), self.options());
  if (!self.is_meta()) factor_qr(a.copy_(self), tau);
  return {std::move(a), std::move(tau)};
}

std::tuple<Tensor&, Tensor&> geqrf_out(const Tensor& self, Tensor& a, Tensor& tau) {
  const auto [made, factors] = native::geqrf(self);
  check_same_dtype("torch.geqrf", a, made);
  write_columns("torch.geqrf", a, made);
  write_same_dtype("torch.geqrf", tau, factors);
  return {a, tau};
}

Tensor linalg_householder_product(const Tensor& input, const Tensor& tau) {
  const char* name = "torch.linalg.householder_product";
  TORCH_CHECK(input.dim() < 2 || input.size(-2) >= input.size(-1), name,
              ": input.shape[-2] must be greater than or equal to input.shape[-1]");
  check_tau(input, tau, name);
  Tensor result = empty_column_major(input.sizes(), input.options());
  if (!input.is_meta()) multiply_reflectors(result.copy_(input), tau.contiguous());
  return result;
}

Tensor& linalg_householder_product_out(const Tensor& input, const Tensor& tau, Tensor& out) {
  const Tensor result = native::linalg_householder_product(input, tau);
  check_same_dtype("torch.linalg.householder_product", out, result);
  return write_columns("torch.linalg.householder_product", out, result);
}

Tensor ormqr(const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool transpose) {
  check_ormqr(self, tau, other, left);
  Tensor result = empty_column_major(other.sizes(), other.options());
  if (!self.is_meta()) {
    apply_reflectors(as_column_major(self), tau.contiguous(), result.copy_(other), left, transpose);
  }
  return result;
}

Tensor& ormqr_out(const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool transpose,
                  Tensor& out) {
  const Tensor result = native::ormqr(self, tau, other, left, transpose);
  check_same_dtype("torch.ormqr", out, result);
  return write_columns("torch.ormqr", out, result);
}

}  // namespace at::native
