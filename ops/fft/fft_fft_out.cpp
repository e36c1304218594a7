// The out= forms of the functions of aten.fft.
#include <ATen/core/Tensor.h>
#include <ATen/native/fft/arguments.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/conj_physical.h>
#include <ATen/ops/fft_fft.h>
#include <ATen/ops/fft_fft2.h>
#include <ATen/ops/fft_fft2_native.h>
#include <ATen/ops/fft_fft_native.h>
#include <ATen/ops/fft_fftn.h>
#include <ATen/ops/fft_fftn_native.h>
#include <ATen/ops/fft_hfft.h>
#include <ATen/ops/fft_hfft2.h>
#include <ATen/ops/fft_hfft2_native.h>
#include <ATen/ops/fft_hfft_native.h>
#include <ATen/ops/fft_hfftn.h>
#include <ATen/ops/fft_hfftn_native.h>
#include <ATen/ops/fft_ifft.h>
#include <ATen/ops/fft_ifft2.h>
#include <ATen/ops/fft_ifft2_native.h>
#include <ATen/ops/fft_ifft_native.h>
#include <ATen/ops/fft_ifftn.h>
#include <ATen/ops/fft_ifftn_native.h>
#include <ATen/ops/fft_ihfft2.h>
#include <ATen/ops/fft_ihfft2_native.h>
#include <ATen/ops/fft_ihfft_native.h>
#include <ATen/ops/fft_ihfftn.h>
#include <ATen/ops/fft_ihfftn_native.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_irfft2.h>
#include <ATen/ops/fft_irfft2_native.h>
#include <ATen/ops/fft_irfft_native.h>
#include <ATen/ops/fft_irfftn.h>
#include <ATen/ops/fft_irfftn_native.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/fft_rfft2.h>
#include <ATen/ops/fft_rfft2_native.h>
#include <ATen/ops/fft_rfft_native.h>
#include <ATen/ops/fft_rfftn.h>
#include <ATen/ops/fft_rfftn_native.h>

namespace at::native {

using Norm = std::optional<c10::string_view>;
using Points = std::optional<c10::SymInt>;
using Sizes = at::OptionalSymIntArrayRef;

namespace {

Tensor& write_conjugate(const char* name, const Tensor& value, Tensor& out) {
  TORCH_CHECK(out.is_complex(), name, " expects a complex output tensor, but got ", out.scalar_type());
  return at::conj_physical_out(out, value);
}

}  // namespace

Tensor& fft_fft_symint_out(const Tensor& self, Points n, int64_t dim, Norm norm, Tensor& out) {
  return write_fft_result("fft", at::fft_fft_symint(self, n, dim, norm), out);
}

Tensor& fft_ifft_symint_out(const Tensor& self, Points n, int64_t dim, Norm norm, Tensor& out) {
  if (self.is_complex()) return write_fft_result("ifft", at::fft_ifft_symint(self, n, dim, norm), out);
  return write_conjugate("ifft", transform_real("ifft", self, n, dim, norm, false, /*onesided=*/false), out);
}

Tensor& fft_rfft_symint_out(const Tensor& self, Points n, int64_t dim, Norm norm, Tensor& out) {
  return write_fft_result("rfft", at::fft_rfft_symint(self, n, dim, norm), out);
}

Tensor& fft_irfft_symint_out(const Tensor& self, Points n, int64_t dim, Norm norm, Tensor& out) {
  return write_fft_result("irfft", at::fft_irfft_symint(self, n, dim, norm), out);
}

Tensor& fft_hfft_symint_out(const Tensor& self, Points n, int64_t dim, Norm norm, Tensor& out) {
  return write_fft_result("hfft", at::fft_hfft_symint(self, n, dim, norm), out);
}

Tensor& fft_ihfft_symint_out(const Tensor& self, Points n, int64_t dim, Norm norm, Tensor& out) {
  return write_conjugate("ihfft", transform_real("ihfft", self, n, dim, norm, false, /*onesided=*/true), out);
}

Tensor& fft_fftn_symint_out(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("fftn", at::fft_fftn_symint(self, s, dim, norm), out);
}

Tensor& fft_ifftn_symint_out(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("ifftn", at::fft_ifftn_symint(self, s, dim, norm), out);
}

Tensor& fft_rfftn_symint_out(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("rfftn", at::fft_rfftn_symint(self, s, dim, norm), out);
}

Tensor& fft_irfftn_symint_out(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("irfftn", at::fft_irfftn_symint(self, s, dim, norm), out);
}

Tensor& fft_hfftn_symint_out(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("hfftn", at::fft_hfftn_symint(self, s, dim, norm), out);
}

Tensor& fft_ihfftn_symint_out(const Tensor& self, Sizes s, OptionalIntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("ihfftn", at::fft_ihfftn_symint(self, s, dim, norm), out);
}

Tensor& fft_fft2_symint_out(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("fft2", at::fft_fft2_symint(self, s, dim, norm), out);
}

Tensor& fft_ifft2_symint_out(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("ifft2", at::fft_ifft2_symint(self, s, dim, norm), out);
}

Tensor& fft_rfft2_symint_out(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("rfft2", at::fft_rfft2_symint(self, s, dim, norm), out);
}

Tensor& fft_irfft2_symint_out(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("irfft2", at::fft_irfft2_symint(self, s, dim, norm), out);
}

Tensor& fft_hfft2_symint_out(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("hfft2", at::fft_hfft2_symint(self, s, dim, norm), out);
}

Tensor& fft_ihfft2_symint_out(const Tensor& self, Sizes s, IntArrayRef dim, Norm norm, Tensor& out) {
  return write_fft_result("ihfft2", at::fft_ihfft2_symint(self, s, dim, norm), out);
}

}  // namespace at::native
