// The functions of aten.fft: their arguments are converted to those of _fft_c2c, _fft_r2c and _fft_c2r.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/fft/arguments.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/fft_fft2_native.h>
#include <ATen/ops/fft_fft_native.h>
#include <ATen/ops/fft_fftn.h>
#include <ATen/ops/fft_fftn_native.h>
#include <ATen/ops/fft_hfft2_native.h>
#include <ATen/ops/fft_hfft_native.h>
#include <ATen/ops/fft_hfftn.h>
#include <ATen/ops/fft_hfftn_native.h>
#include <ATen/ops/fft_ifft2_native.h>
#include <ATen/ops/fft_ifft_native.h>
#include <ATen/ops/fft_ifftn.h>
#include <ATen/ops/fft_ifftn_native.h>
#include <ATen/ops/fft_ihfft2_native.h>
#include <ATen/ops/fft_ihfft_native.h>
#include <ATen/ops/fft_ihfftn.h>
#include <ATen/ops/fft_ihfftn_native.h>
#include <ATen/ops/fft_irfft2_native.h>
#include <ATen/ops/fft_irfft_native.h>
#include <ATen/ops/fft_irfftn.h>
#include <ATen/ops/fft_irfftn_native.h>
#include <ATen/ops/fft_rfft2_native.h>
#include <ATen/ops/fft_rfft_native.h>
#include <ATen/ops/fft_rfftn.h>
#include <ATen/ops/fft_rfftn_native.h>

namespace at::native {

using Norm = std::optional<c10::string_view>;
using Points = std::optional<c10::SymInt>;
using Sizes = at::OptionalSymIntArrayRef;

namespace {

// -------------------- one dimension

Tensor complex_1d(const Tensor& input, const Points& n, int64_t dim, Norm norm, bool forward) {
  const int64_t wrapped = maybe_wrap_dim(dim, input.dim(), /*wrap_scalar=*/false);
  const int64_t points = fft_points(n, input.size(wrapped));
  const Tensor x = resize_fft_input(input, {wrapped}, {points});
  return at::_fft_c2c(x, {wrapped}, fft_normalization(norm, forward), forward);
}

// A backward transform of real values is the conjugate of a forward one.
Tensor real_1d(const char* name, const Tensor& self, const Points& n, int64_t dim, Norm norm, bool forward,
               bool onesided) {
  const Tensor result = transform_real(name, self, n, dim, norm, forward, onesided);
  return forward ? result : at::conj_physical(result);
}

// To real values. A forward transform is the backward one of the conjugate.
Tensor hermitian_1d(const Tensor& self, const Points& n, int64_t dim, Norm norm, bool forward) {
  const Tensor input = promote_fft_input(self, /*to_complex=*/true);
  const int64_t wrapped = maybe_wrap_dim(dim, input.dim(), /*wrap_scalar=*/false);
  const int64_t points = fft_points(n, 2 * (input.size(wrapped) - 1));
  const Tensor x = resize_fft_input(input, {wrapped}, {points / 2 + 1});
  return at::_fft_c2r(forward ? at::conj_physical(x) : x, {wrapped}, fft_normalization(norm, forward),
                      points);
}

Tensor any_1d(const char* name, const Tensor& self, const Points& n, int64_t dim, Norm norm, bool forward) {
  return self.is_complex() ? complex_1d(promote_fft_input(self, true), n, dim, norm, forward)
                           : real_1d(name, self, n, dim, norm, forward, /*onesided=*/false);
}

// -------------------- several dimensions

Tensor complex_nd(const Tensor& self, const Sizes& s, OptionalIntArrayRef dim, Norm norm, bool forward) {
  const FftShape shape = fft_shape(self, s, dim);
  const Tensor x = resize_fft_input(promote_fft_input(self, true), shape.dims, shape.sizes);
  return at::_fft_c2c(x, shape.dims, fft_normalization(norm, forward), forward);
}

IntArrayRef but_last(const DimVector& dims) { return IntArrayRef(dims).slice(0, dims.size() - 1); }

FftShape nonempty_shape(const char* name, const Tensor& self, const Sizes& s, OptionalIntArrayRef dim) {
  FftShape shape = fft_shape(self, s, dim);
  TORCH_CHECK(!shape.dims.empty(), name, " must transform at least one axis");
  return shape;
}

// The shape of the half from which a real result with that many points in the last dimension is computed.
FftShape hermitian_shape(const char* name, const Tensor& self, const Sizes& s, OptionalIntArrayRef dim,
                         int64_t& points) {
  FftShape shape = nonempty_shape(name, self, s, dim);
  const bool given = s.has_value() && s->back().expect_int() != -1;
  points = given ? shape.sizes.back() : 2 * (self.size(shape.dims.back()) - 1);
  TORCH_CHECK(points >= 1, "Invalid number of data points (", points, ") specified");
  shape.sizes.back() = points / 2 + 1;
  return shape;
}

}  // namespace

// -------------------- fft, ifft, rfft, irfft, hfft, ihfft

Tensor fft_fft_symint(const Tensor& self, Points n, int64_t dim, Norm norm) {
  return any_1d("fft", self, n, dim, norm, /*forward=*/true);
}

Tensor fft_ifft_symint(const Tensor& self, Points n, int64_t dim, Norm norm) {
  return any_1d("ifft", self, n, dim, norm, /*forward=*/false);
}

Tensor fft_rfft_symint(const Tensor& self, Points n, int64_t dim, Norm norm) {
  return real_1d("rfft", self, n, dim, norm, /*forward=*/true, /*onesided=*/true);
}

Tensor fft_irfft_symint(const Tensor& self, Points n, int64_t dim, Norm norm) {
  return hermitian_1d(self, n, dim, norm, /*forward=*/false);
}

Tensor fft_hfft_symint(const Tensor& self, Points n, int64_t dim, Norm norm) {
  return hermitian_1d(self, n, dim, norm, /*forward=*/true);
}

Tensor fft_ihfft_symint(const Tensor& self, Points n, int64_t dim, Norm norm) {
  return real_1d("ihfft", self, n, dim, norm, /*forward=*/false, /*onesided=*/true);
}

// -------------------- fftn, ifftn, rfftn, irfftn, hfftn, ihfftn

Tensor fft_fftn_symint(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm) {
  return complex_nd(self, s, dim, norm, /*forward=*/true);
}

Tensor fft_ifftn_symint(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm) {
  return complex_nd(self, s, dim, norm, /*forward=*/false);
}

Tensor fft_rfftn_symint(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm) {
  TORCH_CHECK(!self.is_complex(), "rfftn expects a real-valued input tensor, but got ", self.scalar_type());
  const FftShape shape = nonempty_shape("rfftn", self, s, dim);
  const Tensor x = resize_fft_input(promote_fft_input(self, false), shape.dims, shape.sizes);
  return at::_fft_r2c(x, shape.dims, fft_normalization(norm, /*forward=*/true), /*onesided=*/true);
}

Tensor fft_irfftn_symint(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm) {
  int64_t points = 0;
  const FftShape shape = hermitian_shape("irfftn", self, s, dim, points);
  const Tensor x = resize_fft_input(promote_fft_input(self, true), shape.dims, shape.sizes);
  return at::_fft_c2r(x, shape.dims, fft_normalization(norm, /*forward=*/false), points);
}

Tensor fft_hfftn_symint(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm) {
  int64_t points = 0;
  const FftShape shape = hermitian_shape("hfftn", self, s, dim, points);
  const int64_t mode = fft_normalization(norm, /*forward=*/true);
  Tensor x = resize_fft_input(promote_fft_input(self, true), shape.dims, shape.sizes);
  if (shape.dims.size() > 1) x = at::_fft_c2c(x, but_last(shape.dims), mode, /*forward=*/true);
  return at::_fft_c2r(at::conj_physical(x), {shape.dims.back()}, mode, points);
}

Tensor fft_ihfftn_symint(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm) {
  TORCH_CHECK(!self.is_complex(), "ihfftn expects a real-valued input tensor, but got ", self.scalar_type());
  const FftShape shape = nonempty_shape("ihfftn", self, s, dim);
  const int64_t mode = fft_normalization(norm, /*forward=*/false);
  const Tensor x = resize_fft_input(promote_fft_input(self, false), shape.dims, shape.sizes);
  Tensor half = at::conj_physical(at::_fft_r2c(x, {shape.dims.back()}, mode, /*onesided=*/true));
  if (shape.dims.size() == 1) return half;
  return at::_fft_c2c(half, but_last(shape.dims), mode, /*forward=*/false);
}

// -------------------- the same over two dimensions

Tensor fft_fft2_symint(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm) {
  return at::fft_fftn_symint(self, s, dim, norm);
}

Tensor fft_ifft2_symint(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm) {
  return at::fft_ifftn_symint(self, s, dim, norm);
}

Tensor fft_rfft2_symint(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm) {
  return at::fft_rfftn_symint(self, s, dim, norm);
}

Tensor fft_irfft2_symint(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm) {
  return at::fft_irfftn_symint(self, s, dim, norm);
}

Tensor fft_hfft2_symint(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm) {
  return at::fft_hfftn_symint(self, s, dim, norm);
}

Tensor fft_ihfft2_symint(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm) {
  return at::fft_ihfftn_symint(self, s, dim, norm);
}

}  // namespace at::native
